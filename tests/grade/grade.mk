# What the grader's tests run: boxes, classes, a Slurm, a soak. Included by
# tests.mk.

# The grader with a verdict that needs no box.
$(T)/grade_fake: build/cpu/common/grade/grade_main.o build/cpu/tests/grade/fake.o $(GRADE_A) $(TEACH_A) $(COURSE_A)
	$(link_grade)

$(T)/box_bench: build/cpu/tests/grade/bench/box_bench_main.o $(GRADE_A) $(TEACH_A) $(COURSE_A)
	$(link_grade)

# Programs for the boxes, hostile and good.
BOXED    := $(patsubst tests/grade/boxed/%.c,build/boxed/%,$(wildcard tests/grade/boxed/*.c))
build/boxed/%: build/cpu/tests/grade/boxed/%.o
	$(STEP) $@ $(CC) -static $< -o $@
$(PLAIN) $(SLOW_CHECKED): | $(BOXED)

CLASSES := $(CLASS_C:%.c=build/cpu/%)
$(CLASSES) build/cpu/tests/grade/test_slurm build/cpu/tests/teaching/test_release: | $(T)/grade $(T)/grade_fake

# A class of STUDENTS, graded while the machine is against it.
SOAKED := build/cpu/tests/grade/soak/test_soak
$(SOAKED): $(addprefix build/cpu/tests/grade/soak/,test_soak.o disturb.o) $(call libraries,cpu) | $(T)/grade $(T)/clock.so
	$(call link_test,)

build/cpu/tests/grade/test_module: | $(T)/grade $(patsubst %,build/cpu/solutions/%-analyse,03_tiling 06_conflict_free)
build/cpu/tests/grade/test_killed: build/cpu/tests/grade/soak/disturb.o | $(KIT)/ready

$(T)/clock.so: tests/grade/soak/clock.c
	$(STEP) $@ $(CC) $(C_FLAGS) -shared -fPIC $< -o $@
