# comments.awk: names each line over 80 columns that has a comment, which
# the formatter does not break, and each file of common/ that does not begin
# with one and has no header that does; fails if there are any. A comment for a
# program, as /* says: ... */ of a test, is one line however long it is.
FNR == 1 {
    inside = 0
    is_c = FILENAME ~ /\.(c|h|cu|S)$/
    header = FILENAME
    if (header ~ /^common\/.*\.[ch]$/ && $0 !~ /^\/\*/ &&
        (!sub(/(_[cg]pu)?\.c$/, ".h", header) || (getline line < header) < 0)) {
        printf "%s:1: no comment says what the file answers\n", FILENAME
        found = 1
    }
    close(header)
}

{
    code = $0
    gsub(/"([^"\\]|\\.)*"/, "", code)
    has = is_c ? inside || code ~ /\/\*|(^|[ ;{}])\/\// : code ~ /^[ \t]*#/
    if (is_c && inside && code ~ /\*\//)
        inside = 0
    if (is_c && match(code, /.*\/\*/) && substr(code, RLENGTH) !~ /\*\//)
        inside = 1
    if (has && length($0) > 80 && $0 !~ /^\/\* ((x86-64 )?says|expect|build): /) {
        printf "%s:%d: a comment over 80 columns\n", FILENAME, FNR
        found = 1
    }
}

END { exit found }
