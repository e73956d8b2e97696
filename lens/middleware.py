"""Keeps the calls of a request for people with the right, and adds the drawer to their pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from lens.right import is_wanted, may_look
from lens.sight import Sight, keep
from socialsite.clock import utc_now
from socialsite.table.meter import measure
from socialsite.web.observing import logs

END = b"</body>"
OWN = "/dev/lens"  # its pages are not looked at


def look_through_lens(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Stands within compression, and around everything that asks the table. Costs nothing for everyone else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(OWN) or not is_wanted(request):
            return get_response(request)
        with measure(keep=True) as meter:
            response = get_response(request)
        if meter.calls and may_look(request):
            sight = Sight(
                request_id=logs.request_id.get(),
                viewer_id=viewer_of(request),
                method=request.method or "",
                address=request.get_full_path(),
                status=response.status_code,
                moment=utc_now(),
                made=tuple(meter.calls),
            )
            keep(sight)
            _add_drawer(request, response, sight)
        return response

    return middleware


def viewer_of(request: HttpRequest) -> str:
    """Returns who asks, as far as the page knows."""
    people = getattr(request, "people", None)
    return str(people.known_viewer.user_id) if people is not None else ""


def _add_drawer(request: HttpRequest, response: HttpResponse, sight: Sight) -> None:
    if response.streaming or not response.get("Content-Type", "").startswith("text/html"):
        return
    before, end, after = response.content.rpartition(END)
    if not end:
        return  # a fragment: its request is in the list of the page's lens
    drawer = render_to_string("lens/_drawer.html", {"sight": sight}, request=request)
    response.content = before + drawer.encode() + end + after
    if response.has_header("Content-Length"):
        response["Content-Length"] = str(len(response.content))
