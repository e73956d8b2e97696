"""Cases as templates show them: frozen cards made from raw items, with every string that a loop needs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from accounts.cards import PersonCard
from accounts.mentions import mentioned_in
from feed.cards import post_url
from feed.long_posts import Fold, fold_of
from feed.models import Audience, Post, Withheld
from feed.polls.said import said_by
from moderation.cases.cases import CaseId, urgency
from moderation.cases.pages.context_cards import Context
from moderation.models import (
    Case,
    CaseEvidence,
    CaseKind,
    CaseNote,
    CaseReport,
)
from moderation.rules.preset_texts import done_word
from socialsite.clock import utc_now_iso
from socialsite.site.default_rules import MINOR, SERIOUS, URGENT
from socialsite.site.site_rules import rule_of
from socialsite.table import ids, keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem
from socialsite.table.row import row
from socialsite.web.ago import ago
from socialsite.web.rich_text import rich_text

Found = Mapping[Key, RawItem]
URGENCIES = {
    URGENT: gettext_lazy("Urgent"),
    SERIOUS: gettext_lazy("Serious"),
    MINOR: gettext_lazy("Minor"),
}


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case in a list. `looking` is the person who reviews it now, `assigned` the moderator it is assigned to."""

    case_id: CaseId
    url: str
    queue: str
    urgency: int
    reports: int
    rules: tuple[str, ...]
    version: int
    round: int
    place: str  # in its queue, empty if the case is closed
    opened_iso: str
    opened_ago: str
    person: PersonCard | None
    looking: PersonCard | None = None
    assigned: PersonCard | None = None
    appealed: str = ""
    decision: str = ""  # the id of the action that closed it
    outcome: str = ""  # the kind of that action, if known
    closed_by: PersonCard | None = None
    closed_ago: str = ""

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        case = row(Case, raw)
        case_id = CaseId(CaseKind(case.kind), case.subject_id)
        reports, severity = int(case.reports), int(case.severity)
        opened, place = case.opened_at, case.escalated_at
        looks = case.claimed_until > utc_now_iso()
        return cls(
            case_id=case_id,
            url=case_id.url,
            queue=case.queue,
            urgency=int(place[0]) if place else urgency(severity, reports),
            reports=reports,
            rules=tuple(case.rules),
            version=int(case.version),
            round=int(case.round),
            place=place,
            opened_iso=opened,
            opened_ago=ago(datetime.fromisoformat(opened)),
            person=person_of(case.person_id, found),
            looking=person_of(case.claimed_by, found) if looks else None,
            assigned=person_of(case.assigned_to, found),
            appealed=case.appealed,
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
    def outcome_word(self) -> str:
        return done_word(self.outcome)

    @property
    def reasons(self) -> list[str]:
        return [rule_of(rule_id).reason for rule_id in self.rules]


@dataclass(frozen=True, slots=True)
class ReportCard:
    reporter: PersonCard | None  # None where the site itself reported
    rule_id: str
    comment: str
    posts: tuple[str, ...]
    iso: str
    ago: str
    is_of_this_round: bool

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found, round_number: int) -> Self:
        report = row(CaseReport, raw)
        at = report.reported_at
        return cls(
            reporter=person_of(report.reporter_id, found),
            rule_id=report.rule_id,
            comment=report.comment,
            posts=tuple(report.posts),
            iso=at,
            ago=ago(datetime.fromisoformat(at)),
            is_of_this_round=report.round == round_number,
        )


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """A post as it was when it was reported, and what became of it. `html` is empty if the post was not for everyone
    and the moderator has not asked to see it."""

    post_id: str
    url: str
    html: SafeString
    iso: str
    ago: str
    is_private: bool
    is_gone: bool
    is_changed: bool
    withheld: str
    is_sensitive: bool
    warning: str
    fold: Fold
    history_url: str  # what it said before its edits, where the moderator may read it
    context: Context | None  # of a reply

    @classmethod
    def from_raw(
        cls,
        raw: RawItem,
        found: Found,
        author: PersonCard | None,
        *,
        revealed: Collection[str],
        context: Context | None = None,
    ) -> Self:
        evidence = row(CaseEvidence, raw)
        post_id, content = evidence.post_id, evidence.content
        raw_post = found.get(keys.post(evidence.author_id, post_id))
        post = row(Post, raw_post or {})
        is_private = evidence.audience not in ("", Audience.EVERYONE)
        is_shown = post_id in revealed or not is_private
        warning = evidence.warning or ""
        now = said_by(post), post.warning or ""
        is_changed = raw_post is not None and now != (content, warning)
        mentions = mentioned_in(raw_post) if raw_post and not is_changed else {}  # else unknown
        created = ids.time_of(post_id)
        return cls(
            post_id=post_id,
            url=post_url(author.handle, post_id) if author else "",
            html=rich_text(content, mentions) if is_shown else SafeString(""),
            iso=created.isoformat(timespec="seconds"),
            ago=ago(created),
            is_private=is_private,
            is_gone=raw_post is None,
            is_changed=is_changed,
            withheld=post.withheld,
            is_sensitive=bool(post.sensitive),
            warning=warning,
            fold=fold_of(content),
            history_url=_history_url(post, author) if author and not post.audience else "",
            context=context,
        )

    @property
    def is_covered(self) -> bool:
        return self.is_sensitive or bool(self.warning)

    @property
    def states(self) -> list[str]:
        """Returns what has become of the post, in words."""
        states = {
            gettext("Not public"): self.is_private,
            gettext("Since deleted"): self.is_gone,
            gettext("Since changed"): self.is_changed,
            gettext("Waiting for review"): self.withheld == Withheld.HELD,
            gettext("Hidden"): self.withheld == Withheld.HIDDEN,
            gettext("Marked as sensitive"): self.is_sensitive,
        }
        return [text for text, holds in states.items() if holds]

    @property
    def can_be_acted_on(self) -> bool:
        return not self.is_gone and self.withheld != Withheld.HIDDEN


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


def _history_url(post: Post, author: PersonCard) -> str:
    is_open = post.version and not post.withheld
    return f"{post_url(author.handle, post.post_id)}/history" if is_open else ""


def person_of(user_id: str, found: Found) -> PersonCard | None:
    raw = found.get(keys.user_info(user_id))
    return PersonCard.from_raw(raw) if raw else None
