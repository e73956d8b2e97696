"""The kinds of data in an export, and their fields: what each holds, in words and as JSON Schema. Each kind is a file
`data/<name>.json` with a schema, and a page to read. `columns` are what the page shows of each record, with the heading
of each. Posts have pages of their own. And the person whose data they are, as the steps need to know them, with how
people and posts are named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.utils.functional import Promise

from accounts.models import UserInfo, UserSettings
from accounts.people.cards import profile_url
from accounts.people.viewer import Viewer, circles_of
from feed.cards.post_card import post_url
from privacy.models import Export
from socialsite.table import NotFound, RawItem, access_pattern, as_person, fetch, keys, row

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


@dataclass(frozen=True, slots=True)
class Field:
    """What a property holds. The description is for those who write programs, and so English."""

    schema: Schema
    description: str


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


Handles = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Owner:
    """A person with an export that is being made."""

    user_id: str
    export: Export
    info: RawItem
    settings: RawItem
    count: RawItem
    bell: RawItem

    @property
    def handle(self) -> str:
        return row(UserInfo, self.info).handle

    @property
    def site(self) -> str:
        """The address of the site, without a slash at its end."""
        return self.export.site

    @property
    def host(self) -> str:
        return urlsplit(self.site).netloc

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.user_id, circles=circles_of(self.settings))

    @property
    def circles(self) -> dict[str, str]:
        return dict(row(UserSettings, self.settings).circles or {})

    @property
    def folders(self) -> dict[str, str]:
        return dict(row(UserSettings, self.settings).folders or {})

    def person(self, user_id: str, handles: Handles) -> Record:
        """Names a person. People who are gone have neither handle nor address."""
        handle = handles.get(user_id, "")
        url = f"{self.site}{profile_url(handle)}" if handle else ""
        return {"id": user_id, "handle": handle, "url": url}

    def post(self, post_id: str, author_id: str, handles: Handles) -> Record:
        """Names a post, which may be gone."""
        handle = handles.get(author_id, "")
        url = f"{self.site}{post_url(handle, post_id)}" if handle else ""
        return {"id": post_id, "author": handle, "url": url}

    def post_or_none(self, post_id: str, author_id: str, handles: Handles) -> Record | None:
        return self.post(post_id, author_id, handles) if post_id else None


@access_pattern
def find_owner(user_id: str, export_id: str) -> Owner | None:
    """Returns the person with their export. None if the export is no longer wanted: it or the person is gone, or
    another one was asked for since. One consistent BatchGetItem of five keys, 5 read units."""
    export, info = keys.export(user_id), keys.user_info(user_id)
    settings, count = keys.user_settings(user_id), keys.user_count(user_id)
    bell = keys.bell(user_id)
    with as_person(user_id):
        found = fetch([export, info, settings, count, bell], consistent=True)
    if export not in found or info not in found:
        return None
    wanted = row(Export, found[export])
    if wanted.export_id != export_id:
        return None
    own = (found.get(key, {}) for key in (settings, count, bell))
    return Owner(user_id, wanted, found[info], *own)


@access_pattern
def name_people(user_ids: Iterable[str]) -> dict[str, str]:
    """Returns the handle of each person, without those who are gone. One BatchGetItem per 100 people, 0.5 read units
    each."""
    found = fetch(keys.user_info(user_id) for user_id in user_ids if user_id)
    infos = (row(UserInfo, raw) for raw in found.values())
    return {info.user_id: info.handle for info in infos}


@access_pattern
def owner_of(user_id: str, export: Export) -> Owner:
    """Returns a person with an export that nobody asked for on the site. Raises `NotFound` once they are erased. One
    consistent BatchGetItem of four keys, 4 read units."""
    info, settings = keys.user_info(user_id), keys.user_settings(user_id)
    count, bell = keys.user_count(user_id), keys.bell(user_id)
    with as_person(user_id):
        found = fetch([info, settings, count, bell], consistent=True)
    if info not in found:
        raise NotFound("erased")
    own = (found.get(key, {}) for key in (settings, count, bell))
    return Owner(user_id, export, found[info], *own)
