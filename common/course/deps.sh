#!/bin/sh
# deps.sh [PACKAGE...]: installs what the course needs and this machine lacks, from
# Debian's or Ubuntu's packages, and these; elsewhere says what to install.
set -eu

# Compilers; plots and their font; test library; the reference's matrix product;
# the results files' reader; the grader's boxes and files; spelling of the texts.
packages="gcc g++ make gnuplot-nox fonts-dejavu-core libcmocka-dev
          libopenblas-dev libcsv-dev bubblewrap
          libseccomp-dev libcjson-dev libxml2-dev zip hunspell
          hunspell-en-us $*"

# What is asked for by name may have come from elsewhere: npm is part of some
# packages of node.
missing=
for package in $packages; do
    if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
        grep -q 'ok installed'; then
        case " $* " in
        *" $package "*) command -v "$package" >/dev/null && continue ;;
        esac
        missing="$missing $package"
    fi
done

if [ -z "$missing" ]; then
    echo "deps: everything is installed"
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "deps: this system has no apt-get; install what it calls:$missing" >&2
    exit 2
fi

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null; then
        echo "deps: not root and no sudo; ask for:$missing" >&2
        exit 2
    fi
fi

echo "deps: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get -qq update
# shellcheck disable=SC2086 # a list of words
$as_root apt-get -qq install -y --no-install-recommends $missing >/dev/null
echo "deps: done"
