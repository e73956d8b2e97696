"""What moderators did for a person without deciding about them, and the record of the person's own reports."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from moderation.models import ReporterRecord, Secured
from privacy.export.account_records import Lines
from privacy.export.kinds import MOMENT, NUMBER, TEXTS, Field, Kind, Owner
from privacy.export.post_records import moment_of
from socialsite.table import RawItem, row

SECURED = Kind(
    "secured",
    _("When your account was secured"),
    {
        "at": Field(
            MOMENT, "When moderators secured it, as someone else may have used it, in UTC."
        ),
        "posts": Field(TEXTS, "The ids of the posts that are still hidden for it."),
        "undone_at": Field(MOMENT, "When they took it back, empty if they did not."),
    },
    ((_("When"), "at"),),
)
REPORTS_RECORD = Kind(
    "reports-record",
    _("What became of your reports"),
    {
        "upheld": Field(NUMBER, "On how many of the people you reported moderators acted."),
        "rejected": Field(NUMBER, "Of how many they said that no rule was broken."),
        "open": Field(NUMBER, "How many they have not answered."),
    },
    ((_("Upheld"), "upheld"), (_("Rejected"), "rejected"), (_("Open"), "open")),
)


def secured_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        secured = row(Secured, raw)
        yield (
            SECURED.name,
            {
                "at": moment_of(secured.secured_id),
                "posts": list(secured.posts or ()),
                "undone_at": secured.undone_at,
            },
        )


def record_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    """Yields what the record says of the person's own reports. Whether staff mute them is theirs."""
    for raw in raws:
        record = row(ReporterRecord, raw)
        numbers = int(record.upheld), int(record.rejected), int(record.waiting)
        yield REPORTS_RECORD.name, dict(zip(("upheld", "rejected", "open"), numbers, strict=True))
