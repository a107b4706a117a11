#!/bin/sh
# run_files.sh FOLDER FROM FILES: makes links FOLDER/PROGRAM/src/NAME to the
# files of a program, since make cannot read all names that a file may have.
# FILES is one name, which may have blanks, or several, in folder FROM or this
# one. Prints the links, or ! and what is wrong.
folder=$1 from=$2
wrong() { echo "!$1" && exit; }

[ -n "$3" ] || wrong 'say which program: make run FILE=path/to/program.cu'
if [ -e "$from/$3" ] || [ -e "$3" ]; then
    set -- "$3"
else
    set -f
    # shellcheck disable=SC2086 # words
    set -- $3
fi
plain() { printf %s "$1" | tr -c 'A-Za-z0-9.+-' _ | tail -c 120; }
place=$folder/$(plain "${1%.*}")/src
links=
for file; do
    case $file in
    /*) path=$file ;;
    *) path=$from/$file && [ -f "$path" ] || path=$PWD/$file ;;
    esac
    case $file in
    *.cu | *.cpp | *.cc | *.cxx | *.c) ;;
    *) wrong "$file is no CUDA file: its name must end in .cu" ;;
    esac
    [ -f "$path" ] || wrong "$file: there is no such file"
    mkdir -p "$place"
    link=$place/$(plain "$file")
    [ "$(readlink "$link")" = "$path" ] || ln -sfn "$path" "$link"
    links="$links $link"
done
echo "$links"
