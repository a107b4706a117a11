# labs.awk: what labs/INDEX says of the labs, for make and shell: a word LAB:WHAT
# for each thing that a lab is. WHAT is
#   lab         all are
#   host        it has no kernel
#   banks       it has no matrices
#   other       it has a problem of its own, and multiplies no matrices either
#   advanced    it is of the advanced track
#   needs       nvcc builds it for certain GPUs alone
#   gpu         only such a GPU can run it, and not the CPU device
#   for=TARGET  nvcc builds it for this one
# Programs in C read the file by index.c, which says what is wrong with it.
function say(what) { print lab ":" what }

# What is known of a lab once the next one begins.
function end_lab() {
    if (lab == "")
        return
    if (!kernel)
        say("host")
    if (needs && !on_cpu)
        say("gpu")
    kernel = needs = on_cpu = 0
}

/^advanced:/ { first = $2 }
/^lab:/ {
    end_lab()
    lab = $2
    say("lab")
    if (first && lab + 0 >= first)
        say("advanced")
}
/^entry:/ {
    kernel = kernel || $4 != "host"
    if ($4 == "banks")
        say("banks")
}
/^problem:/ { say("other") }
/^needs:/ {
    needs = 1
    say("needs")
}
/^targets:/ {
    for (i = 2; i <= NF; i++)
        say("for=" $i)
}
/^on_cpu: *(yes|native)/ { on_cpu = 1 }
END { end_lab() }
