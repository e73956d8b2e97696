"""Fills a timeline after a follow, unless the follower mutes the person, and clears it after an unfollow, a block or a
mute, except for posts that a friend still sees, or that a followed tag brings. Rebuilds, by a job, the timeline of
someone who comes back after a long time, because nothing was fanned out to it meanwhile; after stream records were
lost, the same job is entered for everyone who uses the site (`operations/reconcile.py`). Writes what widely followed
authors posted into the timeline of a reader who was shown it (`big_authors.py`).

From the moment of a block or mute, `UserSettings.hidden` keeps the person's posts out of the timeline. It names muted
people until their entries are cleared, and blocked people until the owner is here on another day. Then entries that a
running fan-out put in meanwhile are cleared once more. A timeline is corrected for one author after a worker may have
written late (`streams/late_writes.py`).
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import UserInfo, UserSettings
from feed.posts.models import TimelineEntry
from feed.timelines.big_authors import (
    Merged,
    NewestPosts,
    entry_of_noted,
    forget_to_pull,
    noted_since,
    read_lists,
)
from feed.timelines.writes import (
    END_MUTE,
    clear_entries,
    entries_since,
    fill_timeline,
    learn_if_pulled,
    let_pull,
    newest_entries,
    newest_entries_for_friend,
    plan_end_of_mute,
    settle_timeline,
)
from relations.blocks.writes import carry_mute_over
from relations.models import Following, Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on
from socialsite.streams.late_writes import Recent, remember
from socialsite.table import (
    NotFound,
    RawItem,
    change,
    fetch,
    keys,
    query,
    reading,
    row,
    write_batch,
)
from socialsite.table import change as change_item


@on(Following, "INSERT")
def backfill_timeline(change: Change, ledger: Ledger) -> None:
    """Puts a followed person's newest posts into the follower's timeline, or lets the follower pull them. A Query of
    the newest 40, and BatchWriteItems, 1 write unit each; of someone who is muted 1 read and 4 write units for the
    edge.

    If the follower mutes them, the new edge gets the mute's end, so that fan-out skips it, and posts that a fan-out
    brought before are taken out. Reads consistently, so that no earlier post is missed. Safe to run twice: the entries
    have fixed keys, and the edge gets the same end.
    """
    following = change.item
    assert isinstance(following, Following)
    user_id, author_id = following.user_id, following.followed_id
    remember(change, Recent.TIMELINE, user_id, author_id)
    if carry_mute_over(user_id, author_id):
        learn_if_pulled(user_id, author_id)
        clear_entries(user_id, author_id)
    else:
        fill_timeline(user_id, author_id)
    ledger.note_effect()


@on(Following, "REMOVE")
def empty_timeline(change: Change, ledger: Ledger) -> None:
    """Takes an unfollowed person's posts out of the timeline, except for posts that a friend still sees, or that a
    followed tag brings.

    Safe to run twice: it deletes by key and puts entries with fixed keys. If they are followed again meanwhile, that
    change comes later in the stream and puts the posts back.

    2 read units, a Query of the posts of 30 days, and BatchWriteItems; what stays or comes back is at most the newest
    40. The change is remembered for two days, 1 write unit, so that what a frozen worker writes late can be settled
    (docs/adr/0001-late-writes.md).
    """
    following = change.item
    assert isinstance(following, Following)
    user_id, author_id = following.user_id, following.followed_id
    remember(change, Recent.TIMELINE, user_id, author_id)
    forget_to_pull(user_id, author_id)
    clear_entries(user_id, author_id)
    ledger.note_effect()


HIDING = (RelationType.BLOCK, RelationType.MUTE)


@on(Relation, "INSERT", "MODIFY")
def hide_person(change: Change, ledger: Ledger) -> None:
    """Clears the timeline when a block or mute begins, and fills it again when it ends if the person is still followed.
    A mute for a time gets work for its end. As `empty_timeline`.

    For a friend who is not followed, `clear_entries` brings back the posts for friends. Reads both consistently, so the
    present state decides, in whatever order changes come. Safe to run twice: entries have fixed keys.
    """
    relation = change.item
    assert isinstance(relation, Relation)
    if relation.relation_type not in HIDING:
        return
    ledger.note_effect()
    user_id, other_id = relation.user_id, relation.other_id
    remember(change, Recent.TIMELINE, user_id, other_id)
    own = [keys.relation(user_id, kind, other_id) for kind in HIDING]
    edge = keys.following(user_id, other_id)
    found = fetch([*own, edge], consistent=True)
    if edge not in found or any(is_in_force(found.get(key)) for key in own):
        clear_entries(user_id, other_id)
    elif relation.relation_type == RelationType.MUTE:
        fill_timeline(user_id, other_id)
    if not blocks_either_way(found.get(own[0])):
        _forget(user_id, {other_id})
    plan_end_of_mute(relation)


@due_work(END_MUTE)
def end_mute(due: Due) -> None:
    """Brings the newest posts back once a mute is over, as if its owner had ended it. As `settle_timeline`. Safe to run
    twice: the present state decides."""
    settle_timeline(due.facts["user_id"], due.facts["author_id"])


@on(UserSettings, "MODIFY")
def forget_hidden(change: Change, ledger: Ledger) -> None:
    """Clears posts hidden by blocks and mutes once more when the owner is here on another day, and forgets the names.

    Two BatchGetItems, a Query and BatchWriteItems for each hidden person, one UpdateItem. Safe to run twice: it deletes
    by key and puts entries with fixed keys.
    """
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    if not new.hidden or old.seen == new.seen:
        return
    for other_id in new.hidden:
        if _is_gone(new.user_id, other_id):
            clear_entries(new.user_id, other_id)
    _forget(new.user_id, new.hidden)
    ledger.note_effect()


def _forget(user_id: str, other_ids: set[str]) -> None:
    try:
        forgotten = [UserSettings.hidden.delete(other_ids)]
        change_item(UserSettings, keys.user_settings(user_id), forgotten)
    except NotFound:  # the account is gone
        return


def _is_gone(user_id: str, other_id: str) -> bool:
    edge, mute = (
        keys.following(user_id, other_id),
        keys.relation(user_id, RelationType.MUTE, other_id),
    )
    found = fetch([edge, mute], consistent=True)
    return edge not in found or is_in_force(found.get(mute))


PEOPLE_A_STEP = 10
FRIENDS = keys.relation_bounds(RelationType.FRIEND)


@on(UserSettings, "MODIFY")
def begin_rebuild(change: Change, ledger: Ledger) -> None:
    """Enters the job when someone comes back after more than a month, once for each return."""
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    away = date.fromisoformat(new.seen) - date.fromisoformat(old.seen)
    if away >= timedelta(days=settings.ABSENT_AFTER_DAYS):
        job_id = f"{new.user_id}-{new.seen}"
        ledger.create(Job.new(kind=JobKind.REBUILD, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.REBUILD)
def rebuild_step(job: Job) -> Step:
    """Adds the newest posts of the next people they follow. After those, adds posts for friends by the next friends
    they do not follow. Leaves out muted people, so that a mute outlasts an absence. Lets them pull whom they follow and
    do not pull, as the record of the follow was lost.

    The cursor is a sort key of the first list, then of the second. A Query of 10 people, a consistent BatchGetItem of
    what is between (about 21 read units, or 30), and for each a Query and BatchWriteItems of entries.
    """
    first_friend = FRIENDS[0]
    if job.cursor.startswith(first_friend):
        return _bring_friends(job)
    step = _bring_followed(job)
    return step if step.cursor else Step(step.done, first_friend)


def _bring_followed(job: Job) -> Step:
    user_id, settings_key = job.subject_id, keys.user_settings(job.subject_id)
    chunk = _next_people(keys.followings(user_id), job.cursor)
    followed_ids = [row(Following, raw).followed_id for raw in chunk]
    mutes = {one: keys.relation(user_id, RelationType.MUTE, one) for one in followed_ids}
    infos = {one: keys.user_info(one) for one in followed_ids}
    found = fetch([settings_key, *mutes.values(), *infos.values()], consistent=True)
    wide = {one for one in followed_ids if row(UserInfo, found.get(infos[one], {})).reading}
    untaught = wide - set(row(UserSettings, found.get(settings_key, {})).pulled)
    let_pull((user_id, author_id) for author_id in sorted(untaught))
    for followed_id in followed_ids:
        if not is_in_force(found.get(mutes[followed_id])):
            write_batch(puts=newest_entries(user_id, followed_id))
    return _step_over(chunk)


def _bring_friends(job: Job) -> Step:
    user_id = job.subject_id
    chunk = _next_people(keys.relations(user_id), job.cursor, between=FRIENDS)
    friend_ids = [row(Relation, raw).other_id for raw in chunk if is_in_force(raw)]
    edges = {one: keys.following(user_id, one) for one in friend_ids}
    mutes = {one: keys.relation(user_id, RelationType.MUTE, one) for one in friend_ids}
    friendships = {one: keys.relation(one, RelationType.FRIEND, user_id) for one in friend_ids}
    found = fetch([*edges.values(), *mutes.values(), *friendships.values()], consistent=True)
    for friend_id in friend_ids:
        if edges[friend_id] not in found and not is_in_force(found.get(mutes[friend_id])):
            friendship = found.get(friendships[friend_id])
            write_batch(puts=newest_entries_for_friend(user_id, friend_id, friendship))
    return _step_over(chunk)


def _next_people(
    partition: str, cursor: str, between: tuple[str, str] | None = None
) -> list[RawItem]:
    after = keys.Key(partition, cursor) if cursor else None
    people = query(partition, after=after, between=between, consistent=True, limit=PEOPLE_A_STEP)
    return list(islice(people, PEOPLE_A_STEP))


def _step_over(chunk: list[RawItem]) -> Step:
    more = len(chunk) == PEOPLE_A_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)


AUTHORS_A_STEP = 50
BEFORE = timedelta(days=1)  # a post may come into its list so much later than it was made


@job_step(JobKind.MERGE_PULLED)
def merge_step(job: Job) -> Step:
    """Writes the entries of the next authors, in the order of their ids, for those whom the reader does not mute. After
    the last, notes the state that the reader's page saw as merged. Safe to run twice: entries have fixed keys.

    Consistent reads of the settings, the lists and the mutes, 1 read unit each, and BatchWriteItems of entries. A Query
    of the posts of an author whose list has become too short. If someone unfollows or mutes an author meanwhile, their
    entries are put right.
    """
    user_id = job.subject_id
    own = _settings(user_id)
    merged = _last_merged(own)
    author_ids = [one for one in sorted(own.pulled) if one > job.cursor][:AUTHORS_A_STEP]
    lists = {one.author_id: one for one in read_lists(author_ids, consistent=True)}
    with_news = [one for one in author_ids if _has_news(lists.get(one), merged)]
    wanted = _wanted(user_id, with_news)
    for author_id in wanted:
        write_batch(puts=_entries(user_id, author_id, lists.get(author_id), merged))
    for author_id in sorted(wanted - _wanted(user_id, wanted)):
        settle_timeline(user_id, author_id)
    if len(author_ids) == AUTHORS_A_STEP:
        return Step(len(author_ids), author_ids[-1])
    with suppress(NotFound):  # the account is gone
        change(UserSettings, keys.user_settings(user_id), [UserSettings.merged.set(job.until)])
    return Step(len(author_ids), None)


def _settings(user_id: str) -> UserSettings:
    """Returns the settings, empty ones if the account is gone."""
    key = keys.user_settings(user_id)
    return row(UserSettings, fetch([key], consistent=True).get(key, {}))


def _last_merged(own: UserSettings) -> Merged:
    """Returns when the timeline was last merged: never, if its reader was away for so long that it is rebuilt."""
    merged = Merged.read(own.merged)
    long_ago = utc_now() - timedelta(days=settings.ABSENT_AFTER_DAYS)
    return merged if merged.moment > long_ago.timestamp() * 1000 else Merged()


def _has_news(recent: NewestPosts | None, merged: Merged) -> bool:
    """Whether posts of an author may be missing. Before the first merge those without a list may have some too."""
    if not merged.digest or recent is None:
        return not merged.digest
    return any(noted_since(recent, merged))


def _wanted(user_id: str, author_ids: Sequence[str] | set[str]) -> set[str]:
    """Returns those of the authors whom the reader pulls and does not mute."""
    mutes = {one: keys.relation(user_id, RelationType.MUTE, one) for one in author_ids}
    settings_key = keys.user_settings(user_id)
    found = fetch([settings_key, *mutes.values()], consistent=True)
    pulled = set(row(UserSettings, found.get(settings_key, {})).pulled)
    return {one for one in pulled & mutes.keys() if not is_in_force(found.get(mutes[one]))}


def _entries(
    user_id: str, author_id: str, recent: NewestPosts | None, merged: Merged
) -> Sequence[TimelineEntry] | Iterator[TimelineEntry]:
    """Returns the entries of an author's news. Before the first merge these are the newest, as after a follow."""
    if not merged.digest or recent is None:
        return newest_entries(user_id, author_id)
    if recent.since > merged.since:  # posts that the timeline lacks have left the list
        last = datetime.fromtimestamp(merged.moment / 1000, UTC)
        return entries_since(user_id, author_id, last - BEFORE)
    return [entry_of_noted(one, user_id) for one in noted_since(recent, merged)]
