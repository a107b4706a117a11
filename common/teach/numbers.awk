# numbers.awk: do the numbers that Markdown files quote still hold?
#
#   awk -f numbers.awk [-v folders='FOLDER...'] FILE.md...
#
# Where a number comes from stands beside the text, in FILE.numbers; README.md
# in this folder has the rules. Each that is wrong is told on stderr with path
# and line, and the exit code is 1. CSV files are looked for in the folders.

BEGIN {
    if (folders == "")
        folders = "plots/data tests/hardware"
}

FNR == 1 {
    check_file()
    path = FILENAME
    text = ""
    split("", ends) # of each line in text
    split("", is_held)
    in_block = in_comment = 0
}

# Blocks and comments are no prose. A line feed counts as a blank, and several
# blanks as one.
{
    is_fence = /^```/
    if (is_fence)
        in_block = !in_block
    if (!is_fence && !in_block) {
        words = without_comments($0)
        gsub(/[ \t]+/, " ", words)
        sub(/^ /, "", words)
        sub(/ $/, "", words)
        if (words != "")
            text = text words " "
    }
    ends[FNR] = length(text)
    lines = FNR
}

END {
    check_file()
    printf "numbers: %d; wrong: %d\n", numbers, wrong
    exit (wrong > 0)
}

function complain(place, why) {
    print place ": " why | "cat >&2"
    wrong++
}

function without_comments(words,    left, at) {
    while (words != "") {
        at = index(words, in_comment ? "-->" : "<!--")
        if (!in_comment)
            left = left (at == 0 ? words : substr(words, 1, at - 1))
        if (at == 0)
            break
        words = substr(words, at + (in_comment ? 3 : 4))
        in_comment = !in_comment
    }
    return left
}

# Path and line of what stands there in the text.
function place_of(at,    line) {
    for (line = 1; line < lines && ends[line] < at; line++)
        ;
    return path ":" line
}

# Takes the phrases of FILE.numbers one by one, each with its lines of origins.
function check_file(    file, line, number, phrase, phrase_line, origins) {
    if (path == "")
        return
    file = path
    sub(/\.md$/, ".numbers", file)
    while ((getline line < file) > 0) {
        number++
        if (line ~ /^(#|$)/)
            continue
        if (line ~ /^[ \t]/) {
            sub(/^[ \t]+/, "", line)
            origin[++origins] = line
            continue
        }
        check_phrase(phrase, origins, file ":" phrase_line)
        phrase = line
        phrase_line = number
        origins = 0
    }
    check_phrase(phrase, origins, file ":" phrase_line)
    close(file)
    check_speeds()
}

# Does the phrase stand in the text once, with the numbers of its origins?
function check_phrase(phrase, origins, place,    pieces, piece, from, at, found,
                      i, why) {
    if (phrase == "")
        return
    pieces = split(phrase, piece, /[{][}]/)
    numbers += origins
    if (pieces - 1 != origins || origins == 0 || piece[1] == "") {
        complain(place, "a phrase has words, and a {} for each line below it")
        return
    }
    for (from = 1; (at = index(substr(text, from), piece[1])) > 0; from = at + 1) {
        at += from - 1
        if (is_phrase_at(at, piece, pieces)) {
            found++
            for (i = 1; i < pieces; i++) {
                said[i] = said_here[i]
                said_at[i] = said_here_at[i]
            }
        }
    }
    if (found != 1) {
        complain(place, "'" phrase "' stands " \
                 (found == 0 ? "nowhere" : "more than once") " in " path)
        return
    }
    for (i = 1; i < pieces; i++) {
        is_held[said_at[i]] = 1
        if (origin[i] ~ /^source: ./)
            continue
        why = check_number(origin[i], said[i])
        if (why ~ / should be /)
            complain(place_of(said_at[i]), why)
        else if (why != "")
            complain(place, why)
    }
}

# Sets said_here and said_here_at if the pieces stand there with numbers between.
function is_phrase_at(at, piece, pieces,    i, rest) {
    for (i = 1; i <= pieces; i++) {
        if (substr(text, at, length(piece[i])) != piece[i])
            return 0
        at += length(piece[i])
        if (i == pieces)
            return 1
        rest = substr(text, at, 40)
        if (!match(rest, /^-?[0-9]([0-9.,]*[0-9])?/))
            return 0
        said_here[i] = substr(rest, 1, RLENGTH)
        said_here_at[i] = at
        at += RLENGTH
    }
}

# Tells of the speeds that no phrase holds.
function check_speeds(    rest, at) {
    rest = text
    while (match(rest, /[0-9.,]*[0-9] ([MGT]?FLOP|[GT]B)\/s/)) {
        at = length(text) - length(rest) + RSTART
        if (!(at in is_held))
            complain(place_of(at), "nothing says where '" \
                     substr(rest, RSTART, RLENGTH) "' comes from")
        rest = substr(rest, RSTART + RLENGTH)
    }
}

# Is the number what its origin gives? Returns "" or what is wrong.
function check_number(source, number,    why, formula, right, format) {
    why = read_origin(source)
    if (why != "")
        return why
    formula = formula_of(0)
    if (is_ratio && problem == "")
        formula = "( " formula " ) / ( " formula_of(1) " )"
    if (problem != "")
        return problem
    format = mark_format
    if (format !~ /^%'?\.[0-9]f$/)
        return "'" format "' is no format: use %.0f, %.2f or %'.0f"
    sub(/'/, "", format)
    right = calculate(formula, format)
    if (right !~ /^-?[0-9]/)
        return "'" expression "' is no finite number"
    if (format != mark_format)
        right = grouped(right)
    return number == right ? "" : "'" number "' should be " right
}

# Sets table, expression, mark_format, is_ratio and keys[side, COLUMN] = VALUE.
# The second row of a ratio has the first one's keys, but for its own.
function read_origin(source,    n, i, word, side, column, keyed) {
    table = expression = mark_format = problem = ""
    is_ratio = side = keyed = 0
    split("", keys)
    n = split(source, word, /[ \n]+/)
    for (i = 1; i <= n; i++) {
        if (word[i] == "")
            continue
        if (mark_format != "")
            return "'" word[i] "' stands behind the format"
        if (table == "" && word[i] ~ /^(counted|.+\.csv)$/) {
            table = word[i]
        } else if (word[i] ~ /^%/) {
            mark_format = word[i]
        } else if (word[i] == "over") {
            is_ratio = side = 1
        } else if (word[i] ~ /=/) {
            column = word[i]
            sub(/=.*/, "", column)
            sub(/[^=]*=/, "", word[i])
            if (side == 0)
                keys[0, column] = word[i]
            keys[1, column] = word[i]
            if (table == "counted") # counts are one file a lab
                table = "counted/" word[i]
            keyed = 1
        } else if (expression == "") {
            expression = word[i]
        } else {
            return "what is '" word[i] "'?"
        }
    }
    if (mark_format == "" || expression == "" || (table == "" && keyed))
        return "a number's origin reads FILE KEY=VALUE ... EXPRESSION FORMAT"
    return ""
}

# The expression with the values of the row that the keys of a side pick: all
# rows that they pick agree. Sets problem if there is none.
function formula_of(side,    row, formula, found) {
    if (table == "")
        return with_values(0)
    if (!(table in rows) && !read_table(table))
        return ""
    for (row = 1; row <= rows[table] && problem == ""; row++) {
        if (!is_picked(side, row))
            continue
        formula = with_values(row)
        if (found != "" && formula != found)
            problem = "more than one row of " table " fits"
        found = formula
    }
    if (found == "" && problem == "")
        problem = "no row of " table " fits"
    return found
}

function is_picked(side, row,    key, part) {
    for (key in keys) {
        split(key, part, SUBSEP)
        if (part[1] == side && cell[table, row, part[2]] "" != keys[key] "")
            return 0
    }
    return 1
}

# Nothing but numbers and + - * / ( ) gets into what is calculated.
function with_values(row,    rest, value, formula) {
    rest = expression
    while (rest != "" && problem == "") {
        if (match(rest, /^[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?/)) {
            value = substr(rest, 1, RLENGTH)
        } else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
            value = cell[table, row, substr(rest, 1, RLENGTH)]
            if (value !~ /^-?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?$/)
                problem = "there is no number in a column '" \
                          substr(rest, 1, RLENGTH) "' here"
        } else if (match(rest, /^[-+*\/()]/)) {
            value = substr(rest, 1, 1)
        } else {
            problem = "what is '" rest "' in '" expression "'?"
        }
        formula = formula " " value
        rest = substr(rest, RLENGTH + 1)
    }
    if (problem == "" && formula ~ /[0-9.)] +[0-9(]/)
        problem = "an operator is missing in '" expression "'"
    return formula
}

function calculate(formula, format,    command, text) {
    command = "LC_ALL=C awk 'BEGIN { printf \"" format "\\n\"," formula \
              " }' 2>&1"
    command | getline text
    close(command)
    return text
}

function grouped(number,    whole, rest) {
    whole = rest = number
    sub(/\..*/, "", whole)
    rest = substr(number, length(whole) + 1)
    while (match(whole, /[0-9][0-9][0-9][0-9](,|$)/))
        whole = substr(whole, 1, RSTART) "," substr(whole, RSTART + 1)
    return whole rest
}

# Reads a CSV file, whose header may stand behind lines with a #, or what a
# lab's solution counts. Returns 0 with a problem.
function read_table(name,    i, n, folder, file, line, title, into) {
    if (name ~ /^counted\//) {
        file = count_lab(substr(name, 9))
    } else {
        n = split(folders, folder, " ")
        for (i = 1; i <= n && file == ""; i++) {
            if ((getline line < (folder[i] "/" name)) > 0)
                file = folder[i] "/" name
            close(folder[i] "/" name)
        }
    }
    if (file == "") {
        problem = "there is no " name " in " folders
        if (name ~ /^counted\//)
            problem = name " cannot be counted: type make lab-" \
                      substr(name, 9, 2)
        return 0
    }
    rows[name] = n = 0
    while ((getline line < file) > 0) {
        if (line ~ /^#/ && n == 0)
            continue
        if (n == 0) {
            n = split_cells(line, title)
            continue
        }
        rows[name]++
        split_cells(line, into)
        for (i = 1; i <= n; i++)
            cell[name, rows[name], title[i]] = into[i]
    }
    close(file)
    return 1
}

function split_cells(line, into,    n, text) {
    split("", into)
    while (line != "") {
        if (!match(line, /^"([^"]|"")*"/))
            match(line, /^[^,]*/)
        text = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 2)
        if (text ~ /^"/) {
            text = substr(text, 2, length(text) - 2)
            gsub(/""/, "\"", text)
        }
        into[++n] = text
    }
    return n
}

# The CSV file of what the solution of a lab counts; "" if it cannot be counted.
function count_lab(lab,    file, count) {
    if (lab !~ /^[0-9a-z_]+$/)
        return ""
    file = "build/results/quoted/" lab ".csv"
    count = "build/cpu/solutions/" lab "-analyse --quiet --counters --csv "
    if (system("mkdir -p build/results/quoted && rm -f " file " && " count \
               file " >/dev/null") != 0)
        return ""
    return file
}
