"""Validates YAML files against a JSON Schema as editors with yaml-language-server do.

Usage: check_schema.py SCHEMA FILE...    prints "FILE: valid", or "FILE: PLACE: why not", one line each.

Scalars mean what YAML 1.2 says (core schema), which PyYAML reads as 1.1: there, 1e9 and 0o17 are texts and yes is true.
"""

import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    yaml_implicit_resolvers = {}


def resolve(tag, pattern, first):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), first)


resolve("null", r"^(?:null|Null|NULL|~|)$", ["n", "N", "~", ""])
resolve("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF"))
resolve("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789"))
resolve("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789"))
resolve("merge", r"^<<$", ["<"])


def integer(_, node):
    text = node.value
    if text[:2] in ("0o", "0x"):
        return int(text, 0)
    return int(text)


Loader.add_constructor("tag:yaml.org,2002:int", integer)
Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))


def with_text_keys(value):
    """JSON has no other keys."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_text_keys(item) for item in value]
    return value


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as file:
            document = with_text_keys(yaml.load(file, Loader))
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        if error is None:
            print(f"{name}: valid")
        else:
            place = "/".join(str(step) for step in error.absolute_path)
            print(f"{name}: {place}: {error.message.splitlines()[0]}")


main()
