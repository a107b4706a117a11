#!/bin/sh
# install.sh NAME [FOLDER]: what npm has for slides and handouts, or for what is
# in FOLDER, in the versions of its package-lock.json; the first run needs a
# network. Ends with 1 where there is no npm, and says so for NAME.
set -eu
here=${2-slides}
if ! command -v npm >/dev/null; then
    echo "$1: skipped, npm is not installed: apt-get install nodejs npm" \
        "chromium; the texts can be read as they are"
    exit 1
fi
lock=$here/node_modules/.package-lock.json
if [ ! -f "$lock" ] ||
    [ "$(find "$here/package-lock.json" -newer "$lock")" ]; then
    echo "  NPM   $here, as package-lock.json has it"
    npm ci --prefix "$here" --no-audit --no-fund --loglevel error >/dev/null
    touch "$lock"
fi
