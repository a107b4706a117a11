# style.gp: the look that all plots share. Draws nothing.
#
# In : out            file to draw: .svg, .png or .pdf
#      width, height  in pixels of a screen of 96 dots an inch
#      whose          optional: "solutions" are named below as what is shown;
#                     the report reads it (common/report/plots.c)
#      source         optional: where it comes from, to stand below

# What stands below has room of its own.
is_of_solutions = exists("whose") && whose eq "solutions"
foot = is_of_solutions || exists("source") ? 20.0 : 0
height = height + foot
# A place of the picture above it, from 0 to 1, as a place of the screen.
up(place) = (foot + (height - foot) * place) / height

# --- the file -----------------------------------------------------------------

ending = strlen(out) > 4 ? out[strlen(out) - 3:] : ""

# SVG counts letters in pixels, the others in points: 96 and 72 an inch.
letter = ending eq ".svg" ? 15.0 : 11.25
letter_font = sprintf("DejaVu Sans,%g", letter)
small_font = sprintf("DejaVu Sans,%g", 0.85 * letter)
large_font = sprintf("DejaVu Sans,%g", 1.4 * letter)

if (ending eq ".svg") {
    set terminal svg size width,height font letter_font background "white"
}
if (ending eq ".pdf") {
    set terminal pdfcairo size width / 96.0,height / 96.0 font letter_font \
        fontscale 0.75 linewidth 1.4 background "white"
}
# Twice as many dots, for paper and for projectors.
if (ending eq ".png" && strstrt(GPVAL_TERMINALS, "pngcairo") > 0) {
    set terminal pngcairo size 2 * width,2 * height font letter_font \
        fontscale 2 linewidth 2 background "white"
}
if (ending eq ".png" && strstrt(GPVAL_TERMINALS, "pngcairo") == 0) {
    set terminal png size 2 * width,2 * height font letter_font \
        fontscale 2 linewidth 2 background "#ffffff"
}
if (strstrt(" .svg .pdf .png ", " ".ending." ") == 0) {
    printerr sprintf("plot: %s: name it .svg, .png or .pdf", out)
    exit status 2
}
set termoption noenhanced
# The terminals do not agree on the size of a point.
points_by = ending eq ".svg" ? 0.31 : ending eq ".png" ? 2.7 : 1.15
set termoption pointscale points_by

# --- the look -----------------------------------------------------------------

# M. Okabe and K. Ito, "Color Universal Design", 2008: readers with any colour
# vision tell these apart. On grey paper they differ in lightness as well.
blue = 0x0072b2
orange = 0xe69f00
vermillion = 0xbd5100 # darker than theirs: white letters on it can be read
green = 0x009e73
sky = 0x56b4e9
grey = 0xb8bfc6
ink = 0x222222

set border 3 lc rgb ink
set tics nomirror out textcolor rgb ink
set grid ytics lt 1 lc rgb "#dddddd" lw 1
set style fill solid noborder
set key noenhanced textcolor rgb ink

if (exists("source")) {
    set label 9998 source font small_font at screen 0.012, \
        screen 12.0 / height textcolor rgb "#666666"
}
if (is_of_solutions) {
    set label 9999 "shown: the course solutions" right font small_font \
        at screen 0.988, screen 12.0 / height textcolor rgb "#666666"
}

# A number as one would say it: 0.125, 4.5, 21700.
say(x) = x >= 1000 ? sprintf("%.0f", x) : sprintf("%.3g", x)

# A lab has one colour and one mark in all plots: those of the advanced track
# are darker, and rings and squares are kept for what is predicted.
LABS = "02 03 04 06 07 08 09 10 11 12 13 14 15 16 17"
COLOURS = "0x0072b2 0xe69f00 0xd55e00 0x009e73 0xcc79a7 0x56b4e9 0x222222 \
0x003f66 0x8f6300 0x8c2f00 0x7a7a7a 0x005c44 0x8a3a68 0x4b2e83 0x2b7fae"
MARKS = "7 5 9 11 13 15 7 5 9 11 3 13 15 7 9"
nth_lab(lab) = strstrt(LABS, lab[1:2]) ? (strstrt(LABS, lab[1:2]) + 2) / 3 \
    : int(real("1".lab[1:2])) % words(LABS) + 1
lab_colour(lab) = int(word(COLOURS, nth_lab(lab)))
lab_mark(lab) = int(word(MARKS, nth_lab(lab)))
