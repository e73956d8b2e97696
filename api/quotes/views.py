"""Quoting a post, the posts that quote one, taking the own post out of a quote, and whether others may quote it."""

from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, refuse, valid
from api.composing.forms import poll_in, words_in
from api.pages import pointer_to
from api.statuses.views import answer, find
from api.timelines.views import answer_posts
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.composing.forms import QuoteForm
from feed.posts.models import Replies
from feed.posts.reads import Pointer
from feed.sharing.reads import list_quotes
from feed.sharing.writes import CannotQuote, withdraw_quote
from feed.sharing.writes import quote as write_quote
from feed.threads.writes import choose_replies
from socialsite.table import NotFound
from socialsite.web.limits import POSTS, count_hits

NOT_IN_QUOTES = ("in_reply_to_id", "scheduled_at", "expires_in")
EVERYONE = ("", "everyone", "public")
POLICIES = {"public": True, "nobody": False}


def publish_quote(request: ApiRequest, quoted: str) -> str:
    """Publishes a post that quotes another, and returns its id. Both are for everyone: for fewer it is refused."""
    sent, viewer = request.sent, request.user
    for name in NOT_IN_QUOTES:
        if any(sent.all(name)):
            raise refuse(_("A quote can’t have “%(name)s”.") % {"name": name})
    if sent.get("visibility") not in EVERYONE or sent.get("audience") not in EVERYONE:
        raise refuse(_("A post that quotes another is for everyone."))
    card = find(request, quoted)
    typed = words_in(request)
    typed["replies"] = sent.get("replies")
    for name, several in poll_in(sent).items():
        typed.setlist(name, list(several))
    values = valid(QuoteForm(typed, MultiValueDict()))
    count_hits((POSTS, viewer.user_id))
    try:
        if not card.can_be_quoted:
            raise CannotQuote("not for everyone")
        post = Pointer(card.post_id, card.author.user_id)
        return write_quote(by=viewer, post=post, **values)
    except CannotQuote as error:
        raise refuse(_("You can’t quote this post.")) from error


@endpoint("read:statuses", visitors=True)
def quotes(request: ApiRequest, name: str) -> Any:
    """The posts that quote a post, newest first."""
    card = find(request, name)
    cursor = request.sent.get("max_id") or None
    page = list_quotes(card.post_id, viewer=request.user, cursor=cursor)
    return answer_posts(request, page, is_whole=True)


@endpoint("write:statuses")
def revoke(request: ApiRequest, name: str, quoting: str) -> Any:
    """Takes the person's post out of one that quotes it, for good."""
    own, pointer = pointer_to(name), pointer_to(quoting)
    if own.author_id != request.user.user_id:
        raise NotFound("not theirs")
    if find(request, quoting).quote_of != own.post_id:
        raise NotFound("quotes another")
    withdraw_quote(by=request.user, quoting=Pointer(pointer.post_id, pointer.author_id))
    card = get_post(pointer.post_id, pointer.author_id, viewer=request.user)
    return answer(request, card)


@endpoint("write:statuses")
def interaction_policy(request: ApiRequest, name: str) -> Any:
    """Says whether others may quote a post of the person's own: `quote_approval_policy` is `public` or `nobody`."""
    card = _own(request, name)
    wanted = request.sent.get("quote_approval_policy")
    if wanted not in POLICIES:
        raise refuse(_("Everyone can quote a post, or nobody: public or nobody."))
    replies = card.who_replies or Replies.EVERYONE.value
    choose_replies(
        by=request.user, post_id=card.post_id, replies=replies, quotable=POLICIES[wanted]
    )
    return answer(request, card._replace(is_quotable=POLICIES[wanted]))


def _own(request: ApiRequest, name: str) -> PostCard:
    card = find(request, name)
    if not card.is_own or card.repost_id or card.is_reply:
        raise NotFound("not a post of theirs that others could quote")
    return card


def must_be_quotable_by_all(request: ApiRequest) -> None:
    """Raises `Refusal` where a new post may be quoted by fewer than everyone: it would be open to quotes until that was
    written."""
    if request.sent.get("quote_approval_policy") not in ("", "public"):
        raise refuse(_("Choose who can quote a post once it is published."))
