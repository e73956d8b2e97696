"""Keeps the newest posts of people who are in a list, for its timeline, and ends that with the last list. Only the
stream worker calls these. Each looks at what is there now, so each may run twice and in any order."""

from accounts.models import UserInfo
from feed.timelines.big_authors import keep_newest
from relations.models import Listing
from socialsite.streams import Change, Ledger, on
from socialsite.table import Change as ChangeItem
from socialsite.table import (
    Erase,
    Moved,
    WriteAction,
    fetch,
    keys,
    query,
    row,
    transact,
    write_optimistically,
)


@on(Listing, "INSERT")
def keep_posts(change: Change, ledger: Ledger) -> None:
    """Notes that someone has the person in a list, and makes the list of their newest posts.

    A consistent BatchGetItem of the profile and a Query of the newest posts. Once for a person 1 write unit per KB of
    the profile and of the list; for further lists 1 read unit more and no write. From the note on each new post comes
    into it (`feed/timelines/fan_out_stream.py`).
    """
    listing = change.item
    assert isinstance(listing, Listing)
    ledger.note_effect()
    keep_newest(listing.user_id)


@on(Listing, "REMOVE")
def forget_posts(change: Change, ledger: Ledger) -> None:
    """Ends what `keep_posts` began once nobody has the person in a list: deletes the list of their newest posts, unless
    they are widely followed. One consistent Query, 1 read unit, and then a BatchGetItem and a TransactWriteItems, 4
    write units. If they come into a list just then, that change comes later in the stream."""
    listing = change.item
    assert isinstance(listing, Listing)
    ledger.note_effect()
    user_id = listing.user_id
    if any(True for _ in query(keys.listings(user_id), limit=1, consistent=True)):
        return
    key = keys.user_info(user_id)

    def attempt() -> None:
        info = row(UserInfo, fetch([key], consistent=True).get(key, {}))
        if not info.listed:
            return
        noted, erased = UserInfo.listed.exists(), list[WriteAction]()
        if not info.reading:  # else followers need the posts
            noted &= UserInfo.reading.does_not_exist()
            erased = [Erase(keys.recent_posts(user_id))]
        transact(ChangeItem(UserInfo, key, [UserInfo.listed.remove()], noted, Moved), *erased)

    write_optimistically(attempt)
