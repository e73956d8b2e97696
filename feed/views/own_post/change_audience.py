"""Changing who can see a post, in a dialog, or on a page without scripts."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from accounts.viewer import Viewer
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.editing.forms import OtherAudienceForm
from feed.editing.own_text import OwnText, get_own_text
from feed.forms.audience import CIRCLE
from feed.models import Audience
from feed.services.change_audience import CannotChangeAudience, change_audience, why_it_waits
from feed.verdicts import RefusedByRules
from feed.views.own_post.drawn_card import address_of, in_dialog, in_place
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import POSTS, count_hits


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def change(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then changes the audience of one of the viewer's own posts. Answers 404 for replies and others' posts. htmx
    gets the card in place of the old one."""
    viewer = request.user
    post = get_post(post_id, request.people.person_id, viewer=viewer)
    if not post.is_own or post.is_reply:
        raise NotFound("not a post of yours with an audience")
    text = get_own_text(post_id, viewer=viewer)
    sent = request.POST if request.method == "POST" else None
    form = OtherAudienceForm(
        sent,
        circles=viewer.circles,
        initial={"audience": _chosen(text, viewer)},
    )
    if not form.is_valid():
        return _page(request, form, post, text, status=422 if form.is_bound else 200)
    count_hits((POSTS, viewer.user_id))
    try:
        change_audience(by=viewer, post_id=post_id, **form.cleaned_data)
    except RefusedByRules as refusal:
        form.add_error("audience", refusal.sentence)
        return _page(request, form, post, text, status=422)
    except CannotChangeAudience as refusal:
        form.add_error("audience", refusal.sentence)
        return _page(request, form, post, text, status=409)
    changed = get_post(post_id, viewer.user_id, viewer=viewer)
    messages.success(request, _said(changed))
    return in_place(request, changed)


def _chosen(text: OwnText, viewer: Viewer) -> str:
    """Returns the choice that holds now. A circle that was deleted leaves the author alone."""
    if text.audience != Audience.CIRCLE:
        return text.audience
    is_there = any(circle.circle_id == text.circle for circle in viewer.circles)
    return f"{CIRCLE}{text.circle}" if is_there else Audience.ONLY_ME


def _said(post: PostCard) -> str:
    if post.withheld:
        return _("A moderator will review your post. Only you can see it until then.")
    return _("Your changes are saved.")


def _page(
    request: SiteRequest, form: OtherAudienceForm, post: PostCard, text: OwnText, *, status: int
) -> HttpResponse:
    context = {
        "form": form,
        "post": post,
        "was_edited": text.version > 1,
        "why_not": why_it_waits() if text.is_withheld else "",
        "address": address_of(request, post.audience_url),
    }
    page, fragment = "feed/editing/change_audience.html", "feed/editing/_audience_form.html"
    return in_dialog(request, page, fragment, context, status=status)
