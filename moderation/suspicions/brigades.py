"""Noticing that many turn against one person: within one hour they are reported, answered or mentioned by several
accounts that are younger than a day or follow each other. It is one hint, whatever they do, and proves nothing."""

from collections.abc import Sequence
from datetime import datetime

from pynamodb.expressions.update import Action

from feed.posts.models import Post
from moderation.models import Hint, HintKind, SamePost
from moderation.suspicions.reads import KEPT, hint_id_of
from moderation.suspicions.writes import NEWCOMER, hint_at, note_account
from socialsite.table import (
    Change,
    NotFound,
    RawItem,
    access_pattern,
    fetch,
    ids,
    keys,
    row,
    transact,
)

MOST_TARGETS = 3  # of a post
MOST_COMPARED = 20  # accounts that may follow each other


@access_pattern
def note_answers(post: Post, *, moment: datetime) -> None:
    """Notes the post of an account younger than a day for the person whom it answers and for those whom it mentions, at
    most 3, and from 5 accounts on the hint that staff see. Safe to repeat with the same moment.

    For each, one TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 accounts, 1 read
    unit per 4 KB; from the fifth account on, one TransactWriteItems of Hint, 2 write units.
    """
    mentioned = post.mentions.as_dict().values() if post.mentions else ()
    targets = dict.fromkeys([post.reply_to_author_id or "", *sorted(mentioned)])
    for target_id in [one for one in targets if one and one != post.author_id][:MOST_TARGETS]:
        hint_id = _hint_id(target_id, moment)
        noted = [SamePost.posts.add({post.post_id}), SamePost.counts.set("yes")]
        rows = note_account(hint_id, post.author_id, moment, *noted)
        _hint(
            hint_id,
            target_id,
            rows,
            moment,
            Hint.sample_id.set(post.post_id),
            Hint.sample_author_id.set(post.author_id),
        )


@access_pattern
def note_report(reporter_id: str, *, target_id: str, moment: datetime) -> None:
    """Notes someone who reported a person, and from 5 accounts on that are younger than a day or follow each other the
    hint that staff see. Safe to repeat with the same moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 accounts, 1 read unit per
    4 KB; for an older account beside others a BatchGetItem of at most 40 follows, 0.5 read units each, and if some are
    found one more write of each; from the fifth account on, one TransactWriteItems of Hint, 2 write units.
    """
    hint_id = _hint_id(target_id, moment)
    is_new = moment - ids.time_of(reporter_id) <= NEWCOMER
    noted: list[Action] = [SamePost.counts.set("yes")] if is_new else []
    rows = note_account(hint_id, reporter_id, moment, *noted)
    friends = _following_each_other(reporter_id, rows)
    marked = {row(SamePost, raw).author_id for raw in rows if row(SamePost, raw).counts}
    unmarked = {reporter_id, *friends} - marked if friends else set()
    for one in sorted(unmarked):
        counts = [SamePost.counts.set("yes"), SamePost.ttl.set(moment + KEPT)]
        transact(Change(SamePost, keys.same_post(hint_id, one), counts, otherwise=NotFound))
    _hint(hint_id, target_id, rows, moment, also=unmarked)


def _hint_id(target_id: str, moment: datetime) -> str:
    return hint_id_of(f"{moment:%Y-%m-%dT%H}", HintKind.BRIGADE, target_id)


def _following_each_other(reporter_id: str, rows: Sequence[RawItem]) -> list[str]:
    """Returns which of the others the reporter follows and is followed by."""
    others = [row(SamePost, raw).author_id for raw in rows]
    others = [one for one in others if one != reporter_id][:MOST_COMPARED]
    ways = {
        one: (keys.following(reporter_id, one), keys.following(one, reporter_id)) for one in others
    }
    found = fetch([key for both in ways.values() for key in both]) if ways else {}
    return [one for one, both in ways.items() if all(key in found for key in both)]


def _hint(
    hint_id: str,
    target_id: str,
    rows: Sequence[RawItem],
    moment: datetime,
    *more: Action,
    also: set[str] | None = None,
) -> None:
    found = [row(SamePost, raw) for raw in rows]
    counted = {one.author_id for one in found if one.counts} | (also or set())
    hint_at(hint_id, HintKind.BRIGADE, len(counted), moment, Hint.target_id.set(target_id), *more)
