"""Answering a post."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard, post_url
from feed.forms.posts import ReplyForm
from feed.photos.arranging import arrange_tiles
from feed.photos.attaching import CannotAttach
from feed.photos.taking import refuse_photos, take_photos
from feed.pointers import Pointer
from feed.services.publish_post import SubmittedAndDeleted
from feed.services.reply import reply as write_reply
from feed.threads.policy import CannotReply
from feed.threads.reading import get_conversation
from feed.verdicts import Refused
from photos.limits import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import page_or_fragment


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
