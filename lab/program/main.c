/* The program weft-lab, which `weft lab` runs.  Its words and flags are those of that command. */
#include "descriptors.h"
#include "program.h"

#include <stdlib.h>

static int run(int argc, char **argv) {
    const cli_command *command = &cli_lab_command;
    cli_call call = {.options = cli_options_standard, .name = command->name};
    const cli_group groups[CLI_GROUPS] = {
        {NULL, 0, 0, NULL, NULL},
        {cli_option_flags, cli_option_flag_count, command->uses, &call.options, call.options.given}};
    int at = cli_first_operand(&groups[1], argc, argv);
    if (cli_has_word(at, argv, "--version") || cli_has_word(at, argv, "-V"))
        return cli_version(command->program, cli_has_word(argc, argv, "--json"));
    call.operands = cli_take((size_t)argc, sizeof *call.operands);
    int code =
        call.operands ? cli_parse(call.name, groups, argc, argv, call.operands, &call.operand_count) : EXIT_MEMORY;
    if (!code && call.options.help) {
        cli_help_command(stdout, command, true);
    } else {
        if (!code) code = cli_check_operands(command, &call);
        if (!code) code = cli_check_columns(command, &call);
        if (!code) {
            cli_signals_timeout(call.options.timeout);
            code = lab_command(&call);
            if (code == EXIT_INTERRUPTED && cli_timed_out()) code = EXIT_TIMEOUT;
        }
    }
    free(call.operands);
    free(call.options.neighbors.of.items);
    free(call.options.generate.items);
    return code;
}

int main(int argc, char **argv) {
    cli_signals_install();
    if (!wfi_occupy_standard()) return EXIT_INPUT;
    cli_watch_stdout();
    int code = run(argc - 1, argv + 1);
    cli_progress_erase();
    return cli_finish_stdout(code);
}
