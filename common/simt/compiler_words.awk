# What g++ says of a program for the CPU device, without what is the device's
# own: no note stands in one of its headers, and a mistake that was found in one
# is told where the program has it.

function plain(line)
{
    gsub(/\033\[[0-9;]*[mK]/, "", line)
    return line
}

function is_device(path)
{
    return path ~ /(simt|box|kit)\/include\// || path ~ /<command-line>/
}

# "path:line:column" at the beginning of text, "" if there is none.
function place_of(text)
{
    return match(text, /^[^ :]+:[0-9]+(:[0-9]+)?/) ? substr(text, 1, RLENGTH) : ""
}

# The type of what an index cannot stand behind, "" in other messages.
function indexed_type(said)
{
    gsub(/‘|’|'/, "", said)
    if (!sub(/^invalid types (const )?/, "", said) || said !~ / for array subscript/)
        return ""
    sub(/\[.*/, "", said)
    return said
}

# The name of CUDA's in a message that says that there is none, "" in others.
function unknown_name(said)
{
    gsub(/‘|’|'/, "", said)
    if (said ~ /^(cu[A-Z]|cuda[A-Z]|cublas[A-Z]|__[a-z])[A-Za-z0-9_]* (was not declared|has not been declared|does not name a type)/) {
        sub(/ .*/, "", said)
        return said
    }
    if (sub(/^(const )?struct cuda[A-Za-z]* has no member named /, "", said)) {
        sub(/[^A-Za-z0-9_].*/, "", said)
        return said
    }
    return ""
}

# What a text takes of a line of the screen.
function columns(text)
{
    gsub(/‘|’/, "'", text)
    return length(plain(text))
}

# Prints a message in lines of `width` columns, if that is set.
function tell(text,    word, words, i, line)
{
    words = width ? split(text, word, " ") : 0
    line = words ? word[1] : text
    for (i = 2; i <= words; i++) {
        if (columns(line " " word[i]) > width) {
            print line
            line = "  " word[i]
        } else {
            line = line " " word[i]
        }
    }
    print line
}

# A line of the source, or what points into it, further to the left.
function moved(line,    bar)
{
    bar = index(line, "|")
    return substr(line, 1, bar) substr(line, bar + 1 + left)
}

function forget()
{
    kept = 0
    from = ""
}

{
    text = plain($0)
    gsub(/simt_device::/, "")
}

# The line of the source, and what points to a place of it.
text ~ /^ +[0-9]* \|/ {
    if (text ~ /^ +[0-9]+ \|/) {
        source = text
        sub(/^ +[0-9]+ \| ?/, "", source)
        left = columns(text) - width
        match(source, /^ */)
        left = !width || left < 0 ? 0 : left < RLENGTH ? left : RLENGTH
        beside = column > length(source) + 1
        if (!hidden)
            print moved($0)
    } else if (!hidden && !beside) {
        print moved($0)
    }
    next
}

match(text, /:[0-9]+:([0-9]+:)? (fatal error|error|warning|note): /) {
    place = substr(text, 1, RSTART - 1)
    number = substr(text, RSTART + 1) + 0
    kind = substr(text, RSTART, RLENGTH)
    said = substr(text, RSTART + RLENGTH)
    column = kind
    sub(/^:[0-9]+:/, "", column)
    column += 0
    sub(/^[0-9:]+ (fatal )?/, "", kind)
    sub(/:.*/, "", kind)
    refused = said ~ /on the CPU device$|is not in CUDA 13: write/ ? said : ""
    name = kind == "error" ? unknown_name(said) : ""
    if (name != "")
        refused = name " is neither in the program nor on the CPU device"
    if (kind == "error" && said ~ /^no matching function for call to .+cudaMalloc\([a-z ]+\*&, /)
        refused = "cudaMalloc wants the address of the pointer, as in cudaMalloc(&d_A, bytes)"
    type = kind == "error" ? indexed_type(said) : ""
    if (type != "")
        refused = "an index too many: what stands before the last [ ] is a single " type \
            (type ~ /float|double/ ? ". A matrix lies in memory row after row: element (row, col) of one with w columns is X[row * w + col]" : "")
    if (refused != "") { # and all else follows from it
        tell(place ":" number ": error: " refused)
        exit
    }
    hidden = is_device(place) || said ~ /^ *candidate expects/
    if (!hidden) {
        for (i = 1; i <= kept; i++)
            tell(context[i])
        tell($0)
    } else if (kind == "error" && from != "") {
        sub(/static assertion failed: /, "", said)
        gsub(/simt_device::/, "", said)
        tell(from ": " kind ": " said)
    } else if (kind == "error") {
        tell($0)
    }
    forget()
    next
}

# What the linker says.
/undefined reference to/ {
    name = text
    sub(/.*undefined reference to ./, "", name)
    sub(/.$/, "", name)
    if (!missing[name]++) {
        print "error: " name " is used, and no file has it"
        if (!advised++)
            print "  Name all files of the program, as in FILE=\"a.cu b.cu\"."
    }
    next
}

/multiple definition of/ {
    name = text
    sub(/.*multiple definition of ./, "", name)
    sub(/.;.*/, "", name)
    print "error: there are two of " name
    next
}

/^collect2: error: ld returned|: in function .*:$/ {
    next
}

# Where the next message comes from.
{
    place = text
    sub(/^(In file included from| +from) /, "", place)
    place = place_of(place)
    if (place != "" && !is_device(place)) {
        if (text ~ /required from|included from/ || from == "")
            from = place
        context[++kept] = $0
    } else if (place == "" && !is_device(text)) {
        if (text ~ /^[^ ]+: (In|At) /) {
            context[++kept] = $0
        } else {
            print
        }
    }
}
