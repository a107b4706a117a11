#!/bin/sh
# make.sh OUT FROM: the site, for release.sh, of the texts in FROM.
sh slides/install.sh site common/site && exec node common/site/site.mjs "$1" "$2"
