#!/bin/sh
# model.sh WHAT LAB...: how good is the model of make why-NN? For make why. WHAT
# is facts, what nvcc makes of these labs' solutions, anew; predictions, of
# these and of the kernels HELD_OUT; or else the tables of README.md beside this
# file.
set -eu
what=$1
shift
case $what in
facts) sh common/chip/facts.sh "$@" ;;
predictions) sh common/chip/predict.sh build/results/why_predictions.csv h200 h100 ;;
*) sh common/chip/tables.sh ;;
esac
