"""What htmx gets: fragments, toasts, places to go."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django_htmx.middleware import HtmxDetails

from socialsite.table import Page


class HtmxRequest(HttpRequest):
    """A request with htmx's details."""

    htmx: HtmxDetails
    POST: QueryDict  # type: ignore[assignment]


class ToastCookie(CookieStorage):
    """The `MESSAGE_STORAGE`. It is sent as the session's cookie is: over https alone, and not to scripts."""

    cookie_name = settings.TOAST_COOKIE_NAME


def page_or_fragment(
    request: HtmxRequest,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Renders the page template. An htmx request (unless it restores history) gets the fragment, which the page
    includes."""
    wants_fragment = request.htmx and not request.htmx.history_restore_request
    return render(request, fragment if wants_fragment else page, context, status=status)


def form_page(
    request: HtmxRequest, page: str, context: dict[str, Any], *, fragment: str = ""
) -> HttpResponse:
    """The page of `context["form"]`, or to htmx its fragment where there is one. 422 for a form that was sent and is
    shown again."""
    status = 422 if "form" in context and context["form"].is_bound else 200
    return page_or_fragment(request, page, fragment or page, context, status=status)


def fragment_or_redirect(
    request: HtmxRequest, fragment: str, context: dict[str, Any], *, to: str
) -> HttpResponse:
    """Answers a change: htmx gets the fragment, everyone else a redirect."""
    if request.htmx:
        return render(request, fragment, context)
    return redirect(to)


def neighbours(request: HtmxRequest, page: Page[Any], **asked: str) -> dict[str, str]:
    """Returns the links of a list's page: `older_url` continues it, and `newer_url` leads back towards its start.

    `asked` holds the other parameters of the address (`q=…`). Past the end of a list (whose items were deleted) it
    leads back to the start.
    """
    start = f"{request.path}?{urlencode(asked)}" if asked else request.path

    def link(cursor: str | None) -> str:
        return f"{start}{'&' if asked else '?'}page={cursor}" if cursor else ""

    newer_url = link(page.previous_cursor)
    if page.top is None and cursor_of(request):
        newer_url = start
    return {"older_url": link(page.next_cursor), "newer_url": newer_url}


def cursor_of(request: HtmxRequest) -> str | None:
    return request.GET.get("page") or None


def wanted_state(request: HtmxRequest) -> bool:
    """Returns the state that a button asks for (`on=1` or `on=0`, never "toggle"). Raises `BadRequest` for anything
    else."""
    match request.POST.get("on"):
        case "1":
            return True
        case "0":
            return False
    raise BadRequest("on is 1 or 0")
