"""The page of notifications, its settings, and the pulse that an open page asks for."""

from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.home.reads import Pill, count_newer, find_newer
from notifications.digest.forms import LettersForm
from notifications.forms import NotificationsForm
from notifications.push.views import push_settings
from notifications.reads import FILTERS, get_waiting, list_notifications, shown_on
from notifications.writes import choose_notifications, read_notifications, read_shown
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment


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


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choices(request: SiteRequest) -> HttpResponse:
    """Shows and saves what the viewer wants to be told."""
    sent = request.POST if request.method == "POST" else None
    viewer = request.user
    form = NotificationsForm(sent, opted_out=viewer.opted_out, is_staff=viewer.is_staff)
    if form.is_valid():
        choose_notifications(by=request.user, opted_out=form.opted_out())
        messages.success(request, _("Settings saved."))
        return redirect(request.path)
    context = {
        "form": form,
        "push": push_settings(viewer),
        "letters": LettersForm(viewer),
    }
    return form_page(request, "notifications/choices.html", context)


@require_safe
def pulse(request: SiteRequest) -> HttpResponse:
    """Answers with the badges and the pill of new posts if they are no longer as the page shows them, else 204.

    The page says which badges it shows (`seen`) and, at home, what its pill has counted. Only what decides is read,
    until something is new.
    """
    if not request.htmx:
        return redirect("/")
    pill = _pill_of(request)
    follows_pulled = pill is not None and pill.follows_pulled
    viewer = get_waiting(*request.people.session, with_pulled=follows_pulled)
    if not viewer.is_authenticated:
        return _signed_out()
    found = find_newer(viewer, pill) if pill else ""
    is_newer = bool(found)
    if is_newer and not request.user.is_authenticated:
        return _signed_out()
    if not is_newer and request.GET.get("seen") == viewer.waiting.state:
        return HttpResponse(status=204)
    if pill and is_newer:
        pill = count_newer(request.user, pill, found)
    context = {"waiting": viewer.waiting, "pill": pill, "is_newer": is_newer}
    return render(request, "notifications/_badges.html", context)


@require_safe
def live(request: SiteRequest) -> HttpResponse:
    """Answers 204: nobody tells pages here, so they ask. Where `manage.py run_live` does, it is asked instead of Django
    (deploy/nginx.conf)."""
    response = HttpResponse(status=204)
    response["Cache-Control"] = "no-store"
    return response


def _pill_of(request: SiteRequest) -> Pill | None:
    asked = request.GET
    if not asked.get("since"):
        return None
    return Pill(asked["since"], asked.get("counted", ""), follows_pulled="pulled" in asked)


def _signed_out() -> HttpResponse:
    response = HttpResponse(status=204)
    response["HX-Redirect"] = "/login"
    return response
