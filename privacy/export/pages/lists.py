"""The pages of all kinds but posts: a table of what is in the JSON file, or a list of what is there once."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.cards import moment_text
from moderation.cases.pages.notices import done_text
from privacy.export.fields import FILE, MOMENT, PERSON, POST, POST_OR_NONE, Schema
from privacy.export.kinds import Kind
from privacy.export.pages.words import word_of
from privacy.export.records.decisions import STRIKES
from privacy.export.records.posts import moment_of
from privacy.export.spools import Spool


def list_page(kind: Kind, spool: Spool) -> str:
    """Returns the page of a kind, with a row for each record."""
    context = {
        "kind": kind,
        "count": spool.count,
        "headings": [heading for heading, _ in kind.columns],
        "rows": (
            [_cell(kind, name, record) for _, name in kind.columns] for record in spool.records()
        ),
    }
    return render_to_string("privacy/export/list.html", context)


def _cell(kind: Kind, name: str, record: Mapping[str, Any]) -> str | SafeString:
    value, schema = record[name], kind.fields[name].schema
    if kind is STRIKES and name == "action":
        return done_text(value, len(record["posts"]))
    return _text_of(value, schema)


def _text_of(value: Any, schema: Schema) -> str | SafeString:
    if schema is PERSON:
        return _person(value)
    if schema in (POST, POST_OR_NONE):
        return _post(value) if value else ""
    if schema is FILE:
        return format_html('<a href="../{}">{}</a>', value, value)
    if schema is MOMENT:
        return moment_text(value)
    if isinstance(value, Mapping):
        return ", ".join(value.values())
    if isinstance(value, list):
        parts = [(_text_of(one, schema["items"]),) for one in value]
        return format_html_join(", ", "{}", parts)
    return word_of(value) if "enum" in schema else str(value)


def _person(person: Mapping[str, str]) -> str | SafeString:
    if not person["handle"]:
        return gettext("Someone who is no longer here")
    return format_html('<a href="{}">@{}</a>', person["url"], person["handle"])


def _post(post: Mapping[str, str]) -> str | SafeString:
    """Names a post by author and time, and links it. Other people's texts are theirs, and not in the export."""
    when = moment_text(moment_of(post["id"]))
    if not post["author"]:
        return f"{gettext('Someone who is no longer here')}, {when}"
    return format_html('<a href="{}">@{}, {}</a>', post["url"], post["author"], when)
