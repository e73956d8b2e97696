"""The fields of exported data: what each holds, in words and as JSON Schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]
Record = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}
MOMENT: Schema = {"anyOf": [{"type": "string", "format": "date-time"}, {"const": ""}]}
DAY: Schema = {"anyOf": [{"type": "string", "format": "date"}, {"const": ""}]}
FILE: Schema = {"type": "string", "format": "uri-reference"}
TEXTS: Schema = {"type": "array", "items": TEXT}
TEXT_BY_KEY: Schema = {"type": "object", "additionalProperties": TEXT}


def one_of(*words: str) -> Schema:
    return {"enum": list(words)}


def structure(**properties: Schema) -> Schema:
    """Returns the schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def many(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


PERSON = structure(id=TEXT, handle=TEXT, url=TEXT)
POST = structure(id=TEXT, author=TEXT, url=TEXT)
POST_OR_NONE: Schema = {"anyOf": [POST, {"type": "null"}]}
PERSON_OR_NONE: Schema = {"anyOf": [PERSON, {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Field:
    """What a property holds. The description is for those who write programs, and so English."""

    schema: Schema
    description: str
