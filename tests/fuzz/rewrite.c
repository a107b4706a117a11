/* The launch rewriter, and the words that it is made of: every byte belongs to
   one word, each line stays on its line, and a text without anything that must
   be rewritten comes out as it went in. */
#include "fuzz.h"

#include "base/lexer.h"
#include "simt/rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

static const char first_line[] = "#line 1 \"lab.cu\"\n";

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = 0;

    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* The words are the text, and their lines are right. */
static void must_cover(const char *text, size_t size)
{
    struct base_tokens tokens;
    size_t at = 0;
    char why[160] = "";
    int line = 1;

    if (base_lex(text, size, &tokens, why, sizeof why) != 0) {
        fuzz_message(why, sizeof why);
        fuzz_must(strncmp(why, "line ", 5) == 0);
    }
    for (size_t i = 0; i < tokens.count; i++) {
        const struct base_token *const token = tokens.token;

        fuzz_must(token[i].begin == at && token[i].end > at);
        fuzz_must(token[i].kind != BASE_MARK || token[i].end == at + 1);
        fuzz_must(token[i].line == line);
        line += (int)count_lines(text + at, token[i].end - at);
        at = token[i].end;
    }
    fuzz_must(at == size);
    base_tokens_free(&tokens);
}

/* Does the text hold none of what makes the rewriter begin? A word may be split
   by a backslash at the end of a line. */
static int is_plain_text(const char *text)
{
    static const char *const begins[] = {
        "<<<",          "__device__", "__constant__", "__managed__",
        "__noinline__", "extern",     "pragma",       "_Pragma",
        "\\\n",         "\\\r",       "\xEF\xBB\xBF"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (strstr(text, begins[i]) != NULL)
            return 0;
    }
    return 1;
}

void fuzz_rewrite(const uint8_t *bytes, size_t size)
{
    char *const text = fuzz_string(bytes, size);
    const size_t head = sizeof first_line - 1;
    char why[600] = "", *output = NULL;
    size_t length = 0;

    if (simt_rewrite(text, size, "lab.cu", &output, &length, why, sizeof why) !=
        0) {
        fuzz_message(why, sizeof why);
        fuzz_must(strncmp(why, "lab.cu:", 7) == 0);
        fuzz_must(output == NULL);
        if (memchr(text, '\0', size) == NULL)
            must_cover(text, size);
        free(text);
        return;
    }
    must_cover(text, size);
    fuzz_must(length >= head && memcmp(output, first_line, head) == 0);
    fuzz_must(strlen(output) == length);
    fuzz_must(count_lines(output + head, length - head) ==
              count_lines(text, size));
    if (is_plain_text(text))
        fuzz_must(strcmp(output + head, text) == 0);
    free(output);
    free(text);
}
