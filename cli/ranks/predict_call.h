/* weft predict, as its files see each other. */
#ifndef WEFT_CLI_PREDICT_CALL_H
#define WEFT_CLI_PREDICT_CALL_H

#include "cli.h"
#include "ranks/predict.h"
#include "result/json.h"

/* The algorithm that the model is of. */
const char *cli_predict_name(wfi_predicted model);
/* --calibrate: runs on virtual ranks beside their predictions. */
int cli_predict_calibrate(const cli_call *call);

#endif
