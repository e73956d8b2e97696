"""Writes what widely followed authors posted into the timeline of a reader who was shown it (`feed/pulled/news.py`)."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from django.conf import settings

from accounts.models import UserSettings
from feed.models import TimelineEntry
from feed.pulled.news import Merged, entry_of_noted, noted_since, read_lists
from feed.pulled.recent import Recent
from feed.stream_handlers.follow_timeline import entries_since, newest_entries
from feed.stream_handlers.settle_timeline import settle_timeline
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import change, write_batch

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


def _has_news(recent: Recent | None, merged: Merged) -> bool:
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
    user_id: str, author_id: str, recent: Recent | None, merged: Merged
) -> Sequence[TimelineEntry] | Iterator[TimelineEntry]:
    """Returns the entries of an author's news. Before the first merge these are the newest, as after a follow."""
    if not merged.digest or recent is None:
        return newest_entries(user_id, author_id)
    if recent.since > merged.since:  # posts that the timeline lacks have left the list
        last = datetime.fromtimestamp(merged.moment / 1000, UTC)
        return entries_since(user_id, author_id, last - BEFORE)
    return [entry_of_noted(one, user_id) for one in noted_since(recent, merged)]
