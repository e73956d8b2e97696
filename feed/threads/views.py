"""Showing a post with its thread, or a photo of it; answering; choosing who can reply (a dialog, or a page without
scripts); leaving a conversation, and hiding replies in one's own."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.requests import SiteRequest, sign_in_required
from feed.cards.pages import answer_undone, find_post, preview_of_photo, preview_of_post
from feed.cards.post_card import PostCard, post_url
from feed.cards.reads import get_post, get_post_of_photos
from feed.composing.composer import arrange_tiles, refuse_photos, take_photos
from feed.composing.forms import ReplyForm
from feed.posts.content_checks import Refused
from feed.posts.reads import Pointer
from feed.publishing.forms import NOBODY, ConversationForm
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import SubmittedAndDeleted
from feed.threads.reads import CannotReply, get_conversation
from feed.threads.writes import (
    choose_replies,
    leave_thread,
    rejoin_thread,
    rejoin_thread_of,
    set_reply_aside,
)
from feed.threads.writes import reply as write_reply
from photos.forms import MOST_PHOTOS
from socialsite.news import News, watch
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import NotFound, keys
from socialsite.web.bodies import takes_upload
from socialsite.web.fragments import cursor_of, form_page, page_or_fragment, wanted_state
from socialsite.web.limits import POSTS, count_hits


@require_safe
def show(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows a post, what it answers, and a page of the replies to it."""
    cursor = cursor_of(request)
    author_id = request.people.person_id
    found = get_conversation(post_id, author_id, viewer=request.user, cursor=cursor)
    context = {
        "found": found,
        "post": found.post,
        "form": ReplyForm(to=post_id, language=found.post.lang),
        "cursor": cursor,
        "hears": watch(
            request.user.user_id, News.THREAD, [keys.thread(found.post.root_id or post_id)]
        ),
        "link_preview": preview_of_post(request, found.post),
    }
    if found.next_cursor:
        context["older_url"] = f"{request.path}?page={found.next_cursor}"
    if found.previous_cursor:
        context["newer_url"] = f"{request.path}?page={found.previous_cursor}"
    return page_or_fragment(request, "feed/post.html", "feed/_reply_page.html", context)


