"""Counts votes in polls."""

from feed.polls.models import Vote, counter, difference
from feed.polls.writes import clear_votes
from feed.posts.models import LikeCount
from socialsite import keys
from socialsite.streams import Change, Ledger, on


@on(Vote, "INSERT", "MODIFY", "REMOVE")
def count_vote(change: Change, ledger: Ledger) -> None:
    """Adds a new, changed or removed vote to the post's counts, through the ledger, which counts each record once: of a
    changed vote the difference.

    If the counts are gone, so is the post. Then a vote that came during the deletion is cleared too.

    As `count_like`: one line for each poll, 2 write units, however many choices.
    """
    vote = change.item
    assert isinstance(vote, Vote)

    def clear_vote() -> None:
        if change.new:
            clear_votes([vote])

    sums = [(counter(name), number) for name, number in difference(change.old, change.new).items()]
    if sums:
        ledger.add_all(LikeCount, keys.like_count(vote.post_id), sums, if_gone=clear_vote)
