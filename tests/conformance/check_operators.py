#!/usr/bin/env python3
"""check_operators.py --tools FOLDER [--venv FOLDER] [--allow_missing]: the operator table against ONNX's own definitions.

For every operator of ai.onnx of the newest opset that `ge-list ops --json` must show: the version of the form, inputs and
outputs (number, optional or variadic, dtypes, type variables), attributes (kind, default, whether required). And for
every opset a model in which each of its operators stands twice, bare and with all that it may have, must be imported.
What may differ stands in DEVIATIONS with its reason. Ends with "N passed, N failed"; exit code 77 and a line "skipped: "
without the onnx package.
"""
# requirements: CR-1, CR-2
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx_python

# (operator, what differs): reason. A deviation that is not found any more is a failure.
DEVIATIONS = {
    ("Erf", "input 0 (input)"): "opsets 9 to 12 took integers, and import cannot tell dtypes",
    ("Erf", "output 0 (output)"): "opsets 9 to 12 gave integers",
    ("ReduceLogSum", "input 0 (data)"): "opsets before 28 took integers, and import cannot tell dtypes",
    ("ReduceLogSum", "output 0 (reduced)"): "opsets before 28 gave integers",
    ("ReduceLogSumExp", "input 0 (data)"): "opsets before 28 took integers, and import cannot tell dtypes",
    ("ReduceLogSumExp", "output 0 (reduced)"): "opsets before 28 gave integers",
    ("Tile", "opsets"): "opset 1 took one axis and a number",
    ("Erf", "input 0 (input)"): "opset 13 takes floats alone, models of opset 9 may have integers",
    ("Erf", "output 0 (output)"): "opset 13 takes floats alone, models of opset 9 may have integers",
    ("ImageDecoder", "operator"): "reads image files",
    ("Identity", "input 0 (input)"): "sequences and optionals hold newer dtypes too",
    ("Identity", "output 0 (output)"): "sequences and optionals hold newer dtypes too",
    ("ReduceLogSum", "input 0 (data)"): "opset 28 takes floats alone, models of older ones may have integers",
    ("ReduceLogSum", "output 0 (reduced)"): "opset 28 takes floats alone, models of older ones may have integers",
    ("ReduceLogSumExp", "input 0 (data)"): "opset 28 takes floats alone, models of older ones may have integers",
    ("ReduceLogSumExp", "output 0 (reduced)"): "opset 28 takes floats alone, models of older ones may have integers",
    ("Shape", "input 0 (data)"): "a tensor of any dtype has a shape",
    ("Size", "input 0 (data)"): "a tensor of any dtype has a size",
    ("TensorScatter", "input 0 (past_cache)"): "elements of any dtype can be moved",
    ("TensorScatter", "input 1 (update)"): "elements of any dtype can be moved",
    ("TensorScatter", "output 0 (present_cache)"): "elements of any dtype can be moved",
}
# Control flow: import makes captured values inputs, so that the arity is the compiler's own.
CLOSED = ("If", "Loop", "Scan", "SequenceMap")

# Attributes that ONNX calls optional, without which a node of these opsets says nothing, or asks for training.
NEEDED = {("BatchNormalization", "is_test"), ("Dropout", "is_test"), ("LpPool", "kernel_shape"), ("Reshape", "shape"), ("Split", "axis")}

NAMES = {"float": "float32", "double": "float64"}
KINDS = {"INT": "int", "FLOAT": "float", "STRING": "string", "INTS": "ints", "FLOATS": "floats", "STRINGS": "strings", "TENSOR": "tensor",
         "TYPE_PROTO": "string"}  # types are kept as text


def by_kind(types):
    """{kind: dtypes}: {"tensor(float)", "seq(tensor(bool))"} gives {"tensor": {"float32"}, "sequence": {"bool"}}."""
    found = {}
    for text in types:
        for kind, prefix in (("tensor", "tensor("), ("sequence", "seq(tensor("), ("optional", "optional(tensor("), ("optional sequence", "optional(seq(tensor(")):
            if text.startswith(prefix):
                dtype = text[len(prefix):].rstrip(")")
                found.setdefault(kind, set()).add(NAMES.get(dtype, dtype))
    return found


