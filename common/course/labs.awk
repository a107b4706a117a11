# labs.awk: what labs/INDEX says of the labs, for make and shell: a word LAB:WHAT
# for each thing that a lab is. WHAT is
#   lab         all are
#   host        it has no kernel
#   banks       it has no matrices
#   advanced    it is of the advanced track
#   needs       nvcc builds it for certain GPUs alone
#   gpu         only such a GPU can run it, and not the CPU device
#   for=TARGET  nvcc builds it for this one
# Programs in C read the file by index.c, which says what is wrong with it.
BEGIN {
    FS = " *[|] *"
    first = 100
}
/^advanced / {
    split($0, word, " ")
    first = word[2]
}
/^[0-9]/ {
    print $1 ":lab"
    if ($3 !~ /:(launch|banks|shown)/)
        print $1 ":host"
    if ($3 ~ /:banks/)
        print $1 ":banks"
    if ($1 + 0 >= first)
        print $1 ":advanced"
}
/^needs / {
    sub(/^needs */, "", $1)
    print $1 ":needs"
    if ($4 != "cpu")
        print $1 ":gpu"
    targets = split($2, target, " ")
    for (i = 1; i <= targets; i++)
        print $1 ":for=" target[i]
}
