"""Polls. One has the id of its post, and is for those whom the post is for."""

from typing import Any

from api.access import ApiRequest, endpoint, refuse
from api.entities.status import poll_of
from api.statuses import find
from feed.cards.post_card import PollCard, PostCard
from feed.polls import writes
from socialsite.table import NotFound


def _asking(request: ApiRequest, name: str) -> tuple[PostCard, PollCard]:
    card = find(request, name)
    if card.poll is None:
        raise NotFound("no poll")
    return card, card.poll


@endpoint("read:statuses", visitors=True)
def poll(request: ApiRequest, name: str) -> Any:
    return poll_of(_asking(request, name)[1], name)


@endpoint("write:statuses")
def vote(request: ApiRequest, name: str) -> Any:
    """Votes, and answers with the poll as it is with this vote. Safe to repeat."""
    card, asked = _asking(request, name)
    places = [
        int(one) if len(one) == 1 and "0" <= one <= "9" else -1
        for one in request.sent.all("choices")
    ]
    try:
        chosen = writes.vote(
            by=request.user,
            post_id=card.post_id,
            author_id=card.author.user_id,
            poll=asked,
            places=places,
        )
    except writes.CannotVote as refusal:
        raise refuse(refusal.sentence) from refusal
    return poll_of(asked.after(chosen), name)
