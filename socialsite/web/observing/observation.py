"""One log line and one count for each request: what was asked, the status, the time, and what it cost."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from socialsite.table import meter
from socialsite.table.meter import Meter
from socialsite.web.observing import metrics, spending
from socialsite.web.observing.logs import NO_ROUTE, route_of

# Methods that a client invents are not a label either.
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})

log = logging.getLogger("requests")


def observe_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Runs outside everything that may answer, so that it sees refused requests too."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        with meter.measure() as measured:
            response = get_response(request)
        _note(request, response.status_code, time.perf_counter() - begun, measured)
        spending.note_request(request, measured)
        return response

    return middleware


def note_refusal(method: str, waited: float) -> None:
    """Logs and counts a request that was refused before anything looked at it, as it had waited for too long."""
    known = _known_method(method)
    metrics.REQUESTS.labels(NO_ROUTE, known, 503).inc()
    fields = {"method": known, "route": NO_ROUTE, "status": 503, "waited_ms": round(waited * 1000)}
    log.info("refused", extra={"fields": fields})


def _note(request: HttpRequest, status: int, seconds: float, measured: Meter) -> None:
    route, method = (
        route_of(request),
        _known_method(request.method or ""),
    )  # addresses are not a label
    metrics.REQUESTS.labels(route, method, status).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    fields = {
        "method": method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "calls": len(measured.calls),
        "read_units": measured.read_units,
        "write_units": measured.write_units,
    }
    log.info("answered", extra={"fields": fields})


def _known_method(method: str) -> str:
    return method if method in METHODS else "other"