def set_difference(got, expected):
    missing, more = sorted(expected - got), sorted(got - expected)
    return ", ".join(([f"lacks {' '.join(missing)}"] if missing else []) + ([f"has {' '.join(more)} too"] if more else []))


class OperatorCheck:
    """Compares one operator; `found` has (what, text)."""

    def __init__(self, defs, schema, entry):
        self.defs, self.schema, self.entry, self.found = defs, schema, entry, []

    def note(self, what, text):
        self.found.append((what, text))

    def run(self):
        if self.entry is None:
            self.note("operator", "is not in the table")
            return self.found
        if self.entry["version"] != self.schema.since_version:
            self.note("version", f"is the form of opset {self.entry['version']}, the newest is of {self.schema.since_version}")
        if self.schema.name not in CLOSED:
            for side, least, most in (("inputs", self.schema.min_input, self.schema.max_input), ("outputs", self.schema.min_output, self.schema.max_output)):
                self.formals(side, self.entry[side], list(getattr(self.schema, side)), least, most)
            self.type_variables()
        self.attributes()
        return self.found

    def formals(self, side, mine, theirs, least, most):
        my_least = max([i + 1 for i, formal in enumerate(mine) if not formal["optional"]], default=0)
        my_most = None if mine and mine[-1]["variadic"] else len(mine)
        most = None if most > 10_000 else most
        if (my_least, my_most) != (least, most):
            self.note(side, f"takes {my_least} to {my_most or 'any number of'}, expected {least} to {most or 'any number of'}")
        if len(mine) != len(theirs):
            self.note(side, f"has {len(mine)} of them, expected {len(theirs)}: {', '.join(formal.name for formal in theirs)}")
        for i, (formal, theirs_of_it) in enumerate(zip(mine, theirs)):
            where = f"{side[:-1]} {i} ({theirs_of_it.name})"
            option = str(theirs_of_it.option).rsplit(".", 1)[-1]
            if option != ("Variadic" if formal["variadic"] else "Optional" if formal["optional"] else "Single") and \
                    not (option == "Variadic" and formal["variadic"]):
                self.note(where, f"is {option.lower()} in ONNX")
            kinds = by_kind(theirs_of_it.types)
            if text := set_difference(set(formal["kinds"]), set(kinds)):
                self.note(where, f"as for kinds of values, {text}")
            for kind in sorted(set(formal["kinds"]) & set(kinds)):
                if text := set_difference(set(formal["dtypes"]), kinds[kind]):
                    self.note(where, f"as {kind}, {text}")

    def type_variables(self):
        """Inputs of one type variable in ONNX must be of one here, and the other way round."""
        pairs = list(zip(self.entry["inputs"], self.schema.inputs))
        for i, (mine, theirs) in enumerate(pairs):
            if theirs.option == self.defs.OpSchema.FormalParameterOption.Variadic and theirs.is_homogeneous and not mine["type_var"]:
                self.note(f"input {i} ({theirs.name})", f"all of them are of one type ({theirs.type_str})")
            for other, other_theirs in pairs[:i]:
                if mine["kinds"] != other["kinds"]:
                    continue  # a sequence and its element: two variables in ONNX, one dtype here
                tied = theirs.type_str == other_theirs.type_str and "(" not in theirs.type_str
                if bool(mine["type_var"] and mine["type_var"] == other["type_var"]) != tied:
                    self.note(f"input {i} ({theirs.name})", f"{'has' if tied else 'has not'} the type of input '{other_theirs.name}' in ONNX ({theirs.type_str})")

    def attributes(self):
        from onnx import helper
        mine = {attribute["name"]: attribute for attribute in self.entry["attributes"] if not attribute["name"].startswith("_")}
        theirs, graphs = {}, []
        for name, attribute in self.schema.attributes.items():
            kind = str(attribute.type).rsplit(".", 1)[-1]
            if kind == "GRAPH":
                graphs.append(name)
            else:
                theirs[name] = (attribute, kind)
        if sorted(graphs) != sorted(self.entry["subgraphs"]):
            self.note("attributes", f"subgraphs are {self.entry['subgraphs']}, expected {graphs}")
        if text := set_difference(set(mine), set(theirs)):
            self.note("attributes", text)
        for name in sorted(set(mine) & set(theirs)):
            attribute, kind = theirs[name]
            where = f"attribute {name}"
            if mine[name]["kind"] != KINDS.get(kind):
                self.note(where, f"is of kind {mine[name]['kind']}, expected {kind}")
            if mine[name]["required"] != attribute.required:
                self.note(where, f"is {'' if attribute.required else 'not '}required in ONNX")
            default = helper.get_attribute_value(attribute.default_value) if attribute.default_value.name else None
            default = default.decode() if isinstance(default, bytes) else [d.decode() if isinstance(d, bytes) else d for d in default] if isinstance(default, list) else default
            found = mine[name].get("default")
            same = found == default or (isinstance(found, (int, float)) and isinstance(default, (int, float)) and abs(found - default) <= 1e-6 * abs(default))
            if not same:
                self.note(where, f"has the default {found}, expected {default}")


