#!/bin/sh
# problems.sh: prints build/problems.c: the problems of labs/NN_name/problem.c,
# each by its name, for common/problem/problem.c.
set -u
echo '/* Written by common/course/problems.sh. */'
echo '#include "problem/problem.h"'
list=
for file in labs/[0-9]*_*/problem.c; do
    [ -f "$file" ] || continue
    name=${file%/problem.c} && name=${name##*/} && name=${name#??_}
    echo "extern const struct lab_problem lab_problem_$name;"
    list="$list
    {\"$name\", &lab_problem_$name},"
done
cat <<end
extern const struct lab_problem_named {
    const char *name;
    const struct lab_problem *problem;
} lab_problems[];
const struct lab_problem_named lab_problems[] = {$list
    {0, 0}};
end
