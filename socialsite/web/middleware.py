"""Middleware for every answer: cost, cache headers, table errors as pages, toasts. The viewer's middleware is in
accounts."""

import json
import logging
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from socialsite.table import meter, resilience
from socialsite.web.errors import page_of_error
from socialsite.web.static_files import drop_what_guards_pages, is_file

GetResponse = Callable[[HttpRequest], HttpResponse]

LEADING = {"HX-Redirect", "HX-Refresh"}
# Pages about an account, its way in, or the cases of others: what a browser keeps of them may be seen by the next
# person at it.
NEVER_KEPT = (
    "/settings", "/standing", "/confirm", "/login", "/signup", "/password", "/email", "/erased", "/moderation", "/dev",
    "/operations", "/messages",
)  # fmt: skip

log = logging.getLogger(__name__)


def measure_calls(get_response: GetResponse) -> GetResponse:
    """Shows the page's cost in a `Server-Timing` header: to everyone in debug mode, otherwise to staff."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with meter.measure() as measured:
            response = get_response(request)
            if measured.calls and (settings.DEBUG or _is_staff(request)):
                response["Server-Timing"] = measured.server_timing()
        return response

    return middleware


def bound_retries(get_response: GetResponse) -> GetResponse:
    """Limits the time in which a page repeats throttled calls: one limit for the whole page, not one for each call."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with resilience.within(settings.PAGE_SECONDS):
            return get_response(request)

    return middleware


def _is_staff(request: HttpRequest) -> bool:
    people: Any = getattr(request, "people", None)  # missing if an earlier middleware answered
    return people is not None and people.known_viewer.is_staff


def set_cache_headers(get_response: GetResponse) -> GetResponse:
    """Sets headers for pages that are for one person and one moment. The back button may show them again at once, but
    for those of `NEVER_KEPT`, which nobody keeps.

    Also sets the security headers that Django has no setting for.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            kept = "no-store" if request.path.startswith(NEVER_KEPT) else "private, no-cache"
            response.setdefault("Cache-Control", kept)
            patch_vary_headers(response, ["Cookie", "HX-Request"])
        response.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if is_file(response):
            drop_what_guards_pages(response)
        else:
            response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

    return middleware


class show_table_errors:  # noqa: N801 - listed beside the functions
    """Answers errors of the data layer (not found, unavailable, limit reached …) with their page and status."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return page_of_error(request, error)


def refuse_strange_encodings(get_response: GetResponse) -> GetResponse:
    """Refuses a form that names a charset other than UTF-8, before anything decodes it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            told = "Send forms as UTF-8."
            return HttpResponse(told, status=415, content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def send_toasts(get_response: GetResponse) -> GetResponse:
    """Sends the messages of an htmx answer in a header, because the fragment has no place for them. If the answer leads
    to another page, they wait for that page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        leads_elsewhere = 300 <= response.status_code < 400 or not LEADING.isdisjoint(
            response.headers
        )
        # A fragment that has nothing to say leaves the cookie alone: a page may be on its way to show what waits there.
        waiting = get_messages(request)
        added = getattr(waiting, "added_new", False)
        if request.htmx and added and not leads_elsewhere:  # type: ignore[attr-defined]
            toasts = [{"text": str(message), "level": message.level_tag} for message in waiting]
            response["HX-Trigger"] = json.dumps({"toast": toasts})
        return response

    return middleware
