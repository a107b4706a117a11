# numbers.awk: do the numbers that Markdown files quote still hold?
#
#   awk -f numbers.awk [-v folders='FOLDER...'] FILE.md...
#
# A number stands behind a comment that says where it comes from; README.md
# beside this file has the rules. Each that is wrong is told on stderr with path
# and line, and the exit code is 1. CSV files are looked for in the folders.

BEGIN {
    if (folders == "")
        folders = "plots/data tests/hardware"
}

FNR == 1 {
    check_file()
    path = FILENAME
    prose = ""
    in_block = 0
}

# Blocks, and comments on them, are no prose; lines keep their numbers.
{
    is_fence = /^```/
    if (is_fence)
        in_block = !in_block
    is_prose = !is_fence && !in_block && !/^<!-- (of|from|not run:) .* -->$/
    prose = prose (is_prose ? $0 : "") "\n"
}

END {
    check_file()
    printf "numbers: %d; wrong: %d\n", numbers, wrong
    exit (wrong > 0)
}

function complain(line, why) {
    print path ":" line ": " why | "cat >&2"
    wrong++
}

function count_lines(text) {
    return gsub(/\n/, "", text)
}

function check_file(    rest, line, at, end, comment, why) {
    check_speeds()
    rest = prose
    line = 1
    while ((at = index(rest, "<!--")) > 0) {
        line += count_lines(substr(rest, 1, at))
        rest = substr(rest, at + 4)
        end = index(rest, "-->")
        if (end == 0) {
            complain(line, "this comment is not closed")
            return
        }
        comment = substr(rest, 1, end - 1)
        rest = substr(rest, end + 3)
        if (comment ~ /%/) {
            numbers++
            why = check_number(comment, rest)
            if (why != "")
                complain(line, why)
        }
        line += count_lines(comment)
    }
}

# Tells of the speeds that no comment stands before.
function check_speeds(    rest, line, before, unit) {
    rest = prose
    line = 1
    while (match(rest, /[0-9.,]*[0-9][ \t\n]+([MGT]?FLOP|[GT]B)\/s/)) {
        before = substr(rest, 1, RSTART - 1)
        unit = substr(rest, RSTART, RLENGTH)
        line += count_lines(before) + count_lines(unit)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/.*[ \t\n]/, "", unit)
        if (before !~ /-->$/)
            complain(line, "no comment says where the number before '" unit \
                     "' comes from")
    }
}

# Is the number at the beginning of the text that of the comment? Returns "" or
# what is wrong.
function check_number(comment, text,    why, formula, right, format, number) {
    why = read_comment(comment)
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
    if (index(text, right) == 1 &&
        substr(text, length(right) + 1) !~ /^([0-9]|[.,][0-9])/)
        return ""
    number = text
    sub(/[ |\n*].*/, "", number)
    return "'" number "' should be " right
}

# Sets table, expression, mark_format, is_ratio and keys[side, COLUMN] = VALUE.
# The second row of a ratio has the first one's keys, but for its own.
function read_comment(comment,    n, i, word, side, column, keyed) {
    table = expression = mark_format = problem = ""
    is_ratio = side = keyed = 0
    split("", keys)
    n = split(comment, word, /[ \n]+/)
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
            return "what is '" word[i] "' in this comment?"
        }
    }
    if (mark_format == "" || expression == "" || (table == "" && keyed))
        return "a number's comment reads FILE KEY=VALUE ... EXPRESSION FORMAT"
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
