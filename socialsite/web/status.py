"""`/status`: what works now, for everyone, in plain words; linked from the page that says that the site is away.

It says only what the processes behind the pages noted, and since when: no figure, no name of a machine. Each process
keeps it for some seconds. While the table is away it says so from its own memory, and asks nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from socialsite.clock import utc_now
from socialsite.engine.program import EngineError
from socialsite.engine.running import is_full
from socialsite.process_state import KeptCopy
from socialsite.site_settings.read_only import announced, read_only_now
from socialsite.streams.status import WorkerStatus, read_worker_status
from socialsite.table import TableError
from socialsite.web import preferences

KEPT_SECONDS = 15
LATE_AFTER = 60  # seconds
LETTERS_LATE_AFTER = 600


class Works(StrEnum):
    WELL = "well"
    LATE = "late"
    NOT = "not"


@dataclass(frozen=True, slots=True)
class Part:
    """Something that people do here, how it works, since when if not well, and what that means for them."""

    label: str | Promise
    works: Works = Works.WELL
    since: datetime | None = None
    text: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Writing:
    """Whether the operators stopped what is saved, since and until when, and for when they plan to."""

    is_stopped: bool = False
    since: datetime | None = None
    until: datetime | None = None
    planned: datetime | None = None


def read_writing() -> Writing:
    """Returns whether people can save things. Costs as `read_only_now`."""
    if now := read_only_now():
        since, until = (
            datetime.fromisoformat(one) if one else None for one in (now.since, now.until)
        )
        return Writing(is_stopped=True, since=since, until=until)
    ahead = announced()
    return Writing(planned=datetime.fromisoformat(ahead.begins) if ahead else None)


@dataclass(frozen=True, slots=True)
class Status:
    parts: tuple[Part, ...]
    planned: datetime | None = None
    until: datetime | None = None  # when people can save things again, if that is known

    @property
    def works(self) -> Works:
        found = {part.works for part in self.parts}
        return next(one for one in (Works.NOT, Works.LATE, Works.WELL) if one in found)


READING, SAVING = _("Reading"), _("Posting and everything else that is saved")
TIMELINES, SEARCH = _("Timelines, counts and notifications"), _("Searching")
PLANNED, PICTURES = _("Scheduled posts and ends of polls"), _("New pictures")
LETTERS, PUSHES = _("Letters by email"), _("Notifications on your devices")

ALL_STAND = _("Nobody can use the site until its database answers again. What you saved is safe.")
NOT_SAVED = _("You can read, but what you send is not saved now. Pages say so when you try.")
COME_LATER = _(
    "New posts, likes and replies are saved, and are seen later by others. None is lost."
)
FOUND_LATER = _("Posts from before are found. New ones are found later.")
DONE_LATER = _("They come later than planned. None is lost.")
SENT_LATER = _("They come late, those for a new password too.")
NO_PICTURES = _("There is no room for new pictures now. Those that are there are shown.")
NO_PUSHES = _("They come late or not at all. The bell on the site has everything.")

_away_since: list[datetime] = []  # one at most: since when this process cannot reach the table


def read_status() -> Status:
    """Returns how the parts of the site work. As `read_worker_status`, nothing while the table is away."""
    try:
        worker = read_worker_status()
    except (TableError, EngineError):
        _away_since.extend([] if _away_since else [utc_now()])
        return Status(tuple(_without_table(_away_since[0])))
    _away_since.clear()
    writing = read_writing()
    parts = _parts(worker, writing, is_disk_full=is_full(settings.DATA_DIR))
    return Status(tuple(parts), writing.planned, writing.until)


_kept = KeptCopy(read_status, seconds=lambda: KEPT_SECONDS)


def _without_table(since: datetime) -> Iterator[Part]:
    for label in (READING, SAVING):
        yield Part(label, Works.NOT, since, ALL_STAND if label is READING else "")
    for label in (TIMELINES, SEARCH, PLANNED, PICTURES, LETTERS, PUSHES):
        yield Part(label, Works.NOT, since)


def _parts(worker: WorkerStatus, writing: Writing, *, is_disk_full: bool) -> Iterator[Part]:
    is_shut = writing.is_stopped or is_disk_full
    yield Part(READING)
    yield Part(SAVING, Works.NOT, writing.since, NOT_SAVED) if is_shut else Part(SAVING)
    behind = _late(worker.lag, LATE_AFTER, is_working=worker.is_working)
    later = DONE_LATER if writing.is_stopped else COME_LATER  # nothing new is saved
    yield Part(TIMELINES, Works.LATE, behind, later) if behind else Part(TIMELINES)
    yield Part(SEARCH, Works.LATE, behind, FOUND_LATER) if behind else Part(SEARCH)
    late = _late(worker.clock.lag, LETTERS_LATE_AFTER, is_working=worker.clock.is_working)
    yield Part(PLANNED, Works.LATE, late, DONE_LATER) if late else Part(PLANNED)
    no_pictures = NO_PICTURES if is_disk_full else NOT_SAVED
    yield Part(PICTURES, Works.NOT, writing.since, no_pictures) if is_shut else Part(PICTURES)
    failing = _late(worker.letters_fail, LETTERS_LATE_AFTER, is_working=True) or late
    yield Part(LETTERS, Works.LATE, failing, SENT_LATER) if failing else Part(LETTERS)
    if worker.pusher:
        lag, is_working = worker.pusher.lag, worker.pusher.is_working
        away = _late(lag, LETTERS_LATE_AFTER, is_working=is_working)
        yield Part(PUSHES, Works.LATE, away, NO_PUSHES) if away else Part(PUSHES)


def _late(lag: int, most: int, *, is_working: bool) -> datetime | None:
    """Returns since when something is late, to the minute, None if it is not."""
    if is_working and lag <= most:
        return None
    return (utc_now() - timedelta(seconds=lag)).replace(second=0, microsecond=0)


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Shows how the site works. It names no viewer and reads nothing for one, so it is there when pages are not. Once
    in 15 seconds in each process as `read_status`."""
    shown = {"status": _kept.get(), **preferences.in_templates(request)}
    response = HttpResponse(render_to_string("status.html", shown))
    patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    patch_vary_headers(response, ["Accept-Language"])
    return response
