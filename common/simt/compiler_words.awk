# What g++ says of a program for the CPU device, in a beginner's words: the
# first error first, at most three, with the line of g++ and where it points to
# beside them. What is the device's own is left out: no note stands in one of
# its headers, and a mistake that was found in one is told where the program has
# it. Settings: width of the screen (0: lines are not broken), verbose (1: all),
# quiet (1: no warnings).
# Ends with 1 after an error.
#
# Plain words say what the source shows, and are only looked for where g++ has
# found a mistake. What is not known stands as g++ says it.

BEGIN {
    most = 3
    split("one two three four", count, " ")
    closer["("] = ")"
    closer["["] = "]"
    closer["{"] = "}"
}

# --- lines of what g++ says ---------------------------------------------------

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

# What a text takes of a line of the screen.
function columns(text)
{
    gsub(/‘|’/, "'", text)
    return length(plain(text))
}

# A message in lines of `width` columns, if that is set, each with its newline.
function wrapped(text, indent,    word, words, i, line, all)
{
    words = width ? split(text, word, " ") : 0
    line = indent (words ? word[1] : text)
    for (i = 2; i <= words; i++) {
        if (columns(line " " word[i]) > width) {
            all = all line "\n"
            line = indent "  " word[i]
        } else {
            line = line " " word[i]
        }
    }
    return all line "\n"
}

# A line of the source, or what points into it, further to the left.
function moved(line,    bar)
{
    bar = index(line, "|")
    return substr(line, 1, bar) substr(line, bar + 1 + left) "\n"
}

# --- the source ---------------------------------------------------------------

# Reads a file: its lines, and its code, in which blanks stand for comments and
# for what is in quotes.
function read_source(path,    text, out, c, i, n, in_comment, quote)
{
    if (path in lines)
        return
    while ((getline text < path) > 0) {
        source[path, ++n] = text
        out = quote = ""
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (in_comment) {
                if (c == "/" && substr(text, i + 1, 1) == "*" && !(path in unended))
                    unended[path] = in_comment " " n
                if (c == "*" && substr(text, i + 1, 1) == "/") {
                    in_comment = 0
                    out = out " "
                    i++
                }
                c = " "
            } else if (quote) {
                if (c == "\\") {
                    out = out " "
                    i++
                }
                if (c == quote)
                    quote = ""
                else
                    c = " "
            } else if (c == "/" && substr(text, i + 1, 1) == "*") {
                in_comment = n
                out = out " "
                i++
                c = " "
            } else if (c == "/" && substr(text, i + 1, 1) == "/") {
                break
            } else if (c == "\"" || (c == "'" && out !~ /[0-9A-Fa-f]$/)) {
                quote = c
            }
            out = out c
        }
        sub(/[ \t\r]+$/, "", out)
        code[path, n] = out
    }
    close(path)
    lines[path] = n
}

# The last line before that one with code in it, 0 if there is none.
function line_before(path, number)
{
    while (--number > 0 && code[path, number] == "")
        continue
    return number
}

# How the source has that line, as g++ shows it.
function shown_line(path, number,    text)
{
    text = source[path, number]
    gsub(/\t/, " ", text)
    sub(/[ \r]+$/, "", text)
    if (width && length(text) > width - 8) {
        match(text, /^ */)
        text = substr(text, RLENGTH + 1)
    }
    return sprintf("%5d | %s\n", number, text)
}

function indent_of(path, number)
{
    match(code[path, number], /^[ \t]*/)
    return RLENGTH
}

# The first bracket of a file that has no other: what to say, "" if all have
# one, or an #if or a macro may hide some. Sets where. Of a table it is the row.
function brackets(path,    n, row, text)
{
    text = unmatched(path)
    for (n = 1; text != "" && n <= lines[path]; n++) {
        row = code[path, n]
        if (row ~ /^[ \t]*[{}0-9, ]*[0-9][{}0-9, ]*$/ && gsub(/{/, "{", row) != gsub(/}/, "}", row)) {
            where = n
            return "this row has " gsub(/{/, "{", row) " { and " gsub(/}/, "}", row) " }"
        }
    }
    return text
}

