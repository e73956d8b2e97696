"""A model of NoSQL Workbench of any version, opened to be looked at: its tables, facets, indexes and sample data.

Nothing is written. Reading is as tolerant as the published models need: versions 1.0, 2.0 and 3.0 differ in what they
leave out, and keep sample data in the table or in its facets. Few of them become a site here, and `Model.verdict` says
in one sentence whether and why.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from lens.chart import shapes
from operations.workbench.published import is_published_key

SHOWN = 30  # items of a table or facet that a page shows
KEYS = ("PK", "SK")  # of this site's table


class NotOpened(Exception):
    """The file is no model of NoSQL Workbench. The sentence says why."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A name with its type. `type` is empty where the file does not say it."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute of an item, with its value as text: sets, lists and maps are JSON."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """An item of the sample data: its keys, and the rest of it."""

    keys: tuple[Value, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """A view of a table: the items of one kind, with what its keys are called."""

    name: str
    aliases: tuple[str, ...]
    attributes: tuple[str, ...]
    items: tuple[Sample, ...]

    @property
    def shown(self) -> tuple[Sample, ...]:
        return self.items[:SHOWN]


@dataclass(frozen=True, slots=True)
class Index:
    name: str
    keys: tuple[Attribute, ...]
    projection: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the model. `items` are those that stand in no facet."""

    name: str
    keys: tuple[Attribute, ...]
    attributes: tuple[Attribute, ...]
    indexes: tuple[Index, ...]
    facets: tuple[Facet, ...]
    items: tuple[Sample, ...]

    @property
    def shown(self) -> tuple[Sample, ...]:
        return self.items[:SHOWN]

    @property
    def all_items(self) -> tuple[Sample, ...]:
        return (*self.items, *(item for facet in self.facets for item in facet.items))


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    version: str
    author: str
    description: str
    tables: tuple[Table, ...]

    @property
    def items(self) -> tuple[Sample, ...]:
        return tuple(item for table in self.tables for item in table.all_items)

    @property
    def is_ours(self) -> bool:
        """Whether any item is of a type of this site."""
        known = shapes()
        return any(
            value.name == "type" and value.text in known
            for item in self.items
            for value in item.values
        )

    @property
    def is_published(self) -> bool:
        """Whether any item has a key of the social network that AWS publishes."""
        return self._has_our_keys and any(
            is_published_key(*(value.text for value in item.keys)) for item in self.items
        )

    @property
    def becomes_a_site(self) -> bool:
        return self.is_ours or self.is_published

    @property
    def _has_our_keys(self) -> bool:
        return len(self.tables) == 1 and tuple(key.name for key in self.tables[0].keys) == KEYS

    @property
    def verdict(self) -> str:
        """Returns in one sentence whether the model becomes a site, or why it does not."""
        if self.is_ours:
            return _(
                "It is this site’s own model, and `manage.py workbench import` makes a site of it."
            )
        if self.is_published:
            return _(
                "It is the social network from which this site grew, and `manage.py workbench import` makes a site of "
                "it."
            )
        if not self.items:
            return _("It does not become a site, because it has no sample data.")
        if len(self.tables) > 1:
            return _(
                "It does not become a site, because its data are in %(number)s tables, and everything here is in one."
            ) % {"number": len(self.tables)}
        if not self._has_our_keys:
            return _(
                "It does not become a site, because its keys are %(keys)s, and those of this site are PK and SK."
            ) % {"keys": ", ".join(key.name for key in self.tables[0].keys)}
        return _(
            "It does not become a site, because it is about something else: this site has no item with a key such as "
            "%(key)s."
        ) % {"key": " / ".join(value.text for value in self.items[0].keys)}