def sample_attribute(op, version, name, attribute):
    """Some value that is allowed, where there is no default."""
    from onnx import helper
    special = {"to": "FLOAT" if version < 6 else 1, "is_test": 1, "p": 2.0 if str(attribute.type).endswith("FLOAT") else 2, "dtype": 1, "then_branch": None}
    if name in special:
        return special[name]
    if attribute.default_value.name:
        return helper.get_attribute_value(attribute.default_value)
    kind = str(attribute.type).rsplit(".", 1)[-1]
    return {"INT": 1, "FLOAT": 1.0, "STRING": "x", "INTS": [1], "FLOATS": [1.0], "STRINGS": ["x"],
            "TENSOR": helper.make_tensor("t", 1, [1], [1.0])}.get(kind)


def nodes_of(schema, version):
    """(bare node, full node) of an operator as it is in an opset; its inputs are values "x", its outputs have its name."""
    from onnx import helper
    for full in (False, True):
        name = f"{schema.name}.{'full' if full else 'bare'}"
        attributes = {key: sample_attribute(schema.name, version, key, value) for key, value in schema.attributes.items()
                      if full or value.required or (schema.name, key) in NEEDED}
        if schema.name == "Constant":
            attributes = {"value": helper.make_tensor("t", 1, [1], [1.0])}
        if schema.name == "Split" and version >= 18:  # one or the other
            attributes.pop("num_outputs", None)
        inputs = ["x"] * (min(schema.max_input, len(schema.inputs)) if full else schema.min_input)
        yield helper.make_node(schema.name, inputs, [f"{name}.{i}" for i in range(max(1, schema.min_output))], name=name,
                               **{key: value for key, value in attributes.items() if value is not None})


def import_opset(ge_atc, opset, schemas, folder):
    """{node: what import finds} for a model of all operators of an opset."""
    from onnx import helper
    nodes = [node for schema in schemas for node in nodes_of(schema, opset)]
    x = helper.make_tensor_value_info("x", 1, ["a", "b", "c", "d"])  # PRelu before opset 7 must know the rank
    graph = helper.make_graph(nodes, f"opset_{opset}", [x], [helper.make_tensor_value_info(nodes[0].output[0], 1, None)])
    path = folder / f"opset_{opset}.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]).SerializeToString())
    done = subprocess.run([ge_atc, f"--model={path}", "--stop_after=import"], capture_output=True, text=True, timeout=120)
    found, text = {}, done.stdout + done.stderr
    for node in nodes:
        lines = [line.strip() for line in text.splitlines() if f"'{node.name}'" in line] if done.returncode != 0 else []
        if lines:
            found[node.name] = lines
    if done.returncode != 0 and not found:
        found["model.bare"] = [text.strip()[-500:]]
    return found, len(nodes)


