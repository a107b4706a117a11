#include "access_name.h"

#include "simt/report_message.h"

void lab_access_name(char *text, size_t size, const struct simt_access *access)
{
    char english[200];

    simt_access_name(english, sizeof english, access);
    simt_sentence_say(text, size, english);
}
