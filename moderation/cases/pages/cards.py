"""Cases as templates show them: frozen cards made from raw items, with every string that a loop needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy

from accounts.cards import PersonCard
from moderation.cases.cases import CaseId
from moderation.cases.services.report import THE_SITE
from moderation.models import (
    Case,
    CaseKind,
    CaseNote,
    CaseReport,
    ReportSaying,
)
from moderation.rules.preset_texts import done_word
from socialsite.clock import utc_now_iso
from socialsite.site.default_rules import MINOR, SERIOUS, URGENT
from socialsite.site.site_rules import rule_of, site_rules
from socialsite.table import ids, keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.web.ago import ago

Found = Mapping[Key, RawItem]
URGENCIES = {
    URGENT: gettext_lazy("Urgent"),
    SERIOUS: gettext_lazy("Serious"),
    MINOR: gettext_lazy("Minor"),
}
LANGUAGES = dict(settings.LANGUAGES)


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case in a list. `looking` is the person who reviews it now, `assigned` the moderator it is assigned to."""

    case_id: CaseId
    url: str
    queue: str
    urgency: int
    reports: int
    rules: tuple[str, ...]
    languages: tuple[str, ...]  # of the site, as far as they are known
    version: int
    round: int
    place: str  # in its queue, empty if the case is closed
    opened_iso: str
    opened_ago: str
    person: PersonCard | None
    kept_until: datetime | None = None  # of an erased person's case
    looking: PersonCard | None = None
    assigned: PersonCard | None = None
    appealed: str = ""
    appeals: int = 0  # that wait
    acted: str = ""  # the kind of the last action that left it open
    decision: str = ""  # the id of the action that closed it
    outcome: str = ""  # the kind of the action that the round ended with, if known
    is_undone: bool = False  # whether nothing of the outcome stands
    closed_by: PersonCard | None = None
    closed_ago: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        case = row(Case, raw)
        case_id = CaseId(CaseKind(case.kind), case.subject_id)
        opened, place = case.opened_at, case.escalated_at
        looks = case.claimed_until > utc_now_iso()
        return cls(
            case_id=case_id,
            url=case_id.url,
            queue=case.queue,
            urgency=int(case.severity),
            reports=int(case.reports),
            rules=tuple(case.rules),
            languages=tuple(sorted(case.languages)),
            version=int(case.version),
            round=int(case.round),
            place=place,
            opened_iso=opened,
            opened_ago=ago(datetime.fromisoformat(opened)),
            person=person_of(case.person_id, found),
            kept_until=case.ttl,
            looking=person_of(case.claimed_by, found) if looks else None,
            assigned=person_of(case.assigned_to, found),
            appealed=case.appealed,
            appeals=int(case.appeals or bool(case.appealed)),
            acted=case.acted,
            decision=case.decision,
        )

    @property
    def is_open(self) -> bool:
        return bool(self.place)

    @property
    def has_severity(self) -> bool:
        """A sign-up has no severity."""
        return self.case_id.kind == CaseKind.PERSON

    @property
    def urgency_text(self) -> str:
        return str(URGENCIES[self.urgency])

    @property
    def named_languages(self) -> list[tuple[str, str]]:
        """Returns the languages, each with its code and its own name."""
        return [(code, LANGUAGES[code]) for code in self.languages if code in LANGUAGES]

    @property
    def is_erased(self) -> bool:
        """Whether the person's account was erased, or is just being."""
        return self.person is None or self.kept_until is not None

    @property
    def outcome_word(self) -> str:
        if self.outcome == "gone" and self.case_id.kind != CaseKind.POST:
            return gettext("The account was deleted")
        what = done_word(self.outcome)
        return gettext("%(what)s, undone") % {"what": what} if self.is_undone else what

    @property
    def reasons(self) -> list[str]:
        return [rule_of(rule_id).reason for rule_id in self.rules]


@dataclass(frozen=True, slots=True)
class ReportCard:
    reporter: PersonCard | None  # None where the site itself reported, and for deleted accounts
    rule_id: str
    comment: str
    posts: tuple[str, ...]
    iso: str
    ago: str
    is_of_this_round: bool
    words: tuple[str, ...] = ()  # of the word filters for which the site reports
    is_by_site: bool = False
    before: tuple[
        "ReportCard", ...
    ] = ()  # what the reporter said earlier in this round, oldest first

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found, round_number: int) -> Self:
        report = row(CaseReport, raw)
        at = report.reported_at
        latest = cls(
            reporter=person_of(report.reporter_id, found),
            rule_id=report.rule_id,
            comment=report.comment,
            posts=tuple(report.posts),
            iso=at,
            ago=ago(datetime.fromisoformat(at)),
            is_of_this_round=report.round == round_number,
            words=words_in(report.word_ids),
            is_by_site=report.reporter_id == THE_SITE,
        )
        return replace(latest, before=tuple(map(latest._said, report.said_before or ())))

    def _said(self, earlier: ReportSaying) -> Self:
        """Returns a card of what the reporter said before. Posts and word filters stand on the latest one."""
        return replace(
            self,
            rule_id=earlier.rule_id or "",
            comment=earlier.comment or "",
            posts=(),
            iso=earlier.said_at,
            ago=ago(datetime.fromisoformat(earlier.said_at)),
            words=(),
        )


@dataclass(frozen=True, slots=True)
class NoteCard:
    moderator: PersonCard | None
    text: str
    iso: str
    ago: str

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        note = row(CaseNote, raw)
        at = ids.time_of(note.note_id)
        moderator = person_of(note.moderator_id, found)
        return cls(moderator, note.text, at.isoformat(), ago(at))


def words_in(rule_ids: Iterable[str]) -> tuple[str, ...]:
    """Returns the words of these word filters as they are now, without those that staff removed since."""
    met = site_rules().words_met(" ".join(rule_ids))
    return tuple(sorted(word.pattern for word in met))


def person_of(user_id: str, found: Found) -> PersonCard | None:
    raw = found.get(keys.user_info(user_id))
    return PersonCard.from_raw(raw) if raw else None
