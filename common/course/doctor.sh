#!/bin/sh
# doctor.sh DEVICE: what is installed, and what that means for the course.
set -u
device=$1

# check NAME TEST MEANING-IF-MISSING
check()
{
    if eval "$2" >/dev/null 2>&1; then
        echo "  yes  $1"
    else
        echo "  no   $1: $3"
    fi
}

header()
{
    echo "#include <$1>" | gcc -isystem /usr/include/libxml2 -E - >/dev/null
}

echo "What is installed"
check "gcc and g++" "gcc --version && g++ --version" "nothing can be built"
check "gnuplot" "gnuplot --version" "tables come, plots do not"
check "OpenBLAS" "header cblas.h" "labs cannot be checked"
check "libcsv" "header csv.h" "no table of results"
check "bubblewrap" "bwrap --version" "make grade has no boxes"
check "libseccomp" "header seccomp.h" "nothing can be built"
check "cJSON" "header cjson/cJSON.h" "nothing can be built"
check "libxml2" "header libxml/xmlversion.h" "nothing can be built"
check "a box without root's rights" \
    "unshare --user --map-root-user true" \
    "make grade says what to do"
check "zip" "zip -v" "make autograder-zip makes no zip"
check "cmocka" "header cmocka.h" "make test cannot run"
check "hunspell" "command -v hunspell" "make spell checks nothing"
check "nvcc" "nvcc --version" \
    "kernels run on the CPU device, which needs no CUDA toolkit"
check "Chromium" "command -v chromium || command -v chromium-browser || command -v google-chrome" \
    "make report makes no PDF, print its HTML from any browser (apt-get install chromium)"
check "node and npm" "node --version && npm --version" \
    "make slides makes no decks (make deps slides, or apt-get install nodejs npm)"
check "font with Chinese letters" "fc-list ':charset=674e' | grep ." \
    "such names are boxes in the report's PDF (apt-get install fonts-wqy-microhei)"
check "Slurm" "command -v sbatch" \
    "make grade grades on this machine alone (ENGINE=slurm: common/grade/CLUSTER.md)"
check "NVIDIA GPU" "nvidia-smi -L" \
    "no times of a GPU; the counts that are graded come without one"
echo "Install what is missing: make deps"
echo
if [ "$device" = gpu ]; then
    echo "DEVICE is gpu: $(nvidia-smi --query-gpu=name,driver_version \
        --format=csv,noheader 2>/dev/null || echo 'no GPU answers')"
    echo "Labs are checked and timed there, and counted on the CPU device."
else
    echo "DEVICE is cpu: kernels run on $(nproc) cores of this machine, are"
    echo "checked, and are counted as a GPU would see them. Their times say"
    echo "nothing about a GPU."
fi
