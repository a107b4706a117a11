/*
 * report_message.h: how is a message of the device said in another language?
 *
 * A message is made in English, and the harness reads it: which line, how many
 * elements. Here it is said anew, sentence by sentence, for the screen alone.
 */
#ifndef SIMT_REPORT_MESSAGE_H
#define SIMT_REPORT_MESSAGE_H

#include <stddef.h>

/* The message in the language of base/language.h, with its lines; what it does
   not know of it stays in English. */
void simt_message_say(char *to, size_t size, const char *message);

/* The same of one sentence, or of a part of one. */
void simt_sentence_say(char *to, size_t size, const char *sentence);

#endif /* SIMT_REPORT_MESSAGE_H */
