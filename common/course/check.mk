# Is the code as the house wants it? Included by the Makefile.

check: $$(WITHOUT_CIRCLES) ## Check formatting, C sources and shell scripts
	$(call lint,clang-format,$(FORMAT))
	$(call lint,cppcheck,$(CPPCHECK))
	$(call lint,clang-tidy,$(TIDY))
	$(call lint,shellcheck,$(SHELLCHECK))
	$(call lint,awk,$(COMMENTS))
	$(call lint,nm,sh common/course/circles.sh $(WITHOUT_CIRCLES))

WITHOUT_CIRCLES = $(call archives,cpu)

# Runs a tool, or says that it is not here.
lint = @if command -v $1 >/dev/null; then echo "  CHECK $1" && $2; \
	else echo "skipped: $1 is not installed"; fi
SOURCES    = $(shell git ls-files '*.c' '*.h' '*.cu')
FORMAT     = clang-format --dry-run -Werror $(SOURCES)
CPPCHECK   = cppcheck --quiet --enable=warning,performance,portability --std=c11 \
             --inline-suppr --error-exitcode=1 -Icommon $(filter %.c,$(SOURCES))
TIDY       = echo $(filter common/%.c slides/%.c,$(SOURCES)) | xargs -n 20 -P "$$(nproc)" sh -c 'clang-tidy --quiet \
               --warnings-as-errors="*" "$$@" -- -std=c11 -Icommon $(API_cpu) 2>/dev/null' sh
COMMENTS   = awk -f common/course/long_comments.awk $(SOURCES) Makefile \
             $(shell git ls-files '*.S' '*.sh' '*.mk' '*.gp')
SHELLCHECK = shellcheck $(shell git ls-files '*.sh' '*/run_autograder' .ci/run tests/fresh-machine)

format: ## Rewrite the sources in the house format
	$(Q)clang-format -i $(SOURCES)