def check_opsets(defs, table, ge_atc, note):
    """Gives the number of nodes that were imported."""
    imported, refused = 0, {}
    with tempfile.TemporaryDirectory() as work:
        for opset in range(1, defs.onnx_opset_version() + 1):
            present = {}  # name: its form in this opset
            for schema in defs.get_all_schemas_with_history():
                if schema.domain == "" and schema.since_version <= opset and schema.since_version >= present.get(schema.name, schema).since_version:
                    present[schema.name] = schema
            taken = {name: table.get(name, {}).get("opsets", (1, 0)) for name in present}
            schemas = [present[name] for name, (first, last) in sorted(taken.items()) if first <= opset <= last and name not in CLOSED]
            found, count = import_opset(ge_atc, opset, schemas, pathlib.Path(work))
            imported += count - len(found)
            for node, lines in found.items():
                refused.setdefault((node, lines[0]), []).append(opset)
    for (node, line), opsets in refused.items():
        op, how = node.split(".")
        note(op, f"{how}, opset {', '.join(map(str, opsets))}", line)
    return imported


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the folder of ge-list and ge-atc")
    parser.add_argument("--venv", type=pathlib.Path, default=pathlib.Path("build/onnx-python"), help="where a virtual environment may be made")
    parser.add_argument("--allow_missing", action="store_true", help="counts operators that are not in the table, but does not fail for them")
    arguments = parser.parse_args()
    onnx_python.rerun_with_onnx(arguments.venv)
    from onnx import defs

    table = {entry["name"]: entry for entry in json.loads(subprocess.run([arguments.tools / "ge-list", "ops", "--json"], capture_output=True, text=True, check=True).stdout)
             if entry["domain"] == ""}
    differences, seen, missing = [], set(), []

    def note(op, what, text):
        if (op, what) in DEVIATIONS:
            seen.add((op, what))
        elif what == "operator" and arguments.allow_missing:
            missing.append(op)
        else:
            differences.append(f"{op}: {what}: {text}")

    names = sorted({schema.name for schema in defs.get_all_schemas_with_history() if schema.domain == ""})
    for name in names:
        history = [schema for schema in defs.get_all_schemas_with_history() if schema.domain == "" and schema.name == name]
        newest, first = max(history, key=lambda s: s.since_version), min(s.since_version for s in history)
        entry = table.get(name)
        last = newest.since_version - 1 if newest.deprecated else defs.onnx_opset_version()
        if entry and entry.get("opsets") != [first, last]:
            note(name, "opsets", f"takes {entry.get('opsets')}, ONNX has it in {[first, last]}")
        if not newest.deprecated and not (entry and "becomes" in entry):
            for what, text in OperatorCheck(defs, newest, entry).run():
                note(name, what, text)
    imported = check_opsets(defs, table, arguments.tools / "ge-atc", note)
    for op, what in sorted(key for key in set(DEVIATIONS) - seen if key[0] in table):
        differences.append(f"{op}: {what}: stands in DEVIATIONS but does not differ")
    for difference in sorted(differences):
        print(difference)
    wrong = {difference.split(":")[0] for difference in differences}
    print(f"{len(names)} operators of opset {defs.onnx_opset_version()}, {imported} nodes of opsets 1 to {defs.onnx_opset_version()} imported, {len(differences)} differences")
    if missing:
        print(f"skipped: {len(missing)} operators are not there yet: {' '.join(missing)}")
    for (op, what), reason in sorted(DEVIATIONS.items()):
        if (op, what) in seen:
            print(f"{op}: {what}: differs on purpose: {reason}")
    print(f"{len(names) - len(wrong) - len(missing)} passed, {len(wrong)} failed, {len(missing)} skipped")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
