"""The weekly letter to staff, as the clock writes it: to those who have a role at that moment, by what it permits."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.mail.choices import Regular
from accounts.mail.letters import Entry, Letter, Section
from accounts.mail.regular import Facts, Reader, Written, last_words, regular_letter
from accounts.permissions import permissions_of_role
from moderation.cases.words import SUBJECTS
from moderation.models import Queue
from moderation.staff.waiting import Waiting
from operations.staff_letter.reads import Broken, ForStaff, find_for_staff

MB = 1024 * 1024
WORKER = "/operations/worker"


@regular_letter(Regular.STAFF)
def write_to_staff(reader: Reader, facts: Facts, is_last: bool) -> Written:
    """Writes what waits and what broke. Nothing for someone who has no role any more. `permissions_of_role`, and what
    `find_for_staff` reads."""
    assert reader.viewer.card
    permissions = permissions_of_role(reader.viewer.card.role)
    if not permissions:
        return Written()
    found = find_for_staff(permissions)
    if not found.is_anything:
        return Written()
    return Written(staff_letter(found, reader.viewer.handle, is_last=is_last))


def staff_letter(found: ForStaff, handle: str, *, is_last: bool = False) -> Letter:
    sections = [
        Section(_("Waiting for a decision"), tuple(map(_queue, found.waiting))),
        Section(_("Not as it should be"), tuple(_broken(found.broken))),
    ]
    cases = sum(one.count for one in found.waiting)
    text = ngettext("This week: %(n)d open case", "This week: %(n)d open cases", cases)
    return Letter(
        text % {"n": cases} if cases else _("This week: something needs a look"),
        (_("This is how the site is, for @%(handle)s.") % {"handle": handle},),
        sections=tuple(one for one in sections if one.entries),
        button=_("Open the queue") if cases else _("See the worker"),
        path="/moderation/queue" if cases else WORKER,
        after=(last_words(),) if is_last else (),
        regular=Regular.STAFF,
    )


def _queue(waiting: Waiting) -> Entry:
    return Entry(
        ngettext("%(n)s case", "%(n)s cases", waiting.count) % {"n": waiting.count_text},
        by=str(SUBJECTS[Queue(waiting.place)]),
        path=f"/moderation/queue?queue={waiting.place}",
        note=_("the oldest: %(ago)s") % {"ago": waiting.oldest_ago} if waiting.oldest else "",
    )


def _broken(broken: Broken) -> Iterator[Entry]:
    for text in _sentences(broken):
        yield Entry(text, path=WORKER)


def _sentences(broken: Broken) -> Iterator[str]:
    if broken.free_bytes is not None:
        yield _("Only %(n)d MB are left on the disk.") % {"n": broken.free_bytes // MB}
    if broken.has_no_backup:
        yield _("There is no backup yet.")
    if broken.backup_age is not None:
        days = broken.backup_age.days
        text = ngettext(
            "The last backup is %(n)d day old.", "The last backup is %(n)d days old.", days
        )
        yield text % {"n": days}
    if broken.stands_still:
        yield _("Nobody reads the stream, so counts and timelines stand still.")
    if broken.behind:
        yield _("The stream is %(n)d seconds behind.") % {"n": broken.behind}
    if broken.has_gap:
        yield _("Records of the stream were lost unread.")
    if broken.parked:
        text = ngettext(
            "%(n)d record of the stream is parked.",
            "%(n)d records of the stream are parked.",
            broken.parked,
        )
        yield text % {"n": broken.parked}
    if broken.clock_behind:
        yield _("Work that waits for a time is %(n)d seconds late.") % {"n": broken.clock_behind}