function unmatched(path,    n, i, c, line, before, depth, kind, at, name, head, from, to)
{
    for (n = 1; n <= lines[path]; n++) {
        line = code[path, n]
        if (line ~ /^[ \t]*#/) {
            if (line ~ /^[ \t]*# *(if|el)/ || line ~ /[][(){}].*\\$/ || line ~ /[{}]/)
                return ""
            continue
        }
        if (line !~ /[][(){};]/)
            continue
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c in closer) {
                before = substr(line, 1, i - 1)
                sub(/ +$/, "", before)
                match(before, /([A-Za-z_0-9]+((->|\.)[A-Za-z_0-9]+|\[[A-Za-z_0-9]*\])*)?$/)
                kind[++depth] = c
                at[depth] = n
                name[depth] = substr(before, RSTART)
                head[depth] = before ~ /(^|[^A-Za-z0-9_])(for|if|switch)$/
            } else if (c == ";" && depth && kind[depth] != "{" && !head[depth]) {
                where = at[depth]
                if (kind[depth] == "(" && meant(name[depth]) != "")
                    return name[depth] ": did you mean " meant(name[depth]) "?"
                for (n = depth; n && at[n] == where && kind[n] == "("; n--)
                    continue
                if (n < depth && gsub(/\)/, ")", line) >= depth - n)
                    return ""
                return open_still(kind[depth], name[depth])
            } else if (c ~ /[])}]/) {
                if (depth && closer[kind[depth]] != c) {
                    for (i = depth - 1; i && closer[kind[i]] != c; i--)
                        continue
                    where = i ? at[depth] : n
                    return i ? open_still(kind[depth], name[depth]) : \
                        "this " c " closes nothing: no bracket of its kind is open"
                }
                if (!depth) {
                    where = from ? to : n
                    return from ? "this } closes the { of line " from ", so the " c " of line " n \
                        " closes nothing. Is a { missing above, or a } too many?" : \
                        "this " c " closes nothing: no bracket is open"
                }
                if (c == "}" && !from && line ~ /^[ \t]*}/ && at[depth] != n && \
                    indent_of(path, n) != indent_of(path, at[depth])) {
                    from = at[depth]
                    to = n
                }
                depth--
            }
        }
    }
    if (!depth)
        return ""
    where = at[depth]
    if (kind[1] == "{" && from && to > at[depth]) {
        where = to
        return "a } is missing: this one closes the { of line " from ", and the { of line " at[depth] " stays open"
    }
    return open_still(kind[depth], name[depth])
}

function open_still(kind, name)
{
    return "the " kind (name == "" ? "" : " behind " name) " has no " closer[kind]
}

# --- plain words --------------------------------------------------------------

