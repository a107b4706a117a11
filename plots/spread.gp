# spread.gp: where can labels stand so that they do not cover each other?
# Draws nothing.
#
# In : count  how many
#      Place  an array: where each would stand, from 0, the bottom, to 1
#      gap    the least distance
#      ceiling  where the topmost may be
# Out: Place  moved up where needed, in the order they had; from the ceiling on,
#             down again

array Order[count]
do for [i = 1:count] {
    Order[i] = i
}
do for [pass = 2:count] {
    do for [i = 2:count] {
        if (Place[Order[i]] < Place[Order[i - 1]]) {
            other = Order[i]
            Order[i] = Order[i - 1]
            Order[i - 1] = other
        }
    }
}
do for [i = 2:count] {
    least = Place[Order[i - 1]] + gap
    Place[Order[i]] = Place[Order[i]] < least ? least : Place[Order[i]]
}
most = ceiling
do for [j = 1:count] {
    i = count + 1 - j
    Place[Order[i]] = Place[Order[i]] > most ? most : Place[Order[i]]
    most = Place[Order[i]] - gap
}
