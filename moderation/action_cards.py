"""What moderators did and what was said about it, as templates show it: to moderators, and to the person."""

from dataclasses import dataclass
from typing import Self

from accounts.cards import PersonCard, moment_text
from feed.cards import ago
from moderation.cards import Found, person_of
from moderation.cases import CaseId
from moderation.models import CaseAction, CaseKind, CaseMessage, Strike
from socialsite.table import ids, reading
from socialsite.table.reading import RawItem


@dataclass(frozen=True, slots=True)
class MessageCard:
    """A part of an appeal's conversation. Who of the staff wrote is for staff alone."""

    action_id: str
    writer: PersonCard | None
    is_staff: bool
    text: str
    iso: str
    ago: str

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        at = ids.time_of(reading.text(raw, CaseMessage.message_id))
        return cls(
            action_id=reading.text(raw, CaseMessage.action_id),
            writer=person_of(reading.text(raw, CaseMessage.writer_id), found),
            is_staff=bool(raw.get("is_staff", {}).get("BOOL")),
            text=reading.text(raw, CaseMessage.text),
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
        )


@dataclass(frozen=True, slots=True)
class ActionCard:
    """What was done: from a `CaseAction` with who did it, or from a `Strike` as the person sees it."""

    action_id: str
    kind: str
    text: str
    until: str
    posts: tuple[str, ...]
    iso: str
    ago: str
    is_undone: bool
    moderator: PersonCard | None = None
    undone_by: PersonCard | None = None
    appeal: str = ""
    rule_id: str = ""
    case_id: CaseId | None = None
    messages: tuple[MessageCard, ...] = ()

    @classmethod
    def from_action(cls, raw: RawItem, found: Found) -> Self:
        action_id = reading.text(raw, CaseAction.action_id)
        at = ids.time_of(action_id)
        return cls(
            action_id=action_id,
            kind=reading.text(raw, CaseAction.kind),
            text=reading.text(raw, CaseAction.text),
            until=reading.text(raw, CaseAction.until),
            posts=reading.texts(raw, CaseAction.posts),
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=bool(reading.text(raw, CaseAction.undone_at)),
            moderator=person_of(reading.text(raw, CaseAction.moderator_id), found),
            undone_by=person_of(reading.text(raw, CaseAction.undone_by), found),
        )

    @classmethod
    def from_strike(cls, raw: RawItem, messages: tuple[MessageCard, ...] = ()) -> Self:
        action_id = reading.text(raw, Strike.action_id)
        at = ids.time_of(action_id)
        return cls(
            action_id=action_id,
            kind=reading.text(raw, Strike.kind),
            text=reading.text(raw, Strike.text),
            until=reading.text(raw, Strike.until),
            posts=reading.texts(raw, Strike.posts),
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=bool(reading.text(raw, Strike.undone_at)),
            appeal=reading.text(raw, Strike.appeal),
            rule_id=reading.text(raw, Strike.rule_id),
            case_id=CaseId(
                CaseKind(reading.text(raw, Strike.case_kind)), reading.text(raw, Strike.subject_id)
            ),
            messages=messages,
        )

    @property
    def until_text(self) -> str:
        """Until when it holds, in words; empty for what has no end."""
        return moment_text(self.until)

    @property
    def is_over(self) -> bool:
        return self.is_undone or bool(self.until and self.until <= ids.now_iso())
