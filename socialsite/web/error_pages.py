"""The pages of refusals and faults, each with its status."""

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from socialsite.engine.errors import EngineError
from socialsite.table.errors import BadCursor, Conflict, NotFound, Unavailable
from socialsite.web.limits import LimitReached

log = logging.getLogger(__name__)


def page_of_error(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """The page for an error of the data layer, None for any other."""
    match error:
        case NotFound():
            return not_found(request)
        case BadCursor():
            return bad_request(request)
        case LimitReached():
            return too_many_requests(request, error.retry_after)
        case Unavailable() | Conflict() | EngineError():
            log.warning("503 at %s: %s", request.path, error)
            return unavailable(request)
        case _:
            return None


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "404.html", status=404)


def too_many_requests(request: HttpRequest, retry_after: int) -> HttpResponse:
    response = render(request, "429.html", {"retry_after": retry_after}, status=429)
    response["Retry-After"] = str(retry_after)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    return HttpResponse(render_to_string("500.html"), status=500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """Made without the request: who is looking cannot be read now."""
    response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(Unavailable.retry_after)
    return response
