"""One view, two answers: the whole page, or to htmx the fragment of it that changed."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from socialsite.table.reading import Page
from socialsite.web.requests import SiteRequest


def page_or_fragment(
    request: SiteRequest,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """The page template, or to an htmx request (that does not restore history) the fragment, which it includes."""
    wants_fragment = request.htmx and not request.htmx.history_restore_request
    return render(request, fragment if wants_fragment else page, context, status=status)


def fragment_or_redirect(
    request: SiteRequest, fragment: str, context: dict[str, Any], *, to: str
) -> HttpResponse:
    """After a change: the fragment to htmx, a redirect to everybody else."""
    if request.htmx:
        return render(request, fragment, context)
    return redirect(to)


def neighbours(request: SiteRequest, page: Page[Any]) -> dict[str, str]:
    """The links of a list's page: `older_url` continues it, `newer_url` goes back towards its start."""

    def link(cursor: str | None) -> str:
        return f"{request.path}?page={cursor}" if cursor else ""

    return {"older_url": link(page.next_cursor), "newer_url": link(page.previous_cursor)}


def cursor_of(request: SiteRequest) -> str | None:
    return request.GET.get("page") or None


def wanted_state(request: SiteRequest) -> bool:
    """Buttons send the state they want (`on=1` or `on=0`), never "toggle"."""
    return request.POST.get("on") == "1"
