"""Keeps the calls of a request for people with the right, and adds the drawer to their pages."""

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override

from lens.access import is_developer, is_wanted, may_look
from lens.sight import Sight, keep
from socialsite.clock import utc_now
from socialsite.observing import logs
from socialsite.table import measure
from socialsite.web.preferences import language_for, preferences_of

END = b"</body>"
# Pages for developers are not looked at, nor the page that a browser keeps for bad moments.
OWN = ("/dev/", "/offline")


def look_through_lens(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Stands within compression, and around everything that asks the table. Costs nothing for everyone else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not is_wanted(request) or request.path.startswith(OWN):
            return get_response(request)
        began = time.perf_counter()
        with measure(keep=True) as meter:
            response = get_response(request)
        if not may_look(request):
            return response
        sight = Sight(
            request_id=logs.request_id.get(),
            viewer_id=viewer_of(request),
            method=request.method or "",
            address=request.get_full_path(),
            page=request.resolver_match.view_name if request.resolver_match else "",
            status=response.status_code,
            moment=utc_now(),
            began=began,
            ended=time.perf_counter(),
            made=tuple(meter.calls),
            is_masked=not is_developer(request),
            is_fragment=bool(getattr(request, "htmx", False)),
        )
        if sight.made:
            keep(sight)
        _add_drawer(request, response, sight)
        return response

    return middleware


def viewer_of(request: HttpRequest) -> str:
    """Returns the id of the person who asks, as far as the page knows them."""
    people = getattr(request, "people", None)
    return str(people.known_viewer.user_id) if people is not None else ""


def _add_drawer(request: HttpRequest, response: HttpResponse, sight: Sight) -> None:
    if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
        return
    before, end, after = response.content.rpartition(END)
    if not end:
        return  # a fragment: its request is in the list of the page's lens
    with override(language_for(request, preferences_of(request))):
        drawer = render_to_string("lens/_drawer.html", {"sight": sight})
    response.content = before + drawer.encode() + end + after
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
