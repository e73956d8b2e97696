"""The seven access patterns of the published model on live data, step by step."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from lens.browser.examples import DEMO_HANDLE
from lens.browser.looking import browsers_only, note_look
from lens.right import is_developer
from lens.seven import run_seven
from socialsite.table import keys
from socialsite.table.errors import NotFound

LONGEST = 60  # letters of a handle


@require_safe
@never_cache
@browsers_only
def patterns(request: SiteRequest) -> HttpResponse:
    """Runs all seven for the person of `handle`, by default the viewer, or someone of the demo. They look with that
    person's eyes, so staff of a site in production see them for themselves alone."""
    asked = request.GET.get("handle", "").strip().removeprefix("@").lower()[:LONGEST]
    if not is_developer(request):
        asked = request.user.handle
        note_look(request, keys.user(request.user.user_id))
    handle = asked or request.user.handle or DEMO_HANDLE
    try:
        ran, is_unknown = tuple(run_seven(handle)), False
    except NotFound:
        ran, is_unknown = (), bool(asked)
    context = {
        "handle": handle,
        "ran": ran,
        "units": sum(one.units for one in ran),
        "calls": sum(len(one.calls) for one in ran),
        "is_unknown": is_unknown,
        "is_developer": is_developer(request),
    }
    return render(request, "lens/patterns.html", context, status=404 if is_unknown else 200)
