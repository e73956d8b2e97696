"""Moderators' actions and the conversation about them, as templates show them to moderators and to the person."""

from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from accounts.people.cards import PersonCard, end_text, mentioned_in
from accounts.people.restrictions import FOR_EVER
from feed.cards.words import Fold, fold_of
from feed.polls.models import said_by
from feed.posts.models import Post
from moderation.cases.cards import Found, parts_text, person_of, words_in
from moderation.cases.decisions import Decision
from moderation.cases.reads import CaseId
from moderation.cases.words import ON_THE_ACCOUNT, done_text
from moderation.models import (
    WITHOUT_APPEAL,
    ActionKind,
    Appeal,
    CaseAction,
    CaseKind,
    CaseMessage,
    Strike,
)
from relations.models import PersonList
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import RawItem, ids, row
from socialsite.texts import isolated
from socialsite.web.preferences import ago
from socialsite.web.rich_text import rich_text


@dataclass(frozen=True, slots=True)
class MessageCard:
    """A part of an appeal's conversation. Only staff see which member of staff wrote it."""

    action_id: str
    writer: PersonCard | None
    is_staff: bool
    text: str
    iso: str
    ago: str

    @classmethod
    def from_raw(cls, raw: RawItem, found: Found) -> Self:
        message = row(CaseMessage, raw)
        at = ids.time_of(message.message_id)
        return cls(
            action_id=message.action_id,
            writer=person_of(message.writer_id, found),
            is_staff=message.is_staff,
            text=message.text,
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
        )


@dataclass(frozen=True, slots=True)
class NamedPost:
    """A post that an action is about, as it is now. `html` is empty if the post is gone, or shows photos alone."""

    post_id: str
    html: SafeString
    fold: Fold
    ago: str
    is_gone: bool
    photos: int  # how many

    @classmethod
    def from_raw(cls, post_id: str, raw: RawItem | None) -> Self:
        text = said_by(row(Post, raw)) if raw else ""
        html = rich_text(text, mentioned_in(raw)) if raw else SafeString("")
        photos = len(raw.get("photos", {}).get("L", ())) if raw else 0
        return cls(post_id, html, fold_of(text), ago(ids.time_of(post_id)), raw is None, photos)


@dataclass(frozen=True, slots=True)
class NamedPack:
    """A starter pack that an action is about, under the private name of its list now, empty if that is gone."""

    url: str
    name: str

    @classmethod
    def from_raw(cls, list_id: str, raw: RawItem | None) -> Self:
        return cls(f"/lists/{list_id}", isolated(row(PersonList, raw).name) if raw else "")


@dataclass(frozen=True, slots=True)
class ActionCard:
    """One action: from a `CaseAction`, with the moderator's name, or from a `Strike`, as the person sees it."""

    action_id: str
    kind: str
    text: str
    until: str
    posts: tuple[str, ...]
    iso: str
    ago: str
    is_undone: bool
    parts: tuple[str, ...] = ()  # of the profile, and of starter packs
    packs: tuple[str, ...] = ()
    moderator: PersonCard | None = None
    undone_by: PersonCard | None = None
    appeal: str = ""
    rule_id: str = ""
    is_automatic: bool = False
    noticed: str = ""  # "yes" if people had reported, empty of decisions from before it was noted
    words: tuple[str, ...] = ()  # of the word filter for which the site acted
    case_id: CaseId | None = None
    messages: tuple[MessageCard, ...] = ()
    named_posts: tuple[NamedPost, ...] = ()
    named_packs: tuple[NamedPack, ...] = ()

    @classmethod
    def from_action(cls, raw: RawItem, found: Found) -> Self:
        action = row(CaseAction, raw)
        action_id = action.action_id
        at = ids.time_of(action_id)
        return cls(
            action_id=action_id,
            kind=action.kind,
            text=action.text,
            until=action.until,
            posts=tuple(action.posts),
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=bool(action.undone_at),
            parts=tuple(action.parts),
            packs=tuple(action.packs),
            moderator=person_of(action.moderator_id, found),
            rule_id=action.rule_id,
            is_automatic=bool(action.word_id),
            words=words_in([action.word_id]) if action.word_id else (),
            undone_by=person_of(action.undone_by, found),
        )

    @classmethod
    def from_strike(
        cls,
        raw: RawItem,
        messages: tuple[MessageCard, ...] = (),
        named_posts: tuple[NamedPost, ...] = (),
        named_packs: tuple[NamedPack, ...] = (),
    ) -> Self:
        strike = row(Strike, raw)
        action_id = strike.action_id
        at = ids.time_of(action_id)
        return cls(
            action_id=action_id,
            kind=strike.kind,
            text=strike.text,
            until=strike.until,
            posts=tuple(strike.posts),
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=bool(strike.undone_at),
            parts=tuple(strike.parts),
            packs=tuple(strike.packs),
            appeal=strike.appeal,
            rule_id=strike.rule_id,
            is_automatic=bool(strike.automatic),
            noticed=strike.noticed,
            case_id=CaseId(CaseKind(strike.case_kind), strike.subject_id),
            messages=messages,
            named_posts=named_posts,
            named_packs=named_packs,
        )

    @classmethod
    def foreseen(cls, decision: Decision) -> Self:
        """Returns the card of an undecided action, as the person would see it."""
        at = utc_now()
        return cls(
            action_id="",
            kind=decision.kind,
            text=decision.text,
            until=decision.until,
            posts=decision.posts,
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=False,
            parts=decision.parts,
            packs=decision.packs,
            rule_id=decision.rule_id,
        )

    @property
    def until_text(self) -> str:
        """Returns when the action ends, in words, empty if it has no end."""
        return end_text(self.until)

    @property
    def parts_text(self) -> str:
        return parts_text(self.parts)

    @property
    def is_over(self) -> bool:
        return self.is_undone or bool(self.until and self.until <= utc_now_iso())

    @property
    def is_on_the_account(self) -> bool:
        """Whether the action restricts the account for a time."""
        return self.kind in ON_THE_ACCOUNT or self.suspends_too

    @property
    def suspends_too(self) -> bool:
        """Whether the account is suspended besides what the action removes."""
        return self.kind == ActionKind.REMOVE and bool(self.until)

    @property
    def has_end(self) -> bool:
        """Whether a restriction ends by itself."""
        return "" < (self.until or "") < FOR_EVER

    @property
    def done_texts(self) -> list[str]:
        """Returns all that was done, each as a sentence to the person."""
        done = [self.kind, ActionKind.SUSPEND] if self.suspends_too else [self.kind]
        return [done_text(kind, posts=len(self.posts), packs=len(self.packs)) for kind in done]

    @property
    def done_text(self) -> str:
        """Returns what was done, in one line to the person."""
        return " · ".join(self.done_texts)

    @property
    def rule_title(self) -> str:
        """Returns the title of the site rule, empty if there is none or the site no longer has it."""
        rule = rule_of(self.rule_id)
        return rule.title if self.rule_id and rule.rule_id == self.rule_id else ""

    @property
    def reason(self) -> str:
        """Returns what broke that rule, as moderators name it; empty like `rule_title`."""
        return rule_of(self.rule_id).reason if self.rule_title else ""

    @property
    def may_be_appealed(self) -> bool:
        is_undecided = self.appeal in ("", Appeal.OPEN)
        return is_undecided and not self.is_undone and self.kind not in WITHOUT_APPEAL

    @property
    def last_own_text(self) -> str:
        """Returns the person's last words, empty if a moderator has answered since."""
        last = self.messages[-1] if self.messages else None
        return last.text if last and not last.is_staff else ""
