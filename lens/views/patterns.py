"""The seven access patterns of the published model on live data, step by step."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from lens.right import is_developer
from lens.seven import Ran, run_seven
from socialsite.table.errors import NotFound


@require_safe
@never_cache
def patterns(request: HttpRequest) -> HttpResponse:
    """Runs all seven for the person of `handle`. Developers alone: it looks with that person's eyes."""
    if not is_developer(request):
        raise NotFound("the patterns are shown to developers alone")
    handle = request.GET.get("handle", "").strip().removeprefix("@").lower()[:60]
    ran: tuple[Ran, ...] = ()
    is_unknown = False
    if handle:
        try:
            ran = tuple(run_seven(handle))
        except NotFound:
            is_unknown = True
    context = {"handle": handle, "ran": ran, "is_unknown": is_unknown}
    return render(request, "lens/patterns.html", context, status=404 if is_unknown else 200)
