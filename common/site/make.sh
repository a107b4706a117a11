#!/bin/sh
# make.sh OUT FROM: makes the site in OUT with the texts in FROM, what students
# are given, for release.sh. Node and npm are needed; npm brings the compiler.
set -eu
sh slides/install.sh site common/site || exit 2
node common/site/site.mjs "$1" "$2"
