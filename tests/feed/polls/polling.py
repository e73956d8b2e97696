"""Polls as tests publish them, vote in them and look at them."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from feed.cards.post_card import PollCard
from feed.cards.reads import get_post
from feed.polls.models import NAMES, PollWish, Vote
from feed.polls.writes import vote
from feed.posts.models import LikeCount
from feed.publishing.writes import publish_post
from socialsite.clock import utc_now
from socialsite.table import as_model, get, ids, keys, query

DRINKS = ("Tea", "Coffee", "Water")
FIELDS = {"content": "What do you drink?", "poll_options": [*DRINKS], "poll_ends": "1d"}


def ask(author: Viewer, options: tuple[str, ...] = DRINKS, **wishes: Any) -> str:
    """Publishes a post with a poll."""
    audience = wishes.pop("audience", "")
    poll = PollWish(options, **wishes)
    return publish_post(
        by=author, content="What do you drink?", nonce=ids.new_id(), poll=poll, audience=audience
    )


def poll_of(author: Viewer, post_id: str, viewer: Viewer) -> PollCard:
    poll = get_post(post_id, author.user_id, viewer=viewer).poll
    assert poll is not None
    return poll


def choose(voter: Viewer, author: Viewer, post_id: str, *places: int) -> str:
    """Votes through the service, as the view does."""
    poll = poll_of(author, post_id, voter)
    where = {"post_id": post_id, "author_id": author.user_id}
    return vote(by=voter, **where, poll=poll, places=places)


def press(browser: Client, post_id: str, *choices: object, **extra: Any) -> Any:
    form = {"choice": [str(one) for one in choices]}
    return browser.post(f"/@alice/posts/{post_id}/vote", form, **extra)


def votes_of(post_id: str) -> list[Vote]:
    return [
        as_model(Vote, raw)
        for shard in range(keys.VOTE_SHARDS)
        for raw in query(keys.votes(post_id, shard), consistent=True)
    ]


def counted(post_id: str) -> dict[str, int]:
    """What the worker has counted, without zeros."""
    count = get(LikeCount, keys.like_count(post_id), consistent=True)
    return {name: int(number) for name in NAMES if (number := getattr(count, name))}


def let_time_pass(monkeypatch: pytest.MonkeyPatch, days: int = 8) -> datetime:
    """From now on all polls of this test have ended."""
    later = utc_now() + timedelta(days=days)
    modules = ("feed.polls.writes", "feed.cards.post_card", "feed.cards.words", "feed.polls.checks")
    for module in modules:
        monkeypatch.setattr(f"{module}.utc_now", lambda: later)
    return later
