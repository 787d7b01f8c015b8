/* label.c - labelled records, and warm-ups that run without being recorded. */
#include <oplens/record.h>

#include "record/gate.h"
#include "record/process.h"

opl_label opl_label_begin(const char *name, int flags)
{
    opl_label label = {{NULL, 0, 0}, flags & OPL_WARM_UP};
    if (label.warm_up) {
        if (opli_gate_mute(+1))
            opli_process_note(OPLI_CONTROL_MUTE, 0);
    } else if (opl_live() & OPL_GATE(OPL_CAT_LABEL, 1)) {
        label.span = opl_span_begin(opl_site_find(name, OPL_CAT_LABEL, 1));
    }
    return label;
}

void opl_label_end(opl_label *label)
{
    if (label->warm_up && opli_gate_mute(-1))
        opli_process_note(OPLI_CONTROL_UNMUTE, 0);
    label->warm_up = 0;
    opl_span_end(&label->span);
}
