"""Each request's id, log line and figures."""

import logging
import re
import secrets
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from socialsite.clock import utc_now
from socialsite.observing import logs, metrics
from socialsite.observing.logs import NO_ROUTE, route_of
from socialsite.table import ids, meter
from socialsite.table.meter import Meter
from socialsite.web.asked import network_of, safe_path, target_of
from socialsite.web.limits import client_address
from socialsite.web.static_files import is_file

HEADER = "X-Request-ID"
FROM_A_PROXY = re.compile(r"[A-Za-z0-9._-]{8,64}")


def give_request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Gives the request its id. It is the first middleware, so that everything the others answer and log has the id."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get(HEADER, ""))
        logs.request_address.set(client_address(request))
        response = get_response(request)
        if not is_file(response):  # it has nothing to tell, and a first visit fetches five
            response[HEADER] = request_id
        return response

    return middleware


def in_templates(request: HttpRequest | None = None) -> dict[str, str]:
    """The context processor: `request_id`."""
    return {"request_id": logs.request_id.get()}


def begin_request(given: str) -> str:
    """Returns the id of a request, for which the log is kept from now on: the trusted proxy's, otherwise a new ULID. It
    does not use `ids.new_id`, because the next ids could be guessed from it."""
    is_known = settings.TRUSTED_PROXY_HOPS and FROM_A_PROXY.fullmatch(given)
    request_id = given if is_known else ids.id_at(utc_now(), secrets.token_bytes(10))
    logs.request_id.set(request_id)
    return request_id


# Methods that a client invents are not a label either.
METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"})
READS = frozenset({"GET", "HEAD", "OPTIONS"})
ERROR = 400

log = logging.getLogger("requests")


def observe_requests(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Runs outside everything that may answer, so that it sees refused requests too."""

    def middleware(request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        with meter.measure() as measured:
            response = get_response(request)
        _note(request, response.status_code, time.perf_counter() - begun, measured)
        meter.note_request(request, measured)
        return response

    return middleware


def note_refusal(method: str, waited: float, *, path: str = "", address: str = "") -> None:
    """Logs and counts a request that was refused before anything looked at it, as it had waited for too long."""
    known = _known_method(method)
    metrics.REQUESTS.labels(NO_ROUTE, known, 503).inc()
    logs.request_address.set(address)  # or it would be that of this thread's last request
    fields = {"method": known, "route": NO_ROUTE, "status": 503, "waited_ms": round(waited * 1000)}
    log.info("refused", extra={"fields": fields | _asked("", target_of(path), "")})


def _note(request: HttpRequest, status: int, seconds: float, measured: Meter) -> None:
    route, method = (
        route_of(request),
        _known_method(request.method or ""),
    )  # addresses are not a label
    metrics.REQUESTS.labels(route, method, status).inc()
    metrics.REQUEST_SECONDS.labels(route).observe(seconds)
    every = settings.LOG_READS if method in READS and status < ERROR else 1
    if every > 1 and secrets.randbelow(every):
        return
    fields = {
        "method": method,
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
        "calls": len(measured.calls),
        "read_units": measured.read_units,
        "write_units": measured.write_units,
        **_asked(_path_of(request), target_of(request.path), _account_of(request)),
        **({"stands_for": every} if every > 1 else {}),
    }
    log.info("answered", extra={"fields": fields})


def _asked(path: str, target: str, account: str) -> dict[str, str]:
    """Returns what the line says of what was asked for, and by whom, without what is not known."""
    network = network_of(logs.request_address.get())
    said = {"path": path, "target": target, "network": network, "account": account}
    return {name: value for name, value in said.items() if value}


def _path_of(request: HttpRequest) -> str:
    match = request.resolver_match
    return safe_path(match.route or "/", match.kwargs) if match else ""


def _account_of(request: HttpRequest) -> str:
    """Returns the id of the viewer, if the page has read them. Reads nothing itself."""
    people: Any = getattr(request, "people", None)  # missing if an earlier middleware answered
    return people.known_viewer.user_id if people else ""


def _known_method(method: str) -> str:
    return method if method in METHODS else "other"
