"""Editing a post, in a dialog, or on a page without scripts."""

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.editing.forms import EditForm
from feed.editing.own_text import OwnText, get_own_text
from feed.services.edit_post import (
    CannotEdit,
    EditedMeanwhile,
    edit_post,
    why_a_poll_stays,
    why_withheld,
)
from feed.verdicts import Refused
from feed.views.own_post.drawn_card import address_of, in_dialog, in_place
from socialsite.table.errors import NotFound
from socialsite.web.bounds.limits import POSTS, count_hits


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def edit(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the text of one of the viewer's own posts, and changes it. Answers 404 for other people's posts, and 409
    with both texts if the post was edited since the form was shown. htmx gets the card in place of the old one."""
    if request.people.person_id != request.user.user_id:
        raise NotFound("not your post")
    text = get_own_text(post_id, viewer=request.user)
    if request.method != "POST":
        form = EditForm(initial=text.as_typed)
        return _page(request, form, text, why_not=_why_not(text))
    form = EditForm(request.POST, needs_words=text.needs_words)
    if not form.is_valid():
        return _page(request, form, text, status=422)
    count_hits((POSTS, request.user.user_id))
    try:
        edit_post(by=request.user, post_id=post_id, **form.cleaned_data)
    except Refused as refusal:
        form.add_error("content", refusal.sentence)
        return _page(request, form, text, status=422)
    except CannotEdit as refusal:
        form.add_error("content", refusal.sentence)
        return _page(request, form, text, status=409)
    except EditedMeanwhile:
        return _both(request, get_own_text(post_id, viewer=request.user))
    return _saved(request, get_post(post_id, request.user.user_id, viewer=request.user))


def _why_not(text: OwnText) -> str:
    if text.is_withheld:
        return why_withheld()
    return why_a_poll_stays() if text.has_poll else ""


def _saved(request: SiteRequest, post: PostCard) -> HttpResponse:
    messages.success(request, _said(post))
    return in_place(request, post)


def _said(post: PostCard) -> str:
    if post.withheld:
        return _("A moderator will review your post. Only you can see it until then.")
    return _("Your changes are saved.")


def _both(request: SiteRequest, text: OwnText) -> HttpResponse:
    """Shows what the post says by now, and what the author typed. If they save that, it replaces what they saw."""
    sent = request.POST.copy()
    sent["version"] = str(text.version)
    form = EditForm(sent, needs_words=text.needs_words)
    form.add_error(
        "content",
        _("You edited this post somewhere else in the meantime. Compare both texts, then save."),
    )
    return _page(request, form, text, status=409, other=text)


def _page(
    request: SiteRequest,
    form: EditForm,
    text: OwnText,
    *,
    status: int = 200,
    why_not: str = "",
    other: OwnText | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "post": text,
        "why_not": why_not,
        "other": other,
        "address": address_of(request, text.edit_url),
    }
    page, fragment = "feed/editing/edit.html", "feed/editing/_edit_form.html"
    return in_dialog(request, page, fragment, context, status=status)
