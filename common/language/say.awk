# say.awk: what a text of an awk script is in the reader's language
# (COURSE_LANGUAGE), for what has to work before anything is built. say(_"text")
# is found by xgettext; to awk itself _ is empty.
function unquoted(line) {
    sub(/^[^"]*"/, "", line)
    sub(/"[^"]*$/, "", line)
    gsub(/\\"/, "\"", line)
    return line
}

function read_catalogue(file,   line, english, is_other, is_stale) {
    while ((getline line <file) > 0) {
        if (line ~ /^#, .*fuzzy/)
            is_stale = 1
        if (line == "")
            is_stale = is_other = 0
        if (line ~ /^msgid /)
            english = unquoted(line)
        else if (line ~ /^msgstr /)
            is_other = 1
        else if (line ~ /^"/ && !is_other)
            english = english unquoted(line)
        if (is_other && !is_stale && line ~ /^(msgstr |")/)
            said[english] = said[english] unquoted(line)
    }
    close(file)
}

# The arguments that a format asks for: awk has none with numbers.
function arguments(text,   all) {
    while (match(text, /%[^ %]/)) {
        all = all substr(text, RSTART, 2)
        text = substr(text, RSTART + 2)
    }
    return all
}

function say(text) {
    if (said[text] != "" && arguments(said[text]) == arguments(text))
        return said[text]
    return text
}

BEGIN {
    spoken = ENVIRON["COURSE_LANGUAGE"]
    if (spoken != "")
        read_catalogue((spoken ~ /\// ? "" : "labs/languages/") spoken "/screen.po")
}
