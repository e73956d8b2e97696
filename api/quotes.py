"""The posts that quote one, taking the own post out of a quote, and whether others may quote it."""

from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, refuse
from api.pages import pointer_to
from api.statuses import answer, find
from api.timelines import answer_posts
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.posts.models import Replies
from feed.posts.reads import Pointer
from feed.sharing.reads import list_quotes
from feed.sharing.writes import withdraw_quote
from feed.threads.writes import choose_replies
from socialsite.table import NotFound

POLICIES = {"public": True, "nobody": False}


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