# The name of CUDA's in a message that says that there is none, "" in others.
function unknown_name(said)
{
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

# What begins a statement and differs from the name in one letter, or has two of
# its letters exchanged; "": nothing.
function meant(name,    word, n, a, b)
{
    n = split("for if while return else", word, " ")
    for (; n; n--) {
        a = tolower(name)
        b = word[n]
        while (a != "" && substr(a, 1, 1) == substr(b, 1, 1)) {
            a = substr(a, 2)
            b = substr(b, 2)
        }
        while (a != "" && substr(a, length(a)) == substr(b, length(b))) {
            a = substr(a, 1, length(a) - 1)
            b = substr(b, 1, length(b) - 1)
        }
        if (length(name) > 1 && (length(a b) < 2 || (length(a) == 1 && length(b) == 1) || \
            (length(a b) == 4 && a == substr(b, 2) substr(b, 1, 1))))
            return word[n]
    }
    return ""
}

# 1 if the word stands in the code of that line, or, with number 0, of the file.
function has_word(path, word, number,    n)
{
    for (n = number ? number : 1; n <= (number ? number : lines[path]); n++) {
        if ((" " code[path, n] " ") ~ ("[^A-Za-z0-9_]" word "[^A-Za-z0-9_]"))
            return n
    }
    return 0
}

# The last line before that one which declares the name, 0 if none does.
function declared_in(path, name, number)
{
    while (--number > 0) {
        if ((" " code[path, number]) ~ ("[^A-Za-z0-9_](int|unsigned|size_t|long|short|char|float[1-4]?|double|bool|dim3)[ *]+" \
                                      "([^;()=]*[, *])?" name " *([]=,;[):]|$)"))
            return number
    }
    return 0
}

# An array that has more indices in the line, or fewer, than it was declared
# with; "": none.
function declared_otherwise(path, number,    here, name, n, text, has, given)
{
    here = code[path, number]
    while (match(here, /[A-Za-z_][A-Za-z_0-9]*(\[[^][]*\])+/)) {
        name = substr(here, RSTART, RLENGTH)
        here = substr(here, RSTART + RLENGTH)
        has = gsub(/\[/, "[", name)
        sub(/\[.*/, "", name)
        for (n = number - 1; n > 0; n--) {
            text = code[path, n]
            if (!match(text, "(float|double|int|short|char)[0-9]* +" name "(\\[[^][]*\\])+ *[;=]"))
                continue
            text = substr(text, RSTART, RLENGTH)
            sub(/^[a-z0-9]+ +/, "", text)
            sub(/ *[;=]$/, "", text)
            given = gsub(/\[/, "[", text)
            if (has == given)
                break
            where = has > given ? n : number
            derails = has > given
            return name " is declared with " count[given] (given > 1 ? " indices" : " index") ", as " text ", and line " number " has " count[has] \
                (has > given ? ": give it a length for each" : "")
        }
    }
    return ""
}

# What g++ takes a name for that nobody has declared.
function undeclared(path, number, said,    name, guess, line, near)
{
    name = guess = said
    sub(/ .*/, "", name)
    if (!sub(/.*; did you mean /, "", guess))
        guess = ""
    sub(/[^A-Za-z0-9_].*/, "", guess)
    if (code[path, number] ~ ("^[ \t}]*" name "[^A-Za-z0-9_]") && meant(name) != "")
        return name " is not known here. Did you mean " meant(name) "?"
    line = declared_in(path, name, number)
    near = code[path, number]
    if (sub(/.*for *\( *int +/, "", near) && near ~ ("^[^;]*;[^;]*;.*[^A-Za-z0-9_]" name "[^A-Za-z0-9_]")) {
        sub(/[^A-Za-z0-9_].*/, "", near)
        return name " is not known here: this loop counts " near
    }
    if (code[path, number] ~ ("for *\\( *" name " *="))
        return name " is not declared: write its type too, as in for (int " name " = 0; ..."
    if (line && code[path, line] ~ ("for *\\([^;]*[ *]" name " *=")) {
        if (code[path, line] ~ /\) *;$/) {
            derails = 1
            return "the ; at the end of line " line " ends its loop: nothing is in it, and " name " is known in it alone"
        }
        return name " is not known here: line " line " declares it for its own loop alone"
    }
    if (said ~ /does not name a type/ && name ~ /^[a-z]/ && guess == "")
        return name " is no type, and nothing but a declaration can stand here"
    if (name ~ /^[ABCMNKmnk]$/ && is_of_product)
        return name " is a part of *p here: write p->" (name < "D" ? name : tolower(name))
    if (line)
        return name " is not declared here: line " line " declares it in another function, loop or { }"
    if (name ~ /^(global|device|host|shared|constant)$/)
        return name " is not declared. CUDA's word is __" name "__"
    if (name ~ /^(Host|Device)To(Host|Device)$/)
        guess = "cudaMemcpy" name
    if (name ~ /^[MNK]$/ && declared_in(path, tolower(name), number))
        guess = tolower(name)
    near = guess ~ name ? 0 : length(name) - length(guess)
    if (guess != "" && near * near <= 4 && (guess ~ /^(cu|__|threadIdx|block|grid|dim3|int|float|double|void|char|const|unsigned|return|lab_|LAB_)/ || has_word(path, guess, 0)) && \
        (length(name) > 2 || tolower(name) == tolower(guess)))
        return name " is not declared. Did you mean " guess "?"
    derails = unknown_name(said) != ""
    if (derails)
        return name " is neither in the program nor on the CPU device"
    return name " is not declared"
}

# What is wrong with the form: g++ may read all wrongly that follows. "" where
# the source shows nothing of the kind.
function words_of_form(path, number, column, said,    here, until, text, line, part)
{
    if (path in unended) {
        split(unended[path], part, " ")
        where = part[1]
        if (where <= number && !(path in unfit))
            return unfit[path] = "the comment that begins here goes on beyond the /* in line " part[2] ". Is its */ missing?"
    }
    here = code[path, number]
    if (here ~ /^[ \t]*#[ \t]*define[ \t]/ && substr(here, column) ~ /^;[ \t]*$/) {
        match(here, /define[ \t]+[A-Za-z_0-9]+/)
        split(substr(here, RSTART, RLENGTH), part, /[ \t]+/)
        where = number
        return "the ; at the end of this line becomes part of what " part[2] " stands for: a #define ends without one"
    }
    text = brackets(path)
    if (text != "" && where <= number + (said ~ /^expected/ ? 2 : 0) && !(path in unfit))
        return unfit[path] = text
    where = number
    here = code[path, number]
    until = substr(here, 1, column - 1)
    sub(/[ \t]+$/, "", until)
    if (said ~ /initializer/)
        sub(/^ *((const|static|extern|struct|unsigned) *)+$/, "", until)
    text = substr(here, column - 1, 1)
    here = substr(here, column)
    if (text ~ /[A-Za-z0-9_]/) # the end of what stands before
        sub(/^[A-Za-z0-9_]*[])]? */, "", here)
    text = said
    sub(/^expected .* before (token )?/, "", text)
    sub(/ .*/, "", text)
    if (text ~ /^:/) # of what stands for a launch
        until = ""
    if (said ~ /^expected primary-expression before [<>] token/ && (text = substr(code[path, number], column - 1, 2)) ~ /=[<>]/)
        return text " is written " substr(text, 2) "="
    if (said ~ /^else without a previous if/)
        return "this else follows no if: between the two stands one statement, or one { }, and no more"
    if (said ~ /^expected \} before ;/ && until ~ /=[^{}]*\{[^{}]*$/)
        return "the { of this line has no }"
    if (said ~ /^expected (}|\)|, or \.\.\.) before / && until ~ /[A-Za-z0-9_)}]$/ && match(here, /^[A-Za-z0-9_]+((->|\.)[A-Za-z0-9_]+)*/))
        return "a , or an operator is missing before " substr(here, 1, RLENGTH)
    if (said !~ /^expected (;|, or ;|initializer|\}) (before|at|after)/ && (said !~ /^(expected primary-expression before|#pragma is not allowed here)/ || until != ""))
        return ""
    if (until ~ /for *\(/ && said ~ /expected ;/)
        return "the three parts of a for stand between ;, as in for (int i = 0; i < n; i++)"
    line = until != "" ? number : line_before(path, number)
    text = line == number ? until : code[path, line]
    if (said ~ /primary|pragma/ && text !~ /[])A-Za-z0-9_]$/)
        return ""
    if (here ~ /^\{/ && text ~ /}$/) {
        where = line
        return line == number ? "a , is missing between } and {" : "this line ends without a , and a { follows"
    }
    if (said ~ /expected \}/ || text ~ (said ~ /, or ;/ ? "[;{,]$" : "[;{},]$") || (line == number && here != ""))
        return ""
    where = line
    return "this line ends without a " (said ~ /initializer/ && text ~ /\)$/ ? "{ or a ;" : ";")
}

