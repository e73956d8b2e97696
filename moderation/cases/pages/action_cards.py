"""What moderators did and what was said about it, as templates show it: to moderators, and to the person."""

from dataclasses import dataclass
from typing import Self

from django.utils.safestring import SafeString

from accounts.cards import PersonCard, moment_text
from accounts.mentions import handles_in
from feed.cards import ago
from feed.folding import Fold, fold_of
from feed.models import Post
from moderation.cases.cases import CaseId
from moderation.cases.pages.cards import Found, person_of
from moderation.cases.pages.notices import ON_THE_ACCOUNT, done_text
from moderation.models import WITHOUT_APPEAL, Appeal, CaseAction, CaseKind, CaseMessage, Strike
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site.site_rules import rule_of
from socialsite.table import ids, reading
from socialsite.table.reading import RawItem
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
class NamedPost:
    """A post that an action is about, as it is now; `html` is empty for one that is gone."""

    post_id: str
    html: SafeString
    fold: Fold
    ago: str

    @classmethod
    def from_raw(cls, post_id: str, raw: RawItem | None) -> Self:
        text = reading.text(raw, Post.content) if raw else ""
        html = rich_text(text, handles_in(raw)) if raw else SafeString("")
        return cls(post_id, html, fold_of(text), ago(ids.time_of(post_id)))


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
    named_posts: tuple[NamedPost, ...] = ()

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
    def from_strike(
        cls,
        raw: RawItem,
        messages: tuple[MessageCard, ...] = (),
        named_posts: tuple[NamedPost, ...] = (),
    ) -> Self:
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
            named_posts=named_posts,
        )

    @classmethod
    def foreseen(
        cls, *, kind: str, text: str, until: str, posts: tuple[str, ...], rule_id: str
    ) -> Self:
        """What is not decided yet, as the person would see it."""
        at = utc_now()
        return cls(
            action_id="",
            kind=kind,
            text=text,
            until=until,
            posts=posts,
            iso=at.isoformat(timespec="seconds"),
            ago=ago(at),
            is_undone=False,
            rule_id=rule_id,
        )

    @property
    def until_text(self) -> str:
        """Until when it holds, in words; empty for what has no end."""
        return moment_text(self.until)

    @property
    def is_over(self) -> bool:
        return self.is_undone or bool(self.until and self.until <= utc_now_iso())

    @property
    def is_on_the_account(self) -> bool:
        """Whether it holds for a time, and not once and for all."""
        return self.kind in ON_THE_ACCOUNT

    @property
    def done_text(self) -> str:
        """What was done, in words to the person."""
        return done_text(self.kind, len(self.posts))

    @property
    def rule_title(self) -> str:
        """The rule that it is about; empty for none, and for one that the site has no more."""
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
        """What the person said, if nobody has said anything since."""
        last = self.messages[-1] if self.messages else None
        return last.text if last and not last.is_staff else ""
