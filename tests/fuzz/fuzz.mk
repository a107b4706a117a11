# Fuzzers of all that reads what a student, an instructor or a run box hands in
# (fuzz.h): make test WHAT=fuzz TARGET=roster. Included by tests.mk.

FUZZ_C    := $(filter-out $(addprefix tests/fuzz/,fuzz.c entry.c seeds_main.c test_found.c),$(wildcard tests/fuzz/*.c))
FUZZERS   := $(basename $(notdir $(FUZZ_C)))
FUZZ_CC   := clang -std=c11 -O1 -g -Icommon

$(T)/seeds: build/cpu/tests/fuzz/seeds_main.o $(call libraries,cpu)
	$(link_grade)

build/fuzz/%.o: %.c
	$(STEP) $@ $(FUZZ_CC) $(API_cpu) $(DEPS) -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -c $< -o $@

build/fuzz/%.o: %.S
	$(STEP) $@ $(CC) -c $< -o $@

build/fuzz/common/grade/box/box_init_bytes.o: $(T)/box_init

build/fuzz/%.entry.o: tests/fuzz/entry.c
	$(STEP) $@ $(FUZZ_CC) -DTARGET=fuzz_$* -c $< -o $@

# The parsers, as clang instruments them.
build/fuzz/libcourse.a: $(call objects,fuzz,$(COURSE_C))
build/fuzz/libteach.a: $(call objects,fuzz,$(TEACH_C))
build/fuzz/libgrade.a: $(call objects,fuzz,$(GRADE_C))
build/fuzz/libtests.a: $(call objects,fuzz,$(FUZZ_C))
$(FUZZERS:%=build/fuzz/%): %: %.entry.o build/fuzz/tests/fuzz/fuzz.o $(call libraries,fuzz)
	$(STEP) $@ clang++ -fsanitize=fuzzer,address,undefined $^ $(GRADER_LIBS) $(LIBS) -o $@
