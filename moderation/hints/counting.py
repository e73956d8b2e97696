"""Counting the accounts that a hint would be about, and writing the hint once there are several. What is noted of posts
and of places is counted alike."""

from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice

from pynamodb.expressions.condition import size
from pynamodb.expressions.update import Action

from moderation.cases.services.decide import MOST_POSTS
from moderation.models import Hint, HintKind, SamePost
from socialsite.table import keys
from socialsite.table.actions import Upsert
from socialsite.table.errors import TableError
from socialsite.table.reading import query
from socialsite.table.writing import transact

SEVERAL = 5  # accounts, from which on it is a hint
MOST_COUNTED = 100
KEPT = timedelta(days=2)


class NothingNew(TableError):
    """The account has enough posts of this kind, or the hint counts as many accounts."""


def note_account(hint_id: str, author_id: str, moment: datetime, *more: Action) -> int:
    """Notes the account. Returns how many are noted, at most 100. Safe to repeat with the same moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 of them, 1 read unit per
    4 KB.
    """
    actions = [SamePost.author_id.set(author_id), *more, SamePost.ttl.set(moment + KEPT)]
    has_room = SamePost.posts.does_not_exist() | (size(SamePost.posts) < MOST_POSTS)
    key = keys.same_post(hint_id, author_id)
    with suppress(NothingNew):
        transact(Upsert(SamePost, key, actions, has_room, NothingNew))
    rows = query(keys.same_posts(hint_id), consistent=True, limit=MOST_COUNTED)
    return sum(1 for _ in islice(rows, MOST_COUNTED))


def hint_at(hint_id: str, kind: HintKind, authors: int, moment: datetime, *more: Action) -> None:
    """Writes the hint, from 5 accounts on. The number only grows. One TransactWriteItems of Hint, 2 write units."""
    if authors < SEVERAL:
        return
    actions = [
        Hint.hint_id.set(hint_id),
        Hint.kind.set(kind),
        Hint.authors.set(authors),
        *more,
        Hint.ttl.set(moment + KEPT),
    ]
    grows = Hint.authors.does_not_exist() | (Hint.authors < authors)
    with suppress(NothingNew):
        transact(Upsert(Hint, keys.hint(hint_id), actions, grows, NothingNew))
