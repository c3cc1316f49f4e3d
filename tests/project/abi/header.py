"""The public headers as data: structs with their fields, the ..._DEFAULTS of each, enums, and functions."""
import os
import re


def texts_of(folder):
    """{path below the folder: text} of the public headers, those that others need first."""
    names = sorted(os.listdir(os.path.join(folder, "weft")), key=lambda name: (name != "base.h", name))
    names = ["weft/" + name for name in names] + sorted(n for n in os.listdir(folder) if n.endswith(".h"))
    return {n: open(os.path.join(folder, n)).read() for n in names}


class Struct:
    def __init__(self, name, body, start, end):
        self.name, self.body, self.start, self.end = name, body, start, end
        self.fields = fields_of(body)
        self.sized = self.fields[0][0] == "size" and self.fields[0][1] == "size_t"


def blank_comments(text):
    """Comments become blanks, so that places stay as they are."""
    return re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def declarations(body):
    """(start, end) of each declaration, its semicolon included; a union is one."""
    depth, begin, found = 0, 0, []
    for i, c in enumerate(body):
        depth += (c == "{") - (c == "}")
        if c == ";" and depth == 0:
            found.append((begin, i + 1))
            begin = i + 1
    return found


def fields_of(body):
    """(name, type, declaration's place, number of names in it) in order."""
    fields = []
    for begin, end in declarations(body):
        text = body[begin:end - 1].strip()
        if "{" in text:
            fields.append((text[text.rindex("}") + 1:].strip(), "union", (begin, end), 1))
            continue
        names = text.split(",")
        kind = re.match(r"(.*?)[\s*]*(\w+)(\[\w+\])?$", names[0].strip(), re.S).group(1).strip()
        for name in names:
            fields.append((re.search(r"(\w+)(\[\w+\])?$", name.strip()).group(1), kind, (begin, end), len(names)))
    return fields


def structs_of(text):
    plain = blank_comments(text)
    found = []
    for m in re.finditer(r"typedef struct (\w+) \{(.*?)\n\} \1;", plain, re.S):
        found.append(Struct(m.group(1), m.group(2), m.start(2), m.end(2)))
    return found


def enums_of(text):
    """{enum: {constant: value}}."""
    found, known = {}, {}
    for m in re.finditer(r"typedef enum (\w+) \{(.*?)\} \1;", blank_comments(text), re.S):
        value, found[m.group(1)] = -1, {}
        for constant in filter(None, (c.strip() for c in m.group(2).split(","))):
            name, _, given = (part.strip() for part in constant.partition("="))
            value = known.get(given, given) if given else value + 1
            value = known[name] = found[m.group(1)][name] = int(value)
    return found


def functions_of(text):
    """(result, name, [parameter, ...]) of each declared function."""
    plain = blank_comments(text).replace("WEFT_API ", "").replace("WEFT_EXPERIMENTAL ", "")
    plain = re.sub(r"#.*?[^\\]\n", "\n", plain)
    found = []
    for m in re.finditer(r"^(\w[\w ]*?[\s*]+)(weft_\w+)\(([^;{}]*?)\);", plain, re.M | re.S):
        if m.group(1).startswith("typedef"):
            continue
        params = [re.sub(r"\s+", " ", p.strip()) for p in m.group(3).split(",")]
        found.append((m.group(1).strip(), m.group(2), [] if params == ["void"] else params))
    return found


def faults_of(text):
    """What keeps a struct from growing: by value, inside another one, walked by its stride, or allocated by a caller
    without saying how large it is."""
    structs, faults = {s.name: s for s in structs_of(text)}, []
    for s in structs.values():
        for name, kind, _, _ in s.fields:
            if kind.replace("const ", "") in structs and not re.search(
                    r"\b%s\s*\*[^;]*\b%s\b" % (kind.replace("const ", ""), name), s.body):
                faults.append("%s.%s holds a struct by value" % (s.name, name))
            elif kind.replace("const ", "") in structs and not structs[kind.replace("const ", "")].sized:
                faults.append("%s.%s leads to structs of which the caller knows the stride" % (s.name, name))
    for result, name, params in functions_of(text):
        if result in structs:
            faults.append("%s returns a struct by value" % name)
        for p in params:
            m = re.match(r"(const )?(\w+) (\**)\w+$", p)
            if not m or m.group(2) not in structs or structs[m.group(2)].sized:
                continue
            if not m.group(3):
                faults.append("%s takes a struct by value" % name)
            elif not (m.group(1) and m.group(2).endswith("_info")):
                faults.append("%s takes a %s, which has no size" % (name, m.group(2)))
    return faults


def without_last(text, struct):
    """The header as it was before the last field of the struct; None if the size is all there is."""
    name, _, (begin, end), names = struct.fields[-1]
    if len(struct.fields) == 1:
        return None
    plain_body = struct.body
    if names > 1:
        cut = plain_body.rindex(",", begin, end)
        body = text[struct.start:struct.start + cut] + ";" + text[struct.start + end:struct.end]
    else:
        body = text[struct.start:struct.start + begin] + text[struct.start + end:struct.end]
    text = text[:struct.start] + body + text[struct.end:]
    before = struct.fields[-2][0]
    mark = "WEFT_SIZE_UP_TO(%s, %s)" % (struct.name, name)
    at = text.find(mark)
    if at < 0:
        return text
    depth, comma, i = 1, at + len(mark), at + len(mark)
    while depth:
        depth += (text[i] in "{(") - (text[i] in "})")
        if text[i] == "," and depth == 1:
            comma = i
        i += 1
    return text[:at] + mark.replace(name + ")", before + ")") + text[at + len(mark):comma] + " " + text[i - 1:]