@require_safe
def photo(request: SiteRequest, handle: str, post_id: str, number: int) -> HttpResponse:
    """Shows a photo with its whole description, and leads to the others of its post. htmx, and the script that shows
    photos in a dialog, get all of them side by side."""
    post = get_post_of_photos(post_id, request.people.person_id, viewer=request.user)
    if not 1 <= number <= len(post.photos):
        raise NotFound("no such photo")
    shown = post.photos[number - 1]
    context = {
        "post": post,
        "photo": shown,
        "earlier": post.photos[number - 2] if number > 1 else None,
        "later": post.photos[number] if number < len(post.photos) else None,
        "link_preview": preview_of_photo(request, post, shown),
    }
    return page_or_fragment(request, "feed/photos/photo.html", "feed/photos/_viewer.html", context)


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def reply(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows the composer below the post, and publishes the reply. htmx gets the composer for its place, then the new
    card; others a page, then a redirect to the reply. Without script, `arrange` moves its photos."""
    author_id = request.people.person_id
    if request.method != "POST":
        found = get_conversation(post_id, author_id, viewer=request.user)
        return _composer(
            request, found.post, ReplyForm(to=post_id, language=found.post.lang), found.why_closed
        )
    post = get_post(post_id, author_id, viewer=request.user)
    form = ReplyForm(request.POST, request.FILES, to=post_id)
    is_valid = take_photos(form, by=request.user)
    if "arrange" in request.POST:
        arrange_tiles(form, request.POST)
        return _composer(request, post, form)
    if not is_valid:
        return _composer(request, post, form, status=422)
    count_hits((POSTS, request.user.user_id))
    try:
        answered = Pointer(post_id, author_id)
        reply_id = write_reply(by=request.user, to=answered, **form.cleaned_data)
    except CannotReply as refusal:
        form.add_error("content", refusal.sentence)
        return _composer(request, post, form, status=403 if not request.htmx else 422)
    except Refused as refusal:
        form.add_error("content", refusal.sentence)
        return _composer(request, post, form, status=422)
    except CannotAttach as refusal:
        refuse_photos(form, refusal)
        return _composer(request, post, form, status=422)
    except SubmittedAndDeleted:
        form.add_error("content", _("You’ve deleted this reply. Reload the page to send it again."))
        return _composer(request, post, form, status=422)
    card = get_post(reply_id, request.user.user_id, viewer=request.user)
    messages.success(request, _said(card))
    if not request.htmx:
        return redirect(f"{post_url(request.user.handle, reply_id)}#post-{reply_id}")
    context = {
        "post": post,
        "card": card,
        "form": ReplyForm(to=post_id, language=post.lang),
        "at": _at(request),
    }
    return render(request, "feed/_replied.html", context)


def _said(card: PostCard) -> str:
    if card.withheld:
        return _("A moderator will review your reply. Only you can see it until then.")
    return _("Reply published.")


def _at(request: SiteRequest) -> str:
    """Returns where the composer stands: at the foot of the post's page, or in a slot under a card."""
    return "foot" if request.POST.get("at") == "foot" else ""


def _composer(
    request: SiteRequest, post: PostCard, form: ReplyForm, why_closed: str = "", status: int = 200
) -> HttpResponse:
    context = {"post": post, "form": form, "why_closed": why_closed, "at": _at(request)}
    return page_or_fragment(
        request, "feed/reply.html", "feed/_reply_form.html", context, status=status
    )


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def choose(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then sets who can reply to one of the viewer's own posts. Answers 404 for replies and others' posts."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if not post.is_own or post.is_reply:
        raise NotFound("not a thread of yours")
    sent = request.POST if request.method == "POST" else None
    chosen = {"replies": post.who_replies, "quotes": "" if post.is_quotable else NOBODY}
    form = ConversationForm(sent, initial=chosen)
    if form.is_valid():
        choose_replies(by=request.user, post_id=post_id, **form.cleaned_data)
        messages.success(request, _("Saved. Earlier replies stay."))
        return HttpResponse() if request.htmx else redirect(post.url)
    context = {"form": form, "post": post}
    return form_page(
        request, "feed/choose_replies.html", context, fragment="feed/_replies_choice.html"
    )


@require_POST
@sign_in_required
def leave(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Leaves (`on=1`) the thread of a post, or comes back (`on=0`), and leads to the post. Comes back also by a post
    that the viewer may no longer see."""
    left = wanted_state(request)
    post = find_post(request, post_id, undoes=not left)
    if post is None:
        rejoin_thread_of(by=request.user, post=Pointer(post_id, request.people.holder.user_id))
        return answer_undone(request, _("You’ll be notified about this conversation again."))
    root_id = post.root_id or post_id
    if left:
        leave_thread(by=request.user, root_id=root_id)
        messages.success(request, _("You won’t be notified about this conversation."))
    else:
        rejoin_thread(by=request.user, root_id=root_id)
        messages.success(request, _("You’ll be notified about this conversation again."))
    # htmx asks on pages that were opened when the button stood below the conversation.
    return HttpResponseClientRedirect(post.url) if request.htmx else redirect(post.url)


@require_POST
@sign_in_required
def hide(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Hides (`on=1`) a reply in a conversation of the viewer's own behind the others, or shows it again (`on=0`), and
    leads to the conversation. Answers 404 for all other posts, and to hide for those that the viewer may not see."""
    on, author_id = wanted_state(request), request.people.person_id
    if on:
        get_post(post_id, author_id, viewer=request.user)
    root_id = set_reply_aside(by=request.user, reply=Pointer(post_id, author_id), on=on)
    messages.success(request, _("Reply hidden.") if on else _("Reply shown again."))
    return redirect(post_url(request.user.handle, root_id))
