/**
 * Source of the program that runs one function of a Python module, for `python3 -c`. Input and output are those of the
 * runner for JavaScript. Modules that were written for MassGen may import its result types; where they are not
 * installed, plain ones stand in for them.
 */
export const pythonRunner = String.raw`
import asyncio, importlib.abc, importlib.machinery, importlib.util, inspect, json, os, re, sys, typing, types, traceback

data = json.loads(sys.stdin.buffer.read().decode("utf-8"))
out = sys.stdout.buffer
sys.stdout = sys.stderr


class Plain:
    def __init__(self, *values, **named):
        for name, value in zip(("output_blocks",) if type(self).__name__ == "ExecutionResult" else ("data",), values):
            setattr(self, name, value)
        for name, value in named.items():
            setattr(self, name, value)


class Standins(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    names = ("massgen", "massgen.tool", "massgen.tool._result")

    def find_spec(self, name, path, target=None):
        if name in self.names:
            return importlib.machinery.ModuleSpec(name, self, is_package=name != self.names[2])

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        for name in ("ExecutionResult", "TextContent", "ImageContent", "AudioContent"):
            setattr(module, name, type(name, (Plain,), {}))


sys.meta_path.append(Standins())


def schema_of(hint):
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", dict: "object", list: "array"}
    if hint in plain:
        return {"type": plain[hint]}
    if origin in (list, set, tuple, frozenset) or str(origin).startswith("<class 'collections.abc."):
        return {"type": "array", "items": schema_of(args[0]) if args and args[0] is not Ellipsis else {}}
    if origin is dict:
        return {"type": "object"}
    if origin is typing.Literal:
        kind = {"type": "string"} if all(isinstance(value, str) for value in args) else {}
        return {**kind, "enum": list(args)}
    if origin is typing.Union or isinstance(hint, getattr(types, "UnionType", ())):
        kinds = [schema_of(one) for one in args if one is not type(None)]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is getattr(typing, "Annotated", object()):
        return schema_of(args[0])
    return {}


sections = r"(?mi)^[ \t]*(args|arguments|parameters|returns?|raises|yields|examples?|notes?)[ \t]*:?[ \t]*$|^[ \t]*:(param|return|rtype|type)\b"


def documented(doc):
    found = {}
    for name, text in re.findall(r"(?m):param\s+(?:[\w\[\], ]+\s)?(\w+):\s*(.*)$", doc):
        found[name] = text.strip()
    block = re.search(r"(?mi)^[ \t]*(?:args|arguments|parameters)[ \t]*:[ \t]*$", doc)
    name = None
    for line in doc[block.end():].splitlines() if block else []:
        if re.match(sections, line) or (line.strip() and not line[0].isspace()):
            break
        entry = re.match(r"^[ \t]+\*{0,2}(\w+)[ \t]*(?:\([^)]*\))?[ \t]*:[ \t]*(.*)$", line)
        if entry:
            name = entry.group(1)
            found[name] = entry.group(2).strip()
        elif name and line.strip():
            found[name] += " " + line.strip()
    return found


def describe(fn):
    doc = inspect.getdoc(fn) or ""
    try:
        hints = typing.get_type_hints(fn)
    except Exception:
        hints = {}
    words = documented(doc)
    properties, required, is_open = {}, [], False
    for name, parameter in inspect.signature(fn).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            is_open = True
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            about = {"description": words[name]} if words.get(name) else {}
            properties[name] = {**schema_of(hints.get(name)), **about}
            if parameter.default is parameter.empty:
                required.append(name)
    head = re.split(sections, doc, maxsplit=1)[0]
    return {
        "description": " ".join(head.split()),
        "inputSchema": {"type": "object", "properties": properties, "required": required, "additionalProperties": is_open},
    }


def text_of(value):
    blocks = getattr(value, "output_blocks", None)
    if blocks is not None:
        return "\n".join(str(getattr(block, "data", block)) for block in blocks)
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


async def settled(value):
    if inspect.isawaitable(value):
        value = await value
    if inspect.isasyncgen(value):
        return "\n".join([text_of(part) async for part in value])
    if inspect.isgenerator(value):
        return "\n".join(text_of(part) for part in value)
    return text_of(value)


def answer():
    file = data["file"]
    sys.path.insert(0, os.path.dirname(file))
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("custom_tool_module", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    fn = getattr(module, data["function"], None)
    if not callable(fn):
        names = [name for name, value in vars(module).items() if inspect.isfunction(value) and value.__module__ == spec.name]
        raise LookupError("There is no function %s in it; it has: %s." % (data["function"], ", ".join(names) or "none"))
    if "arguments" not in data:
        return describe(fn)
    given = data["arguments"]
    positional = [
        given.pop(name)
        for name, parameter in inspect.signature(fn).parameters.items()
        if parameter.kind is parameter.POSITIONAL_ONLY and name in given
    ]
    return {"text": asyncio.run(settled(fn(*positional, **given)))}


try:
    result = answer()
except BaseException as error:
    traceback.print_exc()
    result = {"error": "%s: %s" % (type(error).__name__, error)}
out.write(("\n" + data["mark"] + json.dumps(result, ensure_ascii=False) + "\n").encode("utf-8"))
out.flush()
os._exit(0)
`;
