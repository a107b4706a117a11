#!/bin/sh
# test_site.sh: test_site.mjs, where there is Node and a site to try.
why=
command -v node >/dev/null || why="Node is not installed: make deps site"
[ "$why" ] || [ -f build/site/offline.js ] || why="the site is not made: make deps site"
if [ "$why" ]; then
    printf '# skipped: %s\nnot ok 1 the site # SKIP\n' "$why"
    exit 0
fi
exec node tests/site/test_site.mjs
