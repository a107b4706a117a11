# What students learn from beside the labs: hints, watching, spotting bugs, and
# the checks of what handouts and slides quote. The Makefile includes this.

# --- what handouts and slides quote -------------------------------------------

MARKDOWN = $(if $(strip $(FILES)),$(FILES),$(shell find . -name '*.md' ! -path './build/*' \
             ! -path '*/node_modules/*' ! -path './.git/*' | sort | sed 's,^\./,,'))

quotes: $(T)/quotes ## Hold what is quoted in FILES=*.md against runs and CSV files
	$(Q)$(T)/quotes $(MARKDOWN); code=$$?; \
	  awk -f common/teach/numbers.awk $(MARKDOWN) && exit $$code


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

status: $(T)/results

# after-pass: when your lab's last run passed; never; always. In config.mk.
SOLUTIONS ?= after-pass

solution-%: FORCE $(T)/results ## Show the solution, once your lab has passed
	@sh common/course/solution.sh $(call name,$*) '$(SOLUTIONS)'

# --- spot the bug -------------------------------------------------------------

EXPLAIN  ?=
EXERCISES := $(sort $(notdir $(wildcard labs/spot_the_bug/[0-9][0-9]_*)))
bug_path  = build/cpu/labs/spot_the_bug/$1/$(patsubst $(firstword $(subst _, ,$1))_%,%,$1)-analyse
bug       = $(or $(filter $1 $1_% 0$1_%,$(EXERCISES)),$(error there is no exercise '$1'$(if $(EXERCISES),: use 01 \
              to $(firstword $(subst _, ,$(lastword $(EXERCISES)))))))

bug-%: FORCE $$(if $$(EXPLAIN),,$$(call bug_path,$$(call bug,$$*))) ## Run a program with a mistake; EXPLAIN=1 tells which
	@EXPLAIN="$(EXPLAIN)" $(if $(VERBOSE),SIMT_REPORT=table) sh common/course/bug.sh $(call bug,$*) $(call bug_path,$(call bug,$*))

BUGS     := $(foreach b,$(EXERCISES),$(call bug_path,$b))
OWN_MAIN_COUNT += $(BUGS)
$(BUGS): %: %.o

# --- links and spelling -------------------------------------------------------


links: $(T)/links ## Check the links of FILES=*.md
	$(Q)$(T)/links $(MARKDOWN)

# The dictionary is English: a translation, README.de.md, is left out.
translated = $(filter 3,$(words $(subst ., ,$(notdir $1))))
spell: ## Check the spelling of all texts (needs hunspell)
	@sh common/teach/spell.sh $(foreach f,$(MARKDOWN),$(if $(call translated,$f),,$f)) $(wildcard labs/*/hints.txt labs/*/questions.txt)

.PHONY: links spell
