# Fuzzers of all that reads what a student, an instructor or a run box hands in
# (fuzz.h). Included by tests.mk.
#   TARGET   one of them: make fuzz without it lists them
#   SECONDS  how long it looks                           (60)

TARGET  ?=
SECONDS ?= 60

FUZZ_HELP := tests/fuzz/fuzz.c tests/fuzz/entry.c tests/fuzz/seeds.c
FUZZ_C    := $(filter-out $(FUZZ_HELP) tests/fuzz/test_found.c,$(wildcard tests/fuzz/*.c))
FUZZERS   := $(basename $(notdir $(FUZZ_C)))
# The parsers, and what they need.
FUZZED    := $(REWRITER) $(SOURCE_TABLES) $(LIB) common/simt/check_names.c common/simt/elf_file.c common/report/keyed.c common/report/html.c \
             $(addprefix common/harness/,csv_read.c results.c counters.c) \
             $(wildcard common/grade/base/*.c) $(addprefix common/grade/,intake/roster.c batch/record.c \
               judge/symbols.c judge/vet.c judge/vet_words.c judge/vet_object.c judge/wire_read.c runner/wire_write.c)

ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
ifeq ($(filter $(TARGET),$(FUZZERS)),)
$(error name one of these, as in make fuzz TARGET=roster: $(FUZZERS))
endif
ifeq ($(shell command -v clang 2>/dev/null),)
$(error make fuzz needs clang and its libFuzzer: apt-get install clang libclang-rt-14-dev)
endif
endif

# test_found gives every target what was found.
$(foreach b,cpu checked,$(eval build/$b/tests/fuzz/test_found: \
  $(patsubst %.c,build/$b/%.o,$(FUZZ_C) tests/fuzz/fuzz.c)))

$(T)/seeds: $(call objects,cpu,tests/fuzz/seeds.c tests/fuzz/fuzz.c $(FUZZ_C) $(FUZZED) \
             tests/corpus/submission.c tests/corpus/texts.c)
	@mkdir -p $(@D) && echo "  LINK  $@"
	$(Q)$(CC) $^ -lcjson -lm -o $@

build/fuzz/%.o: %.c
	@mkdir -p $(@D) && echo "  CLANG $<"
	$(Q)clang -std=c11 -O1 -g -Icommon $(API_cpu) $(DEPS) -fsanitize=fuzzer-no-link,address,undefined \
	  -fno-sanitize-recover=all -c $< -o $@

build/fuzz/%.entry.o: tests/fuzz/entry.c
	@mkdir -p $(@D)
	$(Q)clang -std=c11 -O1 -g -Icommon -DTARGET=fuzz_$* -c $< -o $@

$(FUZZERS:%=build/fuzz/%): build/fuzz/%: build/fuzz/%.entry.o $(patsubst %.c,build/fuzz/%.o,tests/fuzz/fuzz.c $(FUZZ_C) $(FUZZED))
	@echo "  LINK  $@"
	$(Q)clang -fsanitize=fuzzer,address,undefined $^ -lcjson -lm -o $@

fuzz: $(if $(TARGET),build/fuzz/$(TARGET) $(T)/seeds) ## Look for bytes that break a parser: TARGET= SECONDS=
	$(Q)sh tests/fuzz/fuzz.sh $(TARGET) $(SECONDS)

.PHONY: fuzz
