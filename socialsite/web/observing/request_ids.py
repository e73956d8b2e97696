"""The id of a request: sent with each answer but a static file, shown on error pages, and part of every log line."""

import re
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.web.bounds.limits import client_address
from socialsite.web.observing import logs
from socialsite.web.pages.static_headers import is_file

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