def open_model(text: str) -> Model:
    """Returns the model. Raises `NotOpened`."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotOpened(_("The file is not JSON.")) from error
    return model_of(raw)


def model_of(raw: Any) -> Model:
    """Returns the model that a JSON file holds. Raises `NotOpened`."""
    if not isinstance(raw, dict) or not isinstance(raw.get("DataModel"), list):
        raise NotOpened(_("The file is no model of NoSQL Workbench: it has no DataModel."))
    about = raw.get("ModelMetadata") or {}
    try:
        return Model(
            str(raw.get("ModelName", "")),
            str(about.get("Version", "")),
            str(about.get("Author", "")),
            str(about.get("Description", "")),
            tuple(map(_table, raw["DataModel"])),
        )
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise NotOpened(
            _(
                "The file is no model of NoSQL Workbench: a part of it is not where Workbench has it."
            )
        ) from error


def _table(raw: dict[str, Any]) -> Table:
    keys = _keys(raw["KeyAttributes"])
    return Table(
        str(raw["TableName"]),
        keys,
        tuple(map(_attribute, raw.get("NonKeyAttributes") or ())),
        tuple(map(_index, raw.get("GlobalSecondaryIndexes") or ())),
        tuple(_facet(one, keys) for one in raw.get("TableFacets") or ()),
        _samples(raw, keys),
    )


def _keys(raw: dict[str, Any]) -> tuple[Attribute, ...]:
    return tuple(_attribute(raw[one]) for one in ("PartitionKey", "SortKey") if raw.get(one))


def _attribute(raw: dict[str, Any]) -> Attribute:
    return Attribute(str(raw["AttributeName"]), str(raw.get("AttributeType", "")))


def _index(raw: dict[str, Any]) -> Index:
    projection = raw.get("Projection") or {}
    kept = ", ".join(map(str, projection.get("NonKeyAttributes") or ()))
    kind = str(projection.get("ProjectionType", ""))
    return Index(
        str(raw["IndexName"]), _keys(raw["KeyAttributes"]), f"{kind}: {kept}" if kept else kind
    )


def _facet(raw: dict[str, Any], keys: tuple[Attribute, ...]) -> Facet:
    alias = raw.get("KeyAttributeAlias") or {}
    return Facet(
        str(raw["FacetName"]),
        tuple(str(alias[one]) for one in ("PartitionKeyAlias", "SortKeyAlias") if alias.get(one)),
        tuple(map(str, raw.get("NonKeyAttributes") or ())),
        _samples(raw, keys),
    )


def _samples(raw: dict[str, Any], keys: tuple[Attribute, ...]) -> tuple[Sample, ...]:
    names = [key.name for key in keys]
    return tuple(
        Sample(
            tuple(_value(name, item.get(name)) for name in names),
            tuple(_value(name, item[name]) for name in item if name not in names),
        )
        for item in raw.get("TableData") or ()
    )


def _value(name: str, raw: Any) -> Value:
    """Returns a value of DynamoDB JSON, or plain JSON as some files have it."""
    if isinstance(raw, dict) and len(raw) == 1:
        ((kind, content),) = raw.items()
        if kind in ("S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"):
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            return Value(name, kind, text)
    return Value(name, "", "" if raw is None else json.dumps(raw, ensure_ascii=False))


def faults_of_import(model: Model) -> Iterator[str]:
    """Yields what stands in the way of opening the model in NoSQL Workbench itself, as far as its rules are known: it
    refuses other versions ("Invalid version"), and names that DynamoDB would refuse."""
    if model.version not in ("1.0", "2.0", "3.0"):
        yield f"The version is {model.version!r}. Workbench takes 1.0, 2.0 and 3.0."
    for table in model.tables:
        for name in (table.name, *(index.name for index in table.indexes)):
            if not re.fullmatch(r"[a-zA-Z0-9_.-]{3,255}", name):
                yield f"{name!r} is no name that DynamoDB takes."
        for key in (*table.keys, *(key for index in table.indexes for key in index.keys)):
            if key.type not in ("S", "N", "B"):
                yield f"The key {key.name} of {table.name} is of the type {key.type!r}."
        declared = {one.name for one in (*table.keys, *table.attributes)}
        for index in table.indexes:
            for key in index.keys:
                if key.name not in declared:
                    yield f"{index.name} of {table.name} has the key {key.name}, which the table does not declare."
        for item in table.all_items:
            for value in (*item.keys, *item.values):
                if value.name not in declared:
                    yield f"An item of {table.name} has {value.name}, which the table does not declare."
                if value in item.keys and not value.text:
                    yield f"An item of {table.name} has no {value.name}."
