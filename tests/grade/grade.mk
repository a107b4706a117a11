# The grader and what its tests run: boxes, classes, a Slurm, a soak. Included by
# tests.mk.

# The grader with a verdict that needs no box.
$(T)/grade_fake: build/cpu/common/grade/grade_main.o build/cpu/tests/grade/fake.o build/cpu/libcommon.a
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CXX) $^ $(GRADER_LIBS) $(LIBS_cpu) -o $@

$(foreach b,cpu checked,$(foreach t,test_feedback test_exports test_gradebooks test_reports test_github test_failures,$(eval \
  build/$b/tests/grade/$t: build/$b/tests/grade/small_class.o)))

build/cpu/tests/grade/test_autograder: $(call objects,cpu,tests/grade/container.c $(wildcard tests/corpus/*.c))

# Programs for the boxes, hostile and good.
BOXED    := $(patsubst tests/grade/boxed/%.c,build/boxed/%,$(wildcard tests/grade/boxed/*.c))
TEST_BOX := $(basename $(wildcard tests/grade/test_box*.c))
$(BOXED): build/boxed/%: build/cpu/tests/grade/boxed/%.o
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CC) -static $< -o $@

$(TEST_BOX:%=build/cpu/%): build/cpu/tests/grade/boxes.o | $(BOXED)
$(TEST_BOX:%=build/checked/%): build/checked/tests/grade/boxes.o | $(BOXED)

$(T)/box_bench: $(call objects,cpu,tests/grade/bench/box_bench.c $(filter-out %/slot.c,$(filter common/grade/box/%,$(GRADER))))
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CC) $^ -lseccomp -o $@

bench-grade: $(T)/box_bench $(T)/grade ## Measure what a box costs, and submissions a minute
	$(Q)$<
	$(Q)sh tests/grade/bench/class_bench.sh $(T)/grade

# Whole classes, graded as an instructor would: the corpus and its like.
WITH_CLASS := corpus names again chance no_box closed
CLASSES := $(patsubst %.c,build/cpu/%,$(wildcard $(WITH_CLASS:%=tests/grade/test_%.c)))
$(CLASSES): $(call objects,cpu,tests/grade/class_run.c $(wildcard tests/corpus/*.c))
$(CLASSES): | $(T)/grade $(T)/grade_fake

# The same by a Slurm of one node; in test-all.
WITH_SLURM := $(patsubst %.c,build/cpu/%,$(wildcard tests/grade/test_slurm.c))
$(WITH_SLURM): $(call objects,cpu,tests/grade/class_run.c $(wildcard tests/corpus/*.c))
$(WITH_SLURM): | $(T)/grade $(T)/grade_fake

# A class of a thousand, graded while the machine is against it.
SOAK   ?= 1000
SOAK_C := $(wildcard tests/grade/soak/*.c)
SOAKED := build/cpu/tests/grade/soak/test_soak
$(SOAKED): $(call objects,cpu,$(filter-out %/clock.c,$(SOAK_C)) tests/grade/class_run.c $(wildcard tests/corpus/*.c)) build/cpu/libcommon.a | $(T)/grade $(T)/clock.so
	@echo "  LINK  $@"
	$(Q)$(CXX) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(GRADER_LIBS) $(LIBS_cpu) -o $@

build/cpu/tests/grade/test_killed: build/cpu/tests/grade/soak/disturb.o | $(KIT_FILES)

$(T)/clock.so: tests/grade/soak/clock.c
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CC) $(CFLAGS) -shared -fPIC $< -o $@

soak: $(SOAKED) ## Grade a class of 1000 while processes are killed
	@mkdir -p build/results
	$(Q)SOAK=$(SOAK) SOAK_CSV=build/results/soak.csv nice $(SOAKED)

.PHONY: soak
