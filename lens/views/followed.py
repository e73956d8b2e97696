"""What the worker did with what a request wrote."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from lens.followed.follow import what_followed
from lens.right import must_look
from lens.sight import kept_one
from socialsite.streams.traces import are_kept
from socialsite.table.errors import NotFound

ASKED_AT_MOST = 30  # times, as the worker is behind for longer only if something holds it up


@require_safe
@never_cache
def show_followed(request: SiteRequest, request_id: str) -> HttpResponse:
    """Shows what followed from one of the person's own requests, as far as the worker is.

    htmx gets the fragment alone, which asks again while something is under way. `asked` counts how often it did.
    """
    sight = kept_one(request_id, must_look(request))
    if sight is None:
        raise NotFound("no such request is kept")
    followed = what_followed(sight)
    asked = _number(request.GET.get("asked", ""))
    context = {
        "sight": sight,
        "followed": followed,
        "is_kept": are_kept(),
        "asks_again": are_kept() and not followed.is_finished and asked < ASKED_AT_MOST,
        "asked": asked + 1,
    }
    template = "lens/_followed.html" if request.htmx else "lens/followed.html"
    return render(request, template, context)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
