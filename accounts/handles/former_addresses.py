"""Pages under a former handle lead on to the same pages under the present one."""

from contextlib import suppress
from urllib.parse import urlencode

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.handles.holders import Holder, get_handle
from socialsite.engine.errors import EngineError
from socialsite.table.errors import TableError

MEANT = "id"  # in the address of a mention: the person whom it means


def lead_on(request: HttpRequest, response: HttpResponse, holder: Holder) -> HttpResponse:
    """Returns a redirect instead of a page that was to be shown under a former handle, and every other answer as it is.

    It comes after the view, which has checked whether the viewer may see the person: where the page is a 404, nobody
    learns the present handle. Forms that pages of before send still do what they say. Reading the present handle costs
    0.5 read units; if the table cannot say it now, the page is shown where it was asked for.
    """
    if not holder.is_former or request.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    with suppress(TableError, EngineError):
        if address := _present_address(request, get_handle(holder.user_id)):
            _keep_messages(request)
            return not_kept(address)
    return response


def not_kept(address: str) -> HttpResponse:
    """Returns a redirect that no browser keeps, because the next person may have the handle after 90 days."""
    response = redirect(address)
    response["Cache-Control"] = "no-store"
    return response


def _present_address(request: HttpRequest, handle: str) -> str:
    """Returns the address of the same page with another handle, empty if it is the one that was asked for: an item may
    be read as it was a moment ago."""
    match = request.resolver_match
    if match is None or match.kwargs["handle"] == handle:
        return ""
    asked = {name: value for name, value in request.GET.lists() if name != MEANT}
    address = reverse(match.view_name, kwargs=match.kwargs | {"handle": handle})
    return f"{address}?{urlencode(asked, doseq=True)}" if asked else address


def _keep_messages(request: HttpRequest) -> None:
    """Leaves what waited to be said to the next page: this one is not shown."""
    waiting = get_messages(request)
    if isinstance(waiting, BaseStorage):
        waiting.used = False
