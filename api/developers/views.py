"""The description, and the page that people read who write programs."""

from itertools import groupby
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from api.access import MOST_CALLS, SECONDS, ApiRequest, endpoint, here
from api.developers.answers import EMPTY, GROUPS
from api.developers.description import description

SHOWN = list(dict.fromkeys([*GROUPS.values(), "More", EMPTY]))


@endpoint(visitors=True)
def openapi(request: ApiRequest) -> Any:
    """This description, as OpenAPI 3.1."""
    return description() | {"servers": [{"url": here(request)}]}


@require_safe
def developers(request: SiteRequest) -> HttpResponse:
    """Says what the API is, how a first call is made, and which addresses there are: those of the description. No call
    but that of every page."""
    context = {
        "here": here(request),
        "groups": _groups(),
        "calls": MOST_CALLS,
        "minutes": SECONDS // 60,
    }
    return render(request, "api/developers.html", context)


def _groups() -> list[tuple[str, list[dict[str, Any]]]]:
    """Returns the addresses by what they are about, each once with what may be done there in the same words."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for path, methods in description()["paths"].items():
        for method, told in methods.items():
            row = {
                "methods": [],
                "path": path,
                "summary": told["summary"],
                "group": told["tags"][0],
                "scope": next(iter(told["security"][-1]["app"]), ""),
            }
            rows.setdefault((path, told["summary"]), row)["methods"].append(method.upper())
    ordered = sorted(rows.values(), key=lambda row: SHOWN.index(row["group"]))
    return [(name, list(some)) for name, some in groupby(ordered, key=lambda row: row["group"])]
