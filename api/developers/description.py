"""The API as OpenAPI 3.1, made from its addresses, views and scopes."""

import inspect
import re
from functools import cache
from typing import Any

from accounts.access.scopes import SCOPES
from api.developers import answers
from api.developers.code import Address, addresses, asked_by
from api.developers.entities import ANYTHING, ENTITIES, FLAG, TEXT, Schema, many, the
from api.entities.instance import VERSION

KINDS: dict[str, Schema] = {"text": TEXT, "flag": FLAG, "list": many(TEXT)}
NUMBERS = ("limit", "duration")
FILE: Schema = {"type": "string", "format": "binary"}
JSON, FORM, FILES = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"


@cache
def description() -> dict[str, Any]:
    """Returns the whole. It is the same for everyone: no call."""
    paths: dict[str, dict[str, Any]] = {}
    for address in addresses():
        for method, view in address.views.items():
            told = _operation(address, method, view)
            paths.setdefault(address.path, {})[method.lower()] = told
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "socialsite",
            "version": VERSION,
            "description": "The client API of Mastodon, as far as this site has it. /developers says how to begin.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": ENTITIES,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "app": {
                    "type": "oauth2",
                    "flows": {
                        "authorizationCode": {
                            "authorizationUrl": "/oauth/authorize",
                            "tokenUrl": "/oauth/token",
                            "scopes": dict.fromkeys(SCOPES, ""),
                        }
                    },
                },
            },
        },
    }


def _operation(address: Address, method: str, view: Any) -> dict[str, Any]:
    key = f"{method} {address.path}"
    scope = answers.SCOPES.get(key) or getattr(view, "scope", "")
    visitors = getattr(view, "visitors", key not in answers.SCOPES)
    sent = asked_by(view) | dict.fromkeys(answers.READ_ELSEWHERE.get(key, ()), "text")
    sent |= dict.fromkeys(answers.FILES.get(key, ()), "file")
    told: dict[str, Any] = {
        "operationId": f"{method.lower()}_{re.sub(r'[^a-z0-9]+', '_', address.path.lower()).strip('_')}",
        "summary": _summary(key, address, view),
        "tags": [_group(address)],
        "parameters": [_part(name, regex) for name, regex in address.parts.items()],
        "responses": {
            "200": _answer("What was asked for.", _answered(key)),
            "default": _answer("What is wrong.", the("Error")),
        },
        "security": [*([{}] if visitors else []), {"token": []}, {"app": [scope] if scope else []}],
    }
    if method in ("GET", "DELETE"):
        told["parameters"] += [_asked(name, kind) for name, kind in sent.items()]
    elif sent:
        told["requestBody"] = {"content": _body(sent)}
    return told


def _body(sent: dict[str, str]) -> dict[str, Any]:
    """Returns the forms in which a body may come. Files come in one alone."""
    known = {name: _kind(name, kind) for name, kind in sent.items() if kind != "file"}
    files = {name: FILE for name, kind in sent.items() if kind == "file"}
    body = {"schema": {"type": "object", "properties": known}}
    with_files = {"schema": {"type": "object", "properties": known | files}}
    return {JSON: body, FORM: body} | ({FILES: with_files} if files else {})


def _answer(words: str, schema: Schema) -> dict[str, Any]:
    return {"description": words, "content": {JSON: {"schema": schema}}}


def _answered(key: str) -> Schema:
    begins = (schema for prefix, schema in answers.BUTTONS.items() if key.startswith(prefix))
    return answers.ANSWERS.get(key) or next(begins, ANYTHING)


def _summary(key: str, address: Address, view: Any) -> str:
    """Returns one sentence: the first one of the view's docstring, else how the address is called."""
    if address.called.startswith("empty_"):
        return ""
    said = inspect.getdoc(view) or ""
    first = re.split(r"(?<=[.:])\s", " ".join(said.split()), maxsplit=1)[0].rstrip(":.")
    named = address.called.replace("_", " ").capitalize()
    return answers.SUMMARIES.get(key) or f"{first or named}."


def _group(address: Address) -> str:
    if address.called.startswith("empty_"):
        return answers.EMPTY
    first = re.sub(r"^/(api/v\d+/)?", "", address.path).split("/", maxsplit=1)[0]
    return answers.GROUPS.get(first, "More")


def _part(name: str, regex: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": f"^{regex}$"}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _asked(name: str, kind: str) -> dict[str, Any]:
    called = f"{name}[]" if kind == "list" else name
    return {"name": called, "in": "query", "schema": _kind(name, kind)}


def _kind(name: str, kind: str) -> Schema:
    schema: Schema = {"type": "integer"} if name in NUMBERS else dict(KINDS[kind])
    words = answers.PARAMETERS.get(name)
    return schema | ({"description": words} if words else {})
