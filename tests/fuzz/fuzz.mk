# Fuzzers of all that reads what a student, an instructor or a run box hands in
# (fuzz.h). Included by tests.mk.
#   TARGET   one of them: make fuzz without it lists them
#   SECONDS  how long it looks                           (60)

TARGET  ?=
SECONDS ?= 60

FUZZ_HELP := tests/fuzz/fuzz.c tests/fuzz/entry.c tests/fuzz/seeds_main.c
FUZZ_C    := $(filter-out $(FUZZ_HELP) tests/fuzz/test_found.c,$(wildcard tests/fuzz/*.c))
FUZZERS   := $(basename $(notdir $(FUZZ_C)))

ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
ifeq ($(filter $(TARGET),$(FUZZERS)),)
$(error name one of these, as in make fuzz TARGET=roster: $(FUZZERS))
endif
ifeq ($(shell command -v clang 2>/dev/null),)
$(error make fuzz needs clang and its libFuzzer: apt-get install clang libclang-rt-14-dev)
endif
endif

$(T)/seeds: build/cpu/tests/fuzz/seeds_main.o build/cpu/libtests.a $(call archives,cpu)
$(T)/seeds: private TOOL_LIBS = $(GRADER_LIBS)

build/fuzz/%.o: %.c
	$(call step,$@) clang -std=c11 -O1 -g -Icommon $(API_cpu) $(XML) $(DEPS) -fsanitize=fuzzer-no-link,address,undefined \
	  -fno-sanitize-recover=all -c $< -o $@ $(end)

build/fuzz/%.o: %.S
	$(call step,$@) clang -c $< -o $@ $(end)

build/fuzz/%.entry.o: tests/fuzz/entry.c
	@mkdir -p $(@D)
	$(Q)clang -std=c11 -O1 -g -Icommon -DTARGET=fuzz_$* -c $< -o $@

# The parsers, as clang instruments them.
$(foreach p,$(PARTS),$(eval $(call archive,$p,fuzz)))
build/fuzz/libtargets.a: $(patsubst %.c,build/fuzz/%.o,$(FUZZ_C))
	$(pack)

$(FUZZERS:%=build/fuzz/%): build/fuzz/%: build/fuzz/%.entry.o build/fuzz/tests/fuzz/fuzz.o build/fuzz/libtargets.a $(call archives,fuzz)
	@echo "  LINK  $@"
	$(Q)clang++ -fsanitize=fuzzer,address,undefined $^ $(GRADER_LIBS) $(LIBS_cpu) -o $@

fuzz: $(if $(TARGET),build/fuzz/$(TARGET) $(T)/seeds) ## Look for bytes that break a parser: TARGET= SECONDS=
	$(Q)sh tests/fuzz/fuzz.sh $(TARGET) $(SECONDS)

.PHONY: fuzz
