"""Counts how many posts meet each word filter, by day, through the ledger, which counts each once."""

from contextlib import suppress
from datetime import timedelta

from feed.models import Post
from moderation.models import DayCount
from moderation.rules.word_hits import KEPT_DAYS
from moderation.staff.day_counts import day_of
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.errors import AlreadyExists
from socialsite.table.writing import create


@on(Post, "INSERT", "MODIFY")
def count_word_hits(change: Change, ledger: Ledger) -> None:
    """Counts the word filters that a new post met, or that an edit met and the text before did not. A post that is
    refused is never written, so nobody counts it. Safe to run twice: the counts of a day are created once, and the
    ledger adds to them."""
    post, old = change.item, change.old
    assert isinstance(post, Post)
    before = str(old.flagged or "").split() if isinstance(old, Post) else []
    met = [rule_id for rule_id in str(post.flagged or "").split() if rule_id not in before]
    if not met:
        return
    day, end = day_of(change.moment), change.moment + timedelta(days=KEPT_DAYS)
    counts = [DayCount.of_word(rule_id=rule_id, day=day, ttl=end) for rule_id in met]
    for count in counts:
        with suppress(AlreadyExists):
            create(count)
    # Nothing may fail between the entries: a retry would make the first one twice.
    for count in counts:
        ledger.add(DayCount, count.key, DayCount.times, 1, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing: the counts of a day go by TTL, long after its posts were counted."""
