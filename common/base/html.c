#include "base/html.h"

#include "base/utf8.h"

/* How many bytes the character at s takes; 0 if it is none of XML 1.0, section
   2.2; the C1 controls are an error in HTML. */
static size_t xml_character(const char *s)
{
    unsigned code = 0;
    const size_t length = base_utf8_character(s, &code);

    return (code < 0x20 && code != '\t' && code != '\n') ||
                   (code >= 0x7f && code < 0xa0) || (code & 0xfffe) == 0xfffe
               ? 0
               : length;
}

static const char *escape_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void base_put_html(FILE *to, const char *text)
{
    while (*text != '\0') {
        const size_t length = xml_character(text);
        const char *const escape =
            length == 0 ? "\xef\xbf\xbd" : escape_of(*text); /* U+FFFD */

        if (escape != NULL) {
            fputs(escape, to);
        } else {
            fwrite(text, 1, length, to);
        }
        text += length > 0 ? length : 1;
    }
}

long base_html_bad_byte(const char *text)
{
    const char *at = text;

    while (*at != '\0') {
        const size_t length = xml_character(at);

        if (length == 0)
            return (long)(at - text);
        at += length;
    }
    return -1;
}
