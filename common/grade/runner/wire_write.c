#define _POSIX_C_SOURCE 200809L
#include "grade/runner/wire.h"

#include <stdlib.h>
#include <string.h>

static void put_bytes(struct grade_wire_out *out, const void *bytes,
                      size_t size)
{
    if (size > out->room - out->size) {
        const size_t room = 2 * (out->size + size) + 4096;
        char *larger = realloc(out->bytes, room);

        if (larger == NULL) {
            out->failed = 1;
            return;
        }
        out->bytes = larger;
        out->room = room;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

void grade_wire_u32(struct grade_wire_out *out, uint32_t value)
{
    put_bytes(out, &value, sizeof value);
}

void grade_wire_u64(struct grade_wire_out *out, uint64_t value)
{
    put_bytes(out, &value, sizeof value);
}

void grade_wire_text(struct grade_wire_out *out, const char *text)
{
    const size_t length =
        text != NULL ? strnlen(text, GRADE_WIRE_TEXT) : (size_t)0;

    grade_wire_u32(out, (uint32_t)length);
    if (length > 0)
        put_bytes(out, text, length);
}

void grade_wire_open(struct grade_wire_out *out, uint32_t type)
{
    grade_wire_u32(out, type);
    out->record = out->size;
    grade_wire_u32(out, 0);
}

void grade_wire_close(struct grade_wire_out *out)
{
    const size_t begin = out->record + sizeof(uint32_t);
    uint32_t length;

    if (out->failed || out->size < begin)
        return;
    length = (uint32_t)(out->size - begin);
    memcpy(out->bytes + out->record, &length, sizeof length);
}

void grade_wire_tell(struct grade_wire_out *out, uint32_t type,
                     const char *text)
{
    grade_wire_open(out, type);
    grade_wire_text(out, text);
    grade_wire_close(out);
}

/* Numbers go as they lie in memory; a name behind them as a text. */
void grade_wire_kernel(struct grade_wire_out *out,
                       const struct simt_kernel *kernel)
{
    struct simt_kernel sent = *kernel;

    sent.kernel = NULL;
    grade_wire_open(out, GRADE_WIRE_KERNEL);
    put_bytes(out, &sent, sizeof sent);
    grade_wire_text(out, kernel->kernel);
    grade_wire_close(out);
}

void grade_wire_row(struct grade_wire_out *out, const struct simt_row *row)
{
    struct simt_row sent = *row;

    sent.kernel = sent.array = sent.file = NULL;
    grade_wire_open(out, GRADE_WIRE_ROW);
    put_bytes(out, &sent, sizeof sent);
    grade_wire_text(out, row->kernel);
    grade_wire_text(out, row->array);
    grade_wire_text(out, row->file);
    grade_wire_close(out);
}

void grade_wire_finding(struct grade_wire_out *out,
                        const struct simt_finding *finding)
{
    grade_wire_open(out, GRADE_WIRE_FINDING);
    grade_wire_u32(out, (uint32_t)finding->check);
    grade_wire_text(out, finding->text);
    grade_wire_close(out);
}
