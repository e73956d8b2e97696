"""The page of notifications, and marking them as read."""

from dataclasses import replace

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from notifications.access_patterns import FILTERS, list_notifications
from notifications.services.read_notifications import read_notifications, read_shown
from notifications.shown import shown_on
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


@require_safe
@sign_in_required
def notifications(request: SiteRequest) -> HttpResponse:
    """Shows what the viewer was told, newest first, with `show=mentions` or `show=follows` only that.

    Showing changes nothing. The page itself then says what it shows (`read`), so that a browser that fetches pages
    ahead marks nothing as read. Its badge leaves out what there is nothing to show of any more.
    """
    only = request.GET.get("show", "")
    if only not in FILTERS:
        raise BadRequest("show is mentions or follows")
    page = list_notifications(request.user, only=only, cursor=cursor_of(request))
    asked = {"show": only} if only else {}
    me = request.people.viewer
    shown = shown_on(page, me.waiting, only=only)
    request.user = replace(me, waiting=shown.waiting)
    context = {
        "notes": page.items,
        "only": only,
        "shown": shown,
        **neighbours(request, page, **asked),
    }
    return page_or_fragment(
        request, "notifications/notifications.html", "notifications/_page.html", context
    )


@require_POST
@sign_in_required
def read(request: SiteRequest) -> HttpResponse:
    """Marks as read what a page has `shown`, or everything up to the change with the number `up_to`, and answers with
    the badges."""
    if shown := request.POST.getlist("shown"):
        waiting = read_shown(by=request.user, tokens=set(shown))
    else:
        waiting = read_notifications(by=request.user, up_to=_number(request))
    if request.htmx:
        return render(request, "notifications/_badges.html", {"waiting": waiting})
    return redirect("/notifications")


def _number(request: SiteRequest) -> int:
    try:
        return int(request.POST.get("up_to", ""))
    except ValueError as error:
        raise BadRequest("up_to is a whole number") from error
