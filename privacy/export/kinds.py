"""The kinds of data in an export. Each is a file `data/<name>.json` with a schema, and a page to read.

`columns` are what the page shows of each record, with the heading of each. Posts have pages of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise

from privacy.export.fields import Field, Schema, structure

Columns = tuple[tuple[str | Promise, str], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    title: Promise | str
    fields: Mapping[str, Field]
    columns: Columns = ()

    @property
    def path(self) -> str:
        return f"data/{self.name}.json"

    @property
    def schema_path(self) -> str:
        return f"data/schemas/{self.name}.schema.json"

    def schema(self) -> Schema:
        """Returns the JSON Schema of the kind's file."""
        properties = {
            name: {**field.schema, "description": field.description}
            for name, field in self.fields.items()
        }
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.name,
            **structure(**{"$schema": {"type": "string"}, "items": {"type": "array"}}),
            "properties": {
                "$schema": {"const": f"schemas/{self.name}.schema.json"},
                "items": {"type": "array", "items": structure(**properties)},
            },
        }
