"""The pages of refusals and faults, each with its status."""

import errno
import json
import logging
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from socialsite.engine.program import EngineError
from socialsite.engine.running import is_full
from socialsite.observing.logs import Event, note_event, route_of
from socialsite.site_settings.read_only import ReadOnlyNow, Why, read_only_now
from socialsite.table import BadCursor, Conflict, Refused, TableError, Unavailable
from socialsite.table.errors import ReadOnly
from socialsite.web import observation, preferences, read_only
from socialsite.web.limits import LimitReached

FAULTS = {
    "full": _("The disk of this site is full, so nothing can be saved until someone makes room."),
    "away": _("We can’t reach our database. It may be restarting."),
    "unanswered": _("We got no good answer from our database. It may be busy."),
    "busy": _("We’re very busy right now."),
}
MAY_BE_SAVED = _("What you sent may have been saved. Look before you send it again.")
NOT_SAVED = _("What you sent was not saved.")

log = logging.getLogger(__name__)


def page_of_error(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """Returns the page for an error of the data layer or a full disk, None for any other error."""
    match error:
        case LimitReached():
            note_event(Event.LIMIT_REACHED, account=_account(request), limit=error.kind)
            return too_many_requests(request, error.retry_after)
        case Unavailable() | Refused() | Conflict() | EngineError():
            return _note_fault(request, error)
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):  # of a file, such as a photo
            return _note_fault(request, error)
        case TableError() if error.template:
            _note_attempt(request, error)
            return _explain(request, error)
        case _:
            return None


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "400.html", 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "403.html", 403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    note_event(Event.FORM_REFUSED, reason=reason.partition(" - ")[0])  # the rest quotes what came
    return _page(request, "403_csrf.html", 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, "404.html", 404)


def no_such_address(request: HttpRequest, address: str) -> HttpResponse:
    return not_found(request)


def too_large(request: HttpRequest) -> HttpResponse:
    """Returns the page for a body that was not read. It names no viewer, because nobody has been looked up yet."""
    return HttpResponse(render_to_string("413.html", _plain(request)), status=413)


def too_many_requests(request: HttpRequest, retry_after: int) -> HttpResponse:
    response = _page(request, "429.html", 429, {"retry_after": retry_after})
    response["Retry-After"] = str(retry_after)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    return HttpResponse(render_to_string("500.html", _plain(request)), status=500)


def unavailable(request: Any, error: Exception) -> HttpResponse:
    """Returns the page without the viewer, who cannot be read now. It says what is the matter, and to those who sent
    something that it may have been saved. htmx gets both as a toast, too, but for buttons that ask for a state: they
    are pressed again without harm. While the site is only read, nothing was saved, and the page holds what was
    typed."""
    fault, was_sent = _fault_of(error), request.method not in ("GET", "HEAD")
    htmx = getattr(request, "htmx", None)
    reads = _read_only(fault)
    sent = NOT_SAVED if reads else MAY_BE_SAVED
    said = read_only.sentence_of(reads) if reads else FAULTS[fault]
    shown: dict[str, Any] = {
        "text": said,
        "sent": sent if was_sent else "",
        "only_reads": bool(reads),
    }
    shown |= _plain(request)
    if reads and was_sent and not htmx:
        shown |= {"typed": read_only.typed_in(request), "address": request.get_full_path()}
        shown["form_token"] = request.POST.get("csrfmiddlewaretoken", "")
    response = HttpResponse(render_to_string("503.html", shown), status=503)
    retry_after = getattr(error, "retry_after", Unavailable.retry_after)
    response["Retry-After"] = str(reads.seconds_left if reads else retry_after)
    if was_sent and htmx and (reads or htmx.trigger_name != "on"):
        told = {"text": f"{said} {sent}", "level": "error"}
        response["HX-Trigger"] = json.dumps({"toast": [told]})
    return response


def _read_only(fault: str) -> ReadOnlyNow | None:
    """Returns why the site is only read if that is the fault. It may just have ended."""
    return (read_only_now() or ReadOnlyNow(Why.REFUSED)) if fault == "reading" else None


def _fault_of(error: Exception) -> str:
    """Returns which of `FAULTS` an error means, or that the site is only read."""
    match error:
        case ReadOnly():
            return "reading"
        case _ if isinstance(error, OSError) or is_full(settings.DATA_DIR):
            return "full"
        case EngineError() | Unavailable(was_asked=False):
            return "away"
        case Unavailable():
            return "unanswered"
        case _:
            return "busy"


def _explain(request: Any, error: TableError) -> HttpResponse:
    """Returns the error's own page. htmx gets its sentence as a toast."""
    if error.told and request.htmx:
        messages.error(request, error.told)
        return HttpResponse(status=error.status)
    return _page(request, error.template, error.status, {"text": error.told})


def _note_attempt(request: HttpRequest, error: TableError) -> None:
    """Logs what no page of the site leads to."""
    if isinstance(error, BadCursor):
        note_event(Event.ADDRESS_ALTERED, account=_account(request))
    elif error.status == 403:
        note_event(Event.NOT_PERMITTED, account=_account(request))


def _account(request: Any) -> str:
    """Returns the account behind the request if it was already read. A limit never costs a read."""
    people = getattr(request, "people", None)
    return people.known_viewer.account_id if people else ""


def _plain(request: HttpRequest) -> dict[str, Any]:
    return preferences.in_templates(request) | observation.in_templates(request)


def _page(
    request: HttpRequest, template: str, status: int, context: dict[str, Any] | None = None
) -> HttpResponse:
    """Returns the page in the site's frame, which shows the viewer. Answers 503 if the viewer cannot be read now."""
    try:
        return render(request, template, context, status=status)
    except (TableError, EngineError) as error:
        return _note_fault(request, error)


def _note_fault(request: HttpRequest, error: Exception) -> HttpResponse:
    """Logs what the engine said, with a traceback if it will say so again, and answers 503."""
    level = logging.ERROR if isinstance(error, Refused) else logging.WARNING
    cause = str(error.__cause__ or "")
    said = f"{error} ({cause})" if cause not in str(error) else error
    where = route_of(request)
    log.log(level, "503 at %s: %s", where, said, exc_info=level == logging.ERROR and error)
    return unavailable(request, error)
