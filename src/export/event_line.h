/* event_line.h - an event as a line of text or JSON. */
#ifndef OPLI_EXPORT_EVENT_LINE_H
#define OPLI_EXPORT_EVENT_LINE_H

#include "base/text.h"
#include "import/events.h"

/* Each adds one line, with its end. */
void opli_event_line(const opli_recording *recording, const opli_event *event, opli_text *out);
void opli_event_line_json(const opli_recording *recording, const opli_event *event, opli_text *out);

#endif
