# What the grader's tests run: boxes, classes, a Slurm, a soak. Included by
# tests.mk.

# The grader with a verdict that needs no box.
$(T)/grade_fake: build/cpu/common/grade/grade_main.o build/cpu/tests/grade/fake.o $(call archives,cpu)
$(T)/grade_fake: private TOOL_LIBS = $(GRADER_LIBS)

# Programs for the boxes, hostile and good.
BOXED    := $(patsubst tests/grade/boxed/%.c,build/boxed/%,$(wildcard tests/grade/boxed/*.c))
TEST_BOX := $(basename $(wildcard tests/grade/test_box*.c))
$(BOXED): build/boxed/%: build/cpu/tests/grade/boxed/%.o
	$(call step,$@) $(CC) -static $< -o $@ $(end)

$(TEST_BOX:%=build/cpu/%) $(TEST_BOX:%=build/checked/%): | $(BOXED)

bench-grade: $(T)/box_bench $(T)/grade ## Measure what a box costs, and submissions a minute
	$(Q)$<
	$(Q)sh tests/grade/bench/class_bench.sh $(T)/grade

# Whole classes, graded as an instructor would: the corpus and its like; by a
# Slurm of one node in test-all.
WITH_CLASS := corpus names again chance no_box closed
CLASSES := $(patsubst %.c,build/cpu/%,$(wildcard $(WITH_CLASS:%=tests/grade/test_%.c)))
$(CLASSES) build/cpu/tests/grade/test_slurm build/cpu/tests/teaching/test_release: | $(T)/grade $(T)/grade_fake

# A class of a thousand, graded while the machine is against it.
SOAK   ?= 1000
SOAKED := build/cpu/tests/grade/soak/test_soak
$(SOAKED): $(addprefix build/cpu/tests/grade/soak/,test_soak.o disturb.o) build/cpu/libtests.a $(call archives,cpu) | $(T)/grade $(T)/clock.so
	$(call link_test,)

build/cpu/tests/grade/test_killed: build/cpu/tests/grade/soak/disturb.o | $(KIT_FILES)

$(T)/clock.so: tests/grade/soak/clock.c
	$(call step,$@) $(CC) $(C_FLAGS) -shared -fPIC $< -o $@ $(end)

soak: $(SOAKED) ## Grade a class of 1000 while processes are killed
	@mkdir -p build/results
	$(Q)SOAK=$(SOAK) SOAK_CSV=build/results/soak.csv nice $(SOAKED)

.PHONY: soak bench-grade
