# building.awk: what step.sh says once, in the reader's language.
BEGIN { print say(_"building (V=1 shows how)") }
