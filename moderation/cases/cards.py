"""Cases, reported photos and reported profiles as templates show them: frozen cards made from raw items, with every
string that a loop needs. Photos are covered, until one asks for a photo. Profiles are shown as they were, with what has
changed since."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from django.conf import settings
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from moderation.cases.evidence import CAN_BE_RESET
from moderation.cases.packs import ABOUT, TITLE, part_named, part_of_pack
from moderation.cases.photo_cards import PhotoCard
from moderation.cases.reads import THE_SITE, CaseId
from moderation.cases.reporters import ReporterCard
from moderation.cases.words import done_word
from moderation.models import (
    Case,
    CaseKind,
    CaseNote,
    CaseReport,
    PackEvidence,
    ProfileEvidence,
    ReportSaying,
)
from relations.models import PersonList
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_rules import rule_of, site_rules
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT
from socialsite.table import Key, RawItem, ids, keys, row
from socialsite.texts import isolated, shortened
from socialsite.web.preferences import ago
from socialsite.web.rich_text import rich_text

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
    held_until: str = ""  # of a legal hold on the case
    looking: PersonCard | None = None
    assigned: PersonCard | None = None
    line: str = ""  # of what was reported
    raised: str = ""  # the note with which a senior was asked
    appealed: str = ""
    appeals: int = 0  # that wait
    acted: str = ""  # the kind of the last action that left it open
    steps_done: frozenset[str] = frozenset()  # of the checklist of somebody in danger
    refused_pictures: int = 0  # blocked ones that they tried to upload
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
            held_until=case.held_until,
            looking=person_of(case.claimed_by, found) if looks else None,
            assigned=person_of(case.assigned_to, found),
            line=case.line,
            raised=case.raised,
            appealed=case.appealed,
            appeals=int(case.appeals or bool(case.appealed)),
            acted=case.acted,
            decision=case.decision,
            steps_done=frozenset(case.steps_done or ()),
            refused_pictures=int(case.refused_pictures or 0),
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
    original_id: str = ""  # the account that the person pretends to be, as the reporter says
    record: ReporterCard | None = None  # what became of the reporter's reports
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
            original_id=report.original_id or "",
            record=ReporterCard.from_raw(found.get(keys.reporter_record(report.reporter_id))),
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
    note_id: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        note = row(CaseNote, raw)
        at = ids.time_of(note.note_id)
        moderator = person_of(note.moderator_id, found)
        return cls(moderator, note.text, at.isoformat(), ago(at), note.note_id)


def words_in(rule_ids: Iterable[str]) -> tuple[str, ...]:
    """Returns the words of these word filters as they are now, without those that staff removed since."""
    met = site_rules().words_met(" ".join(rule_ids))
    return tuple(sorted(word.pattern for word in met))


def person_of(user_id: str, found: Found) -> PersonCard | None:
    raw = found.get(keys.user_info(user_id))
    return PersonCard.from_raw(raw) if raw else None


PARTS_IN_WORDS: dict[str, Promise] = {
    "handle": _("Handle"),
    "name": _("Display name"),
    "bio": _("Bio"),
    "gender": _("Pronouns"),
    "location": _("Location"),
    "avatar": _("Picture"),
    "header": _("Header picture"),
}


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """A profile as it was reported. `changed` names what is different now. `pictures` are covered until the moderator
    asks for one. A picture that was kept with several versions is with the first."""

    handle: str
    name: str
    bio_html: SafeString
    gender: str
    location: str
    pictures: tuple[PhotoCard, ...]
    iso: str
    ago: str
    changed: tuple[str, ...]

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found, pictures: dict[str, PhotoCard]) -> Self:
        kept = row(ProfileEvidence, raw)
        raw_now = found.get(keys.user_info(kept.person_id))
        now = row(UserInfo, raw_now) if raw_now else kept  # of someone who is gone nothing changed
        different = [name for name in PARTS_IN_WORDS if getattr(kept, name) != getattr(now, name)]
        if not kept.gender and "gender" in different:
            different.remove("gender")  # profiles of earlier versions were kept without
        return cls(
            handle=kept.handle,
            name=isolated(kept.name) or kept.handle,
            bio_html=rich_text(kept.bio, {}),
            gender=kept.gender,
            location=kept.location,
            pictures=tuple(
                pictures.pop(name) for name in (kept.avatar, kept.header) if name in pictures
            ),
            iso=kept.kept_at,
            ago=ago(datetime.fromisoformat(kept.kept_at)),
            changed=tuple(str(PARTS_IN_WORDS[name]) for name in different),
        )


WORDS_OF_PACKS: dict[str, Promise] = {
    TITLE: _("Title of a starter pack"),
    ABOUT: _("Description of a starter pack"),
}


@dataclass(frozen=True, slots=True)
class PackCard:
    """A starter pack as it was reported, and its words as they are now."""

    list_id: str
    handle: str
    title: str
    about: str
    iso: str
    ago: str
    url: str  # empty if others do not see it now
    title_now: str
    about_now: str
    is_gone: bool
    is_withdrawn: bool

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found, owner: PersonCard | None) -> Self:
        kept = row(PackEvidence, raw)
        raw_now = found.get(keys.person_list(kept.person_id, kept.list_id))
        now = row(PersonList, raw_now or {})
        is_offered = bool(owner and now.pack_title) and not now.withdrawn
        return cls(
            list_id=kept.list_id,
            handle=kept.handle,
            title=isolated(kept.title),
            about=kept.about,
            iso=kept.kept_at,
            ago=ago(datetime.fromisoformat(kept.kept_at)),
            url=f"{owner.url}/packs/{kept.list_id}" if owner and is_offered else "",
            title_now=isolated(now.pack_title),
            about_now=now.pack_about,
            is_gone=not now.pack_title,
            is_withdrawn=bool(now.withdrawn),
        )

    @property
    def can_be_acted_on(self) -> bool:
        return bool(self.url)

    @property
    def states(self) -> list[str]:
        """Returns what has become of the pack, in words."""
        is_changed = (self.title, self.about) != (self.title_now, self.about_now)
        states = {
            gettext("Withdrawn by moderators"): self.is_withdrawn,
            gettext("No longer offered"): self.is_gone,
            gettext("Since changed"): is_changed and not self.is_gone,
        }
        return [text for text, holds in states.items() if holds]


def parts_text(parts: Collection[str]) -> str:
    """Returns parts of a profile, and of starter packs, in words."""
    words = {part_of_pack(part)[0] for part in parts}
    in_order = PARTS_IN_WORDS | WORDS_OF_PACKS
    return ", ".join(str(text) for word, text in in_order.items() if word in words)


def parts_to_reset(
    person: PersonCard | None, packs: Iterable[PackCard] = ()
) -> list[tuple[str, str]]:
    """Returns the parts of a profile and of starter packs that can be reset, with what they say now."""
    if person is None:
        return []
    said = {
        "name": person.name if person.name != person.handle else "",
        "bio": person.bio,
        "gender": person.gender,
        "location": person.location,
    }
    pictures = {"avatar": person.avatar_url, "header": person.header}
    words = {part: str(PARTS_IN_WORDS[part]) for part in CAN_BE_RESET}
    return [
        *((part, f"{words[part]}: {shortened(text, 100)}") for part, text in said.items() if text),
        *((part, words[part]) for part, name in pictures.items() if name),
        *_words_to_reset(packs, f"@{person.handle}"),
    ]


def _words_to_reset(packs: Iterable[PackCard], handle: str) -> list[tuple[str, str]]:
    there = {one.list_id: one for one in packs if one.can_be_acted_on}.values()
    said = [(TITLE, one.list_id, one.title_now) for one in there if one.title_now != handle]
    said += [(ABOUT, one.list_id, one.about_now) for one in there if one.about_now]
    return [
        (part_named(word, list_id), f"{WORDS_OF_PACKS[word]}: {shortened(text, 100)}")
        for word, list_id, text in said
    ]
