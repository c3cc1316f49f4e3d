/* Names of the status codes, and of the library itself. */
#include "core/core.h"
#include "weft_config.h"

const char *weft_status_text(weft_status status) {
    switch (status) {
    case WEFT_OK: return "done";
    case WEFT_EINVAL: return "wrong parameter";
    case WEFT_EINPUT: return "bad input";
    case WEFT_EIO: return "input or output failed";
    case WEFT_ENOMEM: return "out of memory or over the memory limit";
    case WEFT_EDEVICE: return "GPU missing or failing";
    case WEFT_ECANCELLED: return "stopped on request";
    case WEFT_EUNSUPPORTED: return "not supported";
    case WEFT_ENOTFOUND: return "not found";
    }
    return "unknown status";
}

const char *weft_version(void) { return WEFT_VERSION_STRING; }
int weft_version_number(void) { return WEFT_VERSION_NUMBER; }
