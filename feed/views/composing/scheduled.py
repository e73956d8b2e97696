"""Scheduled posts: the page that lists them, publishing one at once, and deleting one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.cards import post_url
from feed.composing.scheduled import get_scheduled, list_scheduled
from feed.services.composing.delete_scheduled import delete_scheduled
from feed.services.composing.publish_scheduled import NotPublished, publish_scheduled_now
from feed.services.composing.reschedule_post import ScheduledGone
from feed.views.composing.schedule import gone_text
from socialsite.table.as_read import Moved
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import cursor_of, form_page, neighbours, page_or_fragment


@require_safe
@sign_in_required
def scheduled(request: SiteRequest) -> HttpResponse:
    """Shows the viewer's scheduled posts, the next one first."""
    page = list_scheduled(request.user, cursor=cursor_of(request))
    context = {"rows": page.items, **neighbours(request, page)}
    return page_or_fragment(
        request, "feed/composing/scheduled.html", "feed/composing/_scheduled_page.html", context
    )


@require_POST
@sign_in_required
def publish(request: SiteRequest, slot: str) -> HttpResponse:
    """Publishes one of the viewer's scheduled posts at once, and leads to it."""
    card = get_scheduled(slot, viewer=request.user)
    count_hits((POSTS, request.user.user_id))
    try:
        post_id = publish_scheduled_now(by=request.user, slot=card.slot)
    except NotPublished as refusal:
        messages.error(request, refusal.reason.sentence)
        return redirect("/scheduled")
    except ScheduledGone:
        messages.warning(request, gone_text())
        return redirect("/scheduled")
    messages.success(request, _("Post published."))
    return redirect(post_url(request.user.handle, post_id))


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete(request: SiteRequest, slot: str) -> HttpResponse:
    """Asks, then deletes one of the viewer's scheduled posts."""
    card = get_scheduled(slot, viewer=request.user)
    if request.method != "POST":
        page = "feed/composing/delete_scheduled.html"
        fragment = "feed/composing/_delete_scheduled_form.html"
        return form_page(request, page, {"scheduled": card}, fragment=fragment)
    seen = request.POST.get("version", "")
    version = int(seen) if seen.isdecimal() else 0
    try:
        delete_scheduled(by=request.user, slot=card.slot, version=version)
    except Moved:
        messages.warning(request, _("This post was changed meanwhile, so it is still here."))
    else:
        messages.success(request, _("Scheduled post deleted."))
    return redirect("/scheduled")
