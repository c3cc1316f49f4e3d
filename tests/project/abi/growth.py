"""growth.py CC HEADERS LIBRARIES FOLDER: for each struct of the public headers, a program that was compiled when its last
field did not exist yet runs against this library and says what the program of today says."""
import os
import subprocess
import sys

from header import enums_of, faults_of, functions_of, structs_of, texts_of, without_last

compiler, headers, libraries, folder = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
texts = texts_of(headers)
wrong = []


def runs_of_algorithms(text):
    """A RUN for each weft_NAME(ctx, g, const weft_NAME_params *, out)."""
    lines = []
    for _, function, params in functions_of(text):
        name = function[len("weft_"):]
        if params[2:] == ["const %s_params *params" % function, "weft_result **out"]:
            lines += ["#ifndef SET_" + name, "#define SET_%s (void)p" % name, "#endif",
                      "#ifndef GRAPH_" + name, "#define GRAPH_%s karate" % name, "#endif",
                      "RUN(%s, %s_params, WEFT_%s_DEFAULTS, GRAPH_%s, SET_%s);" % (name, function, name.upper(), name, name)]
    return "\n".join(lines) + "\n"


def run_with(texts, label):
    """What the program says when it is compiled with these headers."""
    include = os.path.join(folder, "include")
    os.makedirs(os.path.join(include, "weft"), exist_ok=True)
    for n, text in dict(texts, **{"algorithms.h": runs}).items():
        with open(os.path.join(include, n), "w") as f:
            f.write(text)
    program = os.path.join(folder, "older")
    made = subprocess.run([compiler, "-std=c99", "-O0", "-Wall", "-Werror", "-I" + include,
                           os.path.join(here, "older.c"), "-o", program, os.path.join(libraries, "libweft_check.a"),
                           "-L" + libraries, "-Wl,-rpath," + libraries, "-lweft", "-fopenmp", "-lm"],
                          capture_output=True, text=True)
    if made.returncode:
        return "%s: does not compile\n%s" % (label, made.stderr)
    ran = subprocess.run([program], capture_output=True, text=True, cwd=folder)
    return "exit %d\n%s%s" % (ran.returncode, ran.stdout, ran.stderr)


# The rules see what they are for.
bad = """typedef struct weft_bad {
    int x;
} weft_bad;
WEFT_API weft_status weft_use(weft_bad *bad);
WEFT_API weft_bad weft_give(void);
typedef struct weft_list_info {
    const weft_bad *first;
    weft_bad inside;
} weft_list_info;
"""
if len(faults_of(bad)) != 4:
    wrong.append("a header that breaks every rule has only these faults: %s" % faults_of(bad))
wrong += faults_of("\n".join(texts.values()))

# Types and sides have one number in all enums.  (Those of weft_precision are places in a list of choices.)
SAME = "U8 U16 U32 U64 I8 I16 I32 I64 F16 BF16 F32 F64 OUT IN BOTH".split()
numbers = {}
for enum, constants in enums_of("\n".join(texts.values())).items():
    for constant, value in constants.items() if enum not in ("weft_param_type", "weft_precision") else ():
        numbers.setdefault(constant.rsplit("_", 1)[1], {})[constant] = value
wrong += ["these differ: %s" % numbers[word] for word in SAME if len(set(numbers[word].values())) != 1]

runs = runs_of_algorithms("".join(texts.values()))
today = run_with(texts, "today")
if not today.startswith("exit 0\n"):
    wrong.append(today)
program = open(os.path.join(here, "older.c")).read() + runs
count = 0
for n in texts:
    for s in structs_of(texts[n]):
        if s.name not in program:
            wrong.append("older.c does not use %s" % s.name)
        older = without_last(texts[n], s)
        if older is None:
            continue
        if s.sized and "WEFT_SIZE_UP_TO(%s, " % s.name in texts[n] and \
                "WEFT_SIZE_UP_TO(%s, %s)" % (s.name, s.fields[-1][0]) not in texts[n]:
            wrong.append("the defaults of %s do not end with %s" % (s.name, s.fields[-1][0]))
        said = run_with(dict(texts, **{n: older}), s.name)
        count += 1
        if said != today:
            wrong.append("%s without %s:\n%s\nand with it:\n%s" % (s.name, s.fields[-1][0], said, today))
print("%d structs without their last field" % count)
for w in wrong:
    print(w)
sys.exit(1 if wrong or count < 25 else 0)
