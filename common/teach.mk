# What students learn from beside the labs: hints, watching, spotting bugs, and
# the checks of what handouts and slides quote. The Makefile includes this.

# --- what handouts and slides quote --------------------------------------------

MARKDOWN = $(if $(strip $(FILES)),$(FILES),$(shell find . -name '*.md' ! -path './build/*' \
             ! -path '*/node_modules/*' ! -path './.git/*' | sort | sed 's,^\./,,'))

quotes: $(T)/quotes ## Hold what is quoted in FILES=*.md against runs and CSV files
	$(Q)$(T)/quotes $(MARKDOWN)

READ_CSV  := common/harness/csv_read.c
$(T)/quotes: $(call objects,cpu,common/teach/quotes_main.c $(TEACH) $(READ_CSV) $(LIB))
$(T)/quotes: LIBS_tool := -lcsv

.PHONY: quotes

# --- hints ---------------------------------------------------------------------

AGAIN ?=
TODO  ?=
$(T)/hint: $(call objects,cpu,common/teach/hint_main.c $(LIB))

hint-%: FORCE $(T)/hint ## Show the next hint for a lab's first open TODO
	@mkdir -p build/hints
	$(Q)$(T)/hint labs/$(call name,$*) build/hints/$(call name,$*) \
	  $(if $(TODO),--todo $(TODO)) $(if $(AGAIN),--again)

# --- watching ------------------------------------------------------------------

# A target watch-03 keeps no lab of ours busy: the program starts make itself.
$(T)/watch: $(call objects,cpu,common/teach/watch_main.c $(TEACH) $(READ_CSV) $(LIB))
$(T)/watch: LIBS_tool := -lcsv
SET_HERE = DEVICE=$(DEVICE) $(foreach s,M N K SEED REPEAT VERBOSE,$(if $($s),$s=$($s)))

watch-%: FORCE $(T)/watch ## Check a lab again whenever you save it
	$(Q)exec $(T)/watch $(call name,$*) $(LABS) -- $(SET_HERE)

# --- how far, and the solution ---------------------------------------------------

$(T)/todos: $(call objects,cpu,common/teach/todos_main.c $(LIB))
status: $(T)/todos

# after-pass: when your lab's last run passed; never; always. In config.mk.
SOLUTIONS ?= after-pass

solution-%: FORCE ## Show the solution, once your lab has passed
	@sh common/course/solution.sh $(call name,$*) '$(SOLUTIONS)'
