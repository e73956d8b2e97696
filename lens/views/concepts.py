"""The building blocks of the table, one page each, with an example of this table and what reading it costs now."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from lens.concepts.blocks import CONCEPTS
from lens.concepts.drawing import draw
from lens.concepts.example import find_example
from lens.concepts.measured import measured
from lens.right import is_developer
from socialsite.table.errors import NotFound


@require_safe
@never_cache
def concepts(request: SiteRequest) -> HttpResponse:
    """Lists the building blocks."""
    _must_be_developer(request)
    return render(request, "lens/concepts.html", {"concepts": CONCEPTS.values()})


@require_safe
@never_cache
def concept(request: SiteRequest, name: str) -> HttpResponse:
    """Shows a building block. Developers alone: it shows what people have in this table, and runs their reads."""
    _must_be_developer(request)
    if name not in CONCEPTS:
        raise NotFound("no such building block")
    one = CONCEPTS[name]
    context = {
        "concept": one,
        "drawing": draw(one),
        "measured": measured(name),
        "live": find_example(one, viewer=request.user),
    }
    return render(request, "lens/concept.html", context)


def _must_be_developer(request: SiteRequest) -> None:
    if not is_developer(request):
        raise NotFound("the building blocks are shown to developers alone")