# What a beginner did, as the source shows it; "" where that is not known. Sets
# where, if it is another line, and derails, if what g++ says behind it may well
# follow from it.
function words_of(m,    path, number, said, here, name, text, line, part)
{
    path = at[m]
    number = where = line_at[m]
    said = said_at[m]
    is_of_product = function_at[m] ~ /lab_matmul/
    gsub(/‘|’|'/, "", said)
    gsub(/\(aka [^)]*\)/, "", said)
    derails = 1
    if (said ~ /on the CPU device$|is not in CUDA 13: write/)
        return said
    if (said ~ /^thrust\/[^:]*: No such file/)
        return "Thrust is not on this machine: install it (Debian: libthrust-dev)"
    if (said ~ /^cuda\/std\/[^:]*: No such file/)
        return "libcu++ is not on this machine: install it (Debian: libcu++-dev)"
    if (match(said, /^(cublasLt|cublasXt|cufft|curand|cusparse|cusolver|cudnn|nvrtc|nccl|cub\/|cuda\/|cutlass\/|cute\/)[^:]*: No such file/))
        return substr(said, 1, index(said, ":") - 1) " is not on the CPU device"
    if (match(said, /^[^:]*: No such file/))
        return substr(said, 1, index(said, ":") - 1) " is not here: INCLUDES=its/folder says where a program's headers are"
    read_source(path)
    text = lines[path] ? words_of_form(path, number, column_at[m], said) : ""
    if (text != "")
        return text
    derails = 0
    where = number
    here = code[path, number]

    if (said ~ /uint3|dim3/ && match(" " here " ", /[^A-Za-z0-9_](threadIdx|blockIdx|blockDim|gridDim)[^A-Za-z0-9_.]/)) {
        name = substr(here, RSTART)
        sub(/[^A-Za-z].*/, "", name)
        return name " has three parts: write " name ".x, " name ".y or " name ".z"
    }
    if (said ~ /^invalid use of void expression/ && (code[path, number - 1] here) ~ /LAB_CHECK *\(/ && shown[m] ~ /<<</)
        return "a launch returns nothing that LAB_CHECK could check: launch alone, then write LAB_CHECK(cudaGetLastError());"
    if (said ~ /^no matching function for call to .*cudaMalloc\([a-z ]+\*&, /)
        return "cudaMalloc wants the address of the pointer, as in cudaMalloc(&d_A, bytes)"
    # An exercise asks for this one.
    if (said ~ /^no matching function for call to .*cudaMalloc\(float\*, / && path !~ /spot_the_bug/) {
        derails = 1
        return "cudaMalloc wants the address of a pointer, and this is the address of a float. In a declaration each pointer has its own *: float *d_A, *d_B"
    }
    if (said ~ /^invalid conversion from const void\* to void\*/ && match(here, /(cudaMemcpy|__pipeline_memcpy_async) *\(/)) {
        name = substr(here, RSTART, RLENGTH)
        sub(/ *\($/, "", name)
        return name " takes the destination first and the source second, and nothing can be copied to what stands first here: it is const"
    }
    if (match(said, /^no match for operator\[\] \(operand types are (const )?float[2-4] /)) {
        name = substr(said, 1, RLENGTH - 1)
        sub(/.* /, "", name)
        return "a " name " has no index: its elements are .x" (name ~ /2/ ? "" : ", .y") (name ~ /4/ ? ", .z and .w" : name ~ /3/ ? " and .z" : " and .y")
    }
    if (match(said, /^no match for operator= \(operand types are float[2-4] and (const )?float[2-4]\*\)/)) {
        split(said, part, /[ ()]+/)
        return "a " part[8] " is wanted here, and this is a pointer to one: the * that reads it is missing"
    }
    if (match(said, /^no matching function for call to float[2-4]::float[2-4]\((const )?float\*&?\)/) && \
        match(here, /\( *(const +)?float[2-4] *\) *[A-Za-z_&]/)) {
        name = substr(here, RSTART, RLENGTH - 1)
        sub(/ *$/, "", name)
        text = name
        sub(/ *\) *$/, " *)", text)
        return "the cast " name " makes no pointer: write " text
    }
    if (said ~ /^no match for operator= \(operand types are (float[24]) and float\)/) {
        match(said, /float[24]/)
        text = substr(said, RSTART, RLENGTH)
        return "what stands left of = is a " text ", and what stands right of it is a single float. To load " substr(text, 6) " at once: *(const " text " *)&X[i]"
    }
    if (sub(/^invalid types (const )?/, "", said) && said ~ / for array subscript/) {
        sub(/\[.*/, "", said)
        text = declared_otherwise(path, number)
        if (text != "")
            return text
        return "an index too many: what stands before the last [ ] is a single " said \
            (said ~ /float|double/ ? ". A matrix lies in memory row after row: element (row, col) of one with w columns is X[row * w + col]" : "")
    }
    if (match(here, /[A-Za-z_0-9]+\[[A-Za-z0-9_. +*-]+,[A-Za-z0-9_. +*-]+\]/) && said ~ /^(incompatible types|invalid operands|cannot convert|invalid conversion)/) {
        name = text = substr(here, RSTART, RLENGTH)
        sub(/, */, "][", text)
        return name " has one index, what is behind the comma: write " text
    }
    if (said ~ /^(incompatible types|invalid operands|cannot convert|invalid conversion).*(float|int|double) ?\[[0-9]/ && (text = declared_otherwise(path, number)) != "")
        return text
    if (said ~ /^cannot convert (const )?lab_matmul to (const )?lab_matmul\*/) {
        name = substr(here, column_at[m])
        sub(/[^A-Za-z0-9_].*/, "", name)
        return "a pointer is wanted here: write &" name
    }
    if (said ~ /^(const )?struct lab_matmul has no member named /)
        return "a lab_matmul has A, B, C, m, n and k, and no " substr(said, index(said, "named ") + 6) \
            (said ~ / [MNK]$/ ? ": write " tolower(substr(said, length(said))) : "")
    if (said ~ /^found : in nested-name-specifier/ && here ~ / : / && here !~ /\?/)
        return "a choice is written condition ? a : b, and this line has no ?"
    if (said ~ /^suggest braces around empty body in an if/ && here ~ /;$/)
        return "the ; at the end of this line ends the if: nothing depends on its condition"
    if (said ~ /is used uninitialized|may be used uninitialized/ && match(notes[m], /:[0-9]+:/)) {
        number = substr(notes[m], RSTART + 1, RLENGTH - 2)
        name = said
        sub(/ .*/, "", name)
        if (code[path, number] ~ ("[^A-Za-z0-9_]" name " *[,;]")) {
            where = number
            return name " begins without a value"
        }
    }
    if (said ~ /^[A-Za-z_0-9]+ (was not declared in this scope|does not name a type|has not been declared)/)
        return undeclared(path, number, said)
    if (unknown_name(said) != "")
        return unknown_name(said) " is neither in the program nor on the CPU device"
    if (match(said, /^too (few|many) arguments to function .*\)/)) {
        text = substr(said, 1, RLENGTH)
        name = text
        sub(/^too (few|many) arguments to function /, "", name)
        sub(/\(.*/, "", name)
        sub(/.*[ *&]/, "", name)
        sub(/^[^(]*\(/, "", text)
        sub(/\).*/, "", text)
        # What the device adds by itself: the place of the call.
        if (name ~ /^__/ && !sub(/, const char\*, int$/, "", text))
            sub(/^size_t, int$/, "size_t", text)
        line = text == "" ? 0 : gsub(/,/, ",", text) + 1
        return name " takes " line " argument" (line == 1 ? "" : "s") (line ? " (" text ")" : "") ", and this call gives " (said ~ /few/ ? "fewer" : "more")
    }
    if (match(said, /of read-only (variable|parameter) /))
        return substr(said, RSTART + RLENGTH) " is const: it keeps the value that it begins with"
    if (said ~ /of read-only location/) {
        text = substr(here, 1, column_at[m] - 1)
        return match(text, /[A-Za-z_0-9>.-]+(\[[^][]*\] *[-+*\/]?)+$/) && substr(text, RSTART) !~ /^[0-9]/ ? \
            substr(text, RSTART, index(substr(text, RSTART), "[") - 1) " is const: its elements can be read, and nothing can be stored in them" : ""
    }
    if (match(said, /^request for member [A-Za-z_0-9]+ in [A-Za-z_0-9]+, which is of pointer type/)) {
        split(said, part, /[ ,]+/)
        return part[6] " is a pointer: write " part[6] "->" part[4]
    }
    if (match(said, /^[A-Za-z_0-9]+ cannot be used as a function/)) {
        name = said
        sub(/ .*/, "", name)
        for (line = number; line > 0; line--) {
            if ((" " code[path, line]) ~ ("[^A-Za-z0-9_]" name " *\\["))
                return name " is an array: its index stands in [ ], not in ( )"
        }
    }
    if (said ~ /^(redeclaration of|conflicting declaration) / && match(notes[m], /:[0-9]+:/)) {
        name = said
        sub(/\[.*/, "", name)
        sub(/.*[ *]/, "", name)
        return name " is declared a second time: line " substr(notes[m], RSTART + 1, RLENGTH - 2) " has declared it"
    }
    if (said ~ /^no return statement in function returning non-void/)
        return "this function returns a value, and has no return"
    if (match(said, /^too many initializers for /))
        return "a { } that ends here, or in it, holds more values than " substr(said, RLENGTH + 1) " has room for"
    return ""
}

# --- telling ------------------------------------------------------------------

# 1 if a message may follow from one before: it stands in the same line, says so
# itself, or is of a name in a line with an error, as of a declaration that g++
# did not understand.
function follows(m,    name, i)
{
    for (i = 1; i < m; i++) {
        if (kind_at[i] == "error" && at[i] == at[m] && line_at[i] == line_at[m])
            return 1
    }
    if (said_at[m] !~ /was not declared in this scope/)
        return said_at[m] ~ /<expression error>/
    name = said_at[m]
    gsub(/‘|’|'/, "", name)
    sub(/ .*/, "", name)
    for (i = 1; i < m; i++) {
        if (kind_at[i] == "error" && at[i] == at[m] && line_at[i] < line_at[m] && \
            has_word(at[i], name, line_at[i]))
            return 1
    }
    return 0
}

# A message: plain words and the line they speak of, then what g++ says. What it
# would mend stands in words, if it is right.
function tell(m,    text, said)
{
    text = words_of(m)
    if (text == "") {
        derails = said_at[m] ~ /^expected/
        printf "%s", context[m] heading[m] shown[m] mended[m] notes[m]
        return
    }
    said = said_at[m]
    if (match(said, /; did you mean /) && text !~ /Did you mean/)
        said = substr(said, 1, RSTART - 1)
    printf "%s", wrapped(at[m] ":" where ": " kind_at[m] ": " text, "")
    if (where != line_at[m])
        printf "%s", shown_line(at[m], where) wrapped("g++ says of line " line_at[m] ": " said, "  ") shown[m]
    else
        printf "%s", shown[m] (text == said ? "" : wrapped("g++ says: " said, "  "))
    if (verbose)
        printf "%s", notes[m]
}

# Of warnings of one line that differ in numbers alone, the first.
function is_new_warning(m,    words)
{
    words = said_at[m]
    gsub(/[0-9]+/, "", words)
    return !warned[at[m], line_at[m], words]++
}

END {
    for (m = 1; m <= messages; m++)
        errors += kind_at[m] == "error"
    for (m = 1; m <= messages; m++) {
        if (verbose) {
            tell(m)
        } else if (errors && kind_at[m] == "error" && told < most && !over && !follows(m)) {
            tell(m)
            told++
            over = derails
        } else if (!errors && !quiet && is_new_warning(m)) {
            if (warnings++ < most)
                tell(m)
        }
    }
    if (verbose)
        exit errors > 0
    if (told < errors)
        printf "g++ says %d more%s%s\n", errors - told, over ? ", which may come from this" : "", \
            width ? ": VERBOSE=1 shows " (errors - told == 1 ? "it" : "them") : ""
    if (!quiet && warnings > most)
        printf "g++ warns of %d more%s\n", warnings - most, width ? ": VERBOSE=1 shows them" : ""
    exit errors > 0
}

# --- reading ------------------------------------------------------------------

function forget()
{
    kept = from = ""
}

{
    gsub(/simt_device::/, "")
    gsub(/‘simt_barrier’/, "‘__syncthreads’")
    gsub(/‘lab_check’/, "‘LAB_CHECK’")
    gsub(/'simt_barrier'/, "'__syncthreads'") # where the locale is C
    gsub(/'lab_check'/, "'LAB_CHECK'")
    text = plain($0)
}

# Where g++ itself fails, and the rest of what it says then.
/:[0-9]+: internal compiler error: / {
    sub(/internal compiler error: .*/, "error: g++ itself fails here. Another version of it may not: make run CXX=g++-12")
    text = plain($0)
}

/^(0x[0-9a-f]+ |Please (submit|include)|See <file:)/ {
    next
}

# The line of the source, and what points to a place of it.
text ~ /^( +[0-9]* \||\.\.\.+$)/ {
    if (text ~ /^ +[0-9]+ \|/) {
        line = text
        sub(/^ +[0-9]+ \| ?/, "", line)
        left = columns(text) - width
        match(line, /^ */)
        left = !width || left < 0 ? 0 : left < RLENGTH ? left : RLENGTH
        beside = column > length(line) + 1
    } else if (beside) {
        next
    }
    if (!hidden && kind == "note")
        notes[messages] = notes[messages] moved($0)
    else if (!hidden && text ~ /^ +([0-9]+ \|.*|\| *[~^][ ~^]*)$/)
        shown[messages] = shown[messages] moved($0)
    else if (!hidden)
        mended[messages] = mended[messages] moved($0)
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
    hidden = is_device(place) || said ~ (verbose ? "^ *candidate expects" : "^( *candidate expects|in (definition|expansion) of macro)")
    if (said ~ /^in expansion of macro/ && messages && !is_device(place) && shown[messages] !~ /# *define[^\/]*;/) {
        # What is wrong with a macro is told where the program has it, but for
        # a ; at the end of its #define.
        at[messages] = place
        line_at[messages] = number
        column_at[messages] = column
        heading[messages] = wrapped(place ":" number ":" column ": " kind_at[messages] ": " said_at[messages], "")
        shown[messages] = mended[messages] = ""
        kind = kind_at[messages]
        hidden = 0
        forget()
        next
    }
    if (kind == "note" && messages) {
        if (!hidden)
            notes[messages] = notes[messages] wrapped(text, "")
        forget()
        next
    }
    if (hidden && kind != "error")
        next
    m = ++messages
    at[m] = place
    line_at[m] = number
    column_at[m] = column
    # What the program then does is undefined.
    kind_at[m] = said ~ /^no return statement in function/ ? "error" : kind
    said_at[m] = said
    context[m] = kept
    function_at[m] = in_function
    heading[m] = wrapped($0, "")
    if (hidden && from != "") {
        sub(/static assertion failed: /, "", said)
        heading[m] = wrapped(from ": " kind ": " said, "")
        context[m] = ""
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

/^collect2: error: ld returned|: in function .*:$|^compilation terminated/ {
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
        if (verbose || text ~ /required from|required by/)
            kept = kept wrapped($0, "")
    } else if (place == "" && !is_device(text)) {
        if (text !~ /(^|: )(In|At) [a-z]|^ +inlined from /)
            print
        else if (verbose)
            kept = kept wrapped($0, "")
        if (text ~ /: In (member )?function /)
            in_function = text
    }
}
