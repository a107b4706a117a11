# What students learn from beside the labs: hints, watching, spotting bugs, and
# the checks of what handouts and slides quote. The Makefile includes this.

# --- what handouts and slides quote -------------------------------------------

MARKDOWN = $(if $(strip $(FILES)),$(FILES),$(shell find . -name '*.md' ! -path './build/*' \
             ! -path '*/node_modules/*' ! -path './.git/*' | sort | sed 's,^\./,,'))

quotes: $(T)/quotes ## Hold what is quoted in FILES=*.md against runs and CSV files
	$(Q)$(T)/quotes $(MARKDOWN)


.PHONY: quotes

# --- hints --------------------------------------------------------------------

AGAIN ?=
TODO  ?=

hint-%: FORCE $(T)/hint ## Show the next hint for a lab's first open TODO
	@mkdir -p build/hints
	$(Q)$(T)/hint labs/$(call name,$*) build/hints/$(call name,$*) \
	  $(if $(TODO),--todo $(TODO)) $(if $(AGAIN),--again)

# --- watching -----------------------------------------------------------------

# A target watch-03 keeps no lab of ours busy: the program starts make itself.
SET_HERE = DEVICE=$(DEVICE) $(foreach s,M N K SEED REPEAT VERBOSE,$(if $($s),$s=$($s)))

watch-%: FORCE $(T)/watch ## Check a lab again whenever you save it
	$(Q)exec $(T)/watch $(call name,$*) $(LABS) -- $(SET_HERE)

# --- how far, and the solution ------------------------------------------------

status: $(T)/todos $(T)/results

# after-pass: when your lab's last run passed; never; always. In config.mk.
SOLUTIONS ?= after-pass

solution-%: FORCE $(T)/results ## Show the solution, once your lab has passed
	@sh common/course/solution.sh $(call name,$*) '$(SOLUTIONS)'

# --- spot the bug -------------------------------------------------------------

EXPLAIN  ?=
bug       = $(or $(filter $1 $1_% 0$1_%,$(EXERCISES)),$(error there is no exercise '$1': use 01 to \
              $(firstword $(subst _, ,$(lastword $(EXERCISES))))))
# Twins without the mistake, made by tests/exercises/*.edit.
MENDED   := $(EXERCISES:%=build/cpu/mended/%-analyse)

bug-%: FORCE $$(if $$(EXPLAIN),,$$(call bug_path,$$(call bug,$$*))) ## Run a program with a mistake; EXPLAIN=1 tells which
	$(if $(EXPLAIN),@awk '/^## / { shown = $$2 == "$(firstword $(subst _, ,$(call bug,$*)))" } \
	  shown && !/details>|summary>/' exercises/README.md,@$(if $(VERBOSE),SIMT_REPORT=table )$(call bug_path,$(call bug,$*)))

OWN_MAIN_COUNT += $(foreach b,$(EXERCISES),$(call bug_path,$b)) $(MENDED)
$(foreach b,$(EXERCISES),$(call bug_path,$b)) $(MENDED): %: %.o

$(EXERCISES:%=build/mended/%.cu): build/mended/%.cu: tests/exercises/%.edit $$(wildcard exercises/$$*/*.cu) $(T)/mutate
	$(call step,$@) $(T)/mutate $< $(filter %.cu,$^) $@ $(end)

$(EXERCISES:%=build/cpu/mended/%.cpp): build/cpu/mended/%.cpp: build/mended/%.cu $(T)/simt_rewrite
	$(call step,$@) $(T)/simt_rewrite $< -o $@ $(end)

# --- links and spelling -------------------------------------------------------


links: $(T)/links ## Check the links of FILES=*.md
	$(Q)$(T)/links $(MARKDOWN)

spell: ## Check the spelling of all texts (needs hunspell)
	@sh common/teach/spell.sh $(MARKDOWN) $(wildcard labs/*/hints.txt labs/*/questions.txt)

.PHONY: links spell
