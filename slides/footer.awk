# Puts whose course it is, FOOTER in the environment, at the begin of a deck's
# footer, in the place of the words before its colon.
!done && /^footer: "/ {
    own = $0
    sub(/^footer: "[^:"]*/, "", own)
    name = ENVIRON["FOOTER"]
    gsub(/["\\]/, "\\\\&", name)
    $0 = "footer: \"" name own
    done = 1
}
{ print }
