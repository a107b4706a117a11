#!/bin/sh
# make.sh OUT [look]: makes the site in OUT, for make site. With look it is then
# shown on 127.0.0.1. Node and npm are needed; the compiler comes from npm.
set -eu
sh slides/install.sh site common/site || exit 2
node common/site/site.mjs "$1"
[ "${2-}" != look ] || exec node common/site/serve.mjs "$1"
