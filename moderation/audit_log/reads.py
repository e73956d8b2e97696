"""The audit log for staff, every entry in words, and the public log: what was done, under which rule and on which day.
The public log never names the person concerned."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import get_language, gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.people.cards import PersonCard, end_text, moment_text
from moderation.audit_log.of_the_site import OF_THE_SITE
from moderation.audit_log.words import OF_CARE
from moderation.cases.cards import Found, parts_text, person_of
from moderation.cases.reads import THE_SITE, CaseId
from moderation.log.chain import list_chain, months_between, read_head
from moderation.log.writes import OPERATOR
from moderation.models import AuditEntry, CaseKind
from moderation.pictures import log_words
from socialsite.clock import utc_now, utc_now_iso
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
    Place,
    RawItem,
    access_pattern,
    fetch,
    keys,
    query,
    query_page,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.web.preferences import ago, short_date

Sentence = str | Promise  # each names who acted, and the person concerned if there is one

SENTENCES: Mapping[str, Sentence] = {
    **OF_CARE,
    "dismiss": _("%(by)s dismissed the reports about %(person)s"),
    "close": _("%(by)s closed the case about %(person)s"),
    "warn": _("%(by)s warned %(person)s"),
    "sensitive": ngettext_lazy(
        "%(by)s marked %(posts)d post by %(person)s as sensitive",
        "%(by)s marked %(posts)d posts by %(person)s as sensitive",
        "posts",
    ),
    "hide": ngettext_lazy(
        "%(by)s hid %(posts)d post by %(person)s",
        "%(by)s hid %(posts)d posts by %(person)s",
        "posts",
    ),
    "reset": _("%(by)s reset parts of the profile of %(person)s"),
    "withdraw": _("%(by)s withdrew starter packs of %(person)s"),
    "no-messages": _("%(by)s stopped %(person)s from writing messages"),
    "limit": _("%(by)s limited %(person)s"),
    "freeze": _("%(by)s froze %(person)s"),
    "suspend": _("%(by)s suspended %(person)s"),
    "release": _("%(by)s published a held post by %(person)s"),
    "refuse": _("%(by)s rejected a held post by %(person)s"),
    "approve": _("%(by)s approved the sign-up of %(person)s"),
    "decline": _("%(by)s declined the sign-up of %(person)s"),
    "undo dismiss": _("%(by)s reopened the case about %(person)s"),
    "undo close": _("%(by)s reopened the case about %(person)s"),
    "undo warn": _("%(by)s withdrew the warning to %(person)s"),
    "undo sensitive": _("%(by)s removed the sensitive mark from posts by %(person)s"),
    "undo hide": _("%(by)s restored hidden posts by %(person)s"),
    "undo reset": _("%(by)s restored the profile of %(person)s"),
    "undo withdraw": _("%(by)s restored starter packs of %(person)s"),
    "undo no-messages": _("%(by)s let %(person)s write messages again"),
    "undo limit": _("%(by)s lifted the limit on %(person)s"),
    "undo freeze": _("%(by)s lifted the freeze on %(person)s"),
    "undo suspend": _("%(by)s lifted the suspension of %(person)s"),
    "undo release": _("%(by)s reopened the case about a held post by %(person)s"),
    "undo refuse": _("%(by)s published a rejected post by %(person)s"),
    "undo approve": _("%(by)s reopened the sign-up of %(person)s"),
    "undo decline": _("%(by)s approved the declined sign-up of %(person)s"),
    "grant appeal": _("%(by)s granted an appeal by %(person)s"),
    "refuse appeal": _("%(by)s rejected an appeal by %(person)s"),
    "answer appeal": _("%(by)s asked %(person)s a question about an appeal"),
    "assign": _("%(by)s assigned the case about %(person)s to %(to)s"),
    "put back": _("%(by)s returned the case about %(person)s to the queue"),
    "ask senior": _("%(by)s asked a senior about the case of %(person)s"),
    "answer junior": _("%(by)s answered a question about the case of %(person)s"),
    "hand over": _("%(by)s handed over all cases on their desk"),
    "note": _("%(by)s added a note to the case about %(person)s"),
    "take in": _("%(by)s added posts to the case about %(person)s"),
    "help": _("%(by)s sent help to %(person)s"),
    "step": _("%(by)s took a step in the case about %(person)s, who may be in danger"),
    "note on person": _("%(by)s added a note about %(person)s"),
    "open case": _("%(by)s opened a case about %(person)s"),
    "look up email": _("%(by)s looked for the account of an email address"),
    "look up domain": _("%(by)s looked for the accounts of an email domain"),
    "look up network": _("%(by)s looked for the accounts of a network"),
    "view accounts": _("%(by)s viewed which accounts share a network or browser with %(person)s"),
    "view private post": _("%(by)s viewed private posts by %(person)s"),
    "view messages": _("%(by)s viewed reported private messages in the case about %(person)s"),
    "view photo": _("%(by)s viewed a photo by %(person)s"),
    "export case": _("%(by)s exported the case about %(person)s"),
    "give level": _("%(by)s gave %(person)s a level"),
    "leave level": _("%(by)s left the level of %(person)s to the rules"),
    "give role": _("%(by)s gave %(person)s a role"),
    "take role": _("%(by)s removed the role of %(person)s"),
    "save role": _("%(by)s saved what a role can do"),
    "remove role": _("%(by)s deleted a role"),
    "change settings": _("%(by)s changed the site settings"),
    "add rule": _("%(by)s added a site rule"),
    "edit rule": _("%(by)s edited a site rule"),
    "remove rule": _("%(by)s removed a site rule"),
    "remove words of rule": _("%(by)s removed the words of a site rule in one language"),
    "move rule": _("%(by)s reordered the site rules"),
    "change level": _("%(by)s changed what a level limits"),
    "add word rule": _("%(by)s added a word filter"),
    "edit word rule": _("%(by)s edited a word filter"),
    "remove word rule": _("%(by)s removed a word filter"),
    "block e-mail domains": _("%(by)s blocked email domains"),
    "unblock e-mail domain": _("%(by)s unblocked an email domain"),
    "change help": _("%(by)s changed who helps people in danger"),
    "enter figures": _("%(by)s entered numbers for the page about transparency"),
    "refuse topics": _("%(by)s refused tags as topics on Explore"),
    "allow topic": _("%(by)s allowed a tag as a topic on Explore again"),
    "block networks": _("%(by)s blocked networks"),
    "unblock network": _("%(by)s unblocked a network"),
    "save preset": _("%(by)s saved a template"),
    "remove preset": _("%(by)s removed a template"),
    "remove words of preset": _("%(by)s removed the words of a template in one language"),
    "make invite": _("%(by)s created an invitation"),
    "end invite": _("%(by)s ended an invitation"),
    **OF_THE_SITE,
    "start wave": _("%(by)s started a wave"),
    "undo wave": _("%(by)s undid a wave"),
    "put hint away": _("%(by)s put a hint away"),
    **log_words.SENTENCES,
}
# The public log: no names, and no looks, notes, reviews or changes of the settings.
PUBLIC: Mapping[str, Sentence] = {
    "dismiss": _("Reports were dismissed: no rule was broken"),
    "warn": _("Someone was warned"),
    "sensitive": ngettext_lazy(
        "%(posts)d post was marked as sensitive",
        "%(posts)d posts were marked as sensitive",
        "posts",
    ),
    "hide": ngettext_lazy("%(posts)d post was hidden", "%(posts)d posts were hidden", "posts"),
    "reset": _("Parts of a profile were reset"),
    "withdraw": _("Starter packs were withdrawn"),
    "no-messages": _("Someone was stopped from writing messages"),
    "limit": _("An account was limited"),
    "freeze": _("An account was frozen"),
    "suspend": _("An account was suspended"),
    "release": _("A held post was published"),
    "refuse": _("A held post was rejected"),
    "undo dismiss": _("Dismissed reports were taken up again"),
    "undo warn": _("A warning was withdrawn"),
    "undo sensitive": _("A sensitive mark was removed"),
    "undo hide": _("Hidden posts were restored"),
    "undo reset": _("A profile was restored"),
    "undo withdraw": _("Starter packs were restored"),
    "undo no-messages": _("Someone may write messages again"),
    "undo limit": _("A limit on an account was lifted"),
    "undo freeze": _("A freeze on an account was lifted"),
    "undo suspend": _("A suspension was lifted"),
    "undo release": _("A published post was held for review again"),
    "undo refuse": _("A rejected post was published"),
    "grant appeal": _("An appeal was granted"),
    "refuse appeal": _("An appeal was rejected"),
    # Of waves whose action stands here too.
    "start wave": ngettext_lazy(
        "One decision was made about %(cases)d case",
        "One decision was made about %(cases)d cases at once",
        "cases",
    ),
    "undo wave": ngettext_lazy(
        "A decision about %(cases)d case was undone",
        "A decision about %(cases)d cases at once was undone",
        "cases",
    ),
    **log_words.PUBLIC,
}
UNKNOWN = _("%(by)s: %(action)s")
DETAILS: Mapping[str, Sentence] = {
    "role": _("Role"),
    "title": _("Title"),
    "year": _("Year"),
    "permissions": _("Permissions"),
    "rule": _("Rule"),
    "kind": _("Type"),
    "pattern": _("Word, phrase or site"),
    "was": _("Before"),
    "options": _("Options"),
    "effect": _("Effect"),
    "sign_up": _("Who can sign up"),
    "sign_ups_a_day": _("Sign-ups per day"),
    "hold_first_posts": _("First posts held for review"),
    "banner": _("Banner"),
    **{
        f"banner {code}": format_lazy("{} ({})", _("Banner"), name)
        for code, name in settings.LANGUAGES
    },
    "banner_until": _("Banner until"),
    "begins": _("Begins"),
    "public_log": _("Public moderation log"),
    "log_shows_names": _("Show moderators’ names"),
    "translate_url": _("Translation service"),
    "topics_shown": _("Show topics on Explore"),
    "tags": _("Tags"),
    "tag": _("Tag"),
    "uses": _("Number of people"),
    "days": _("Days"),
    "domains": _("Email domains"),
    "domain": _("Email domain"),
    "networks": _("Networks"),
    "network": _("Network"),
    "comment": _("Comment"),
    "photo": _("Photo"),
    "parts": _("Parts of the profile"),
    "language": _("Language"),
    "wave": _("Wave"),
    "cases": _("Cases"),
    "found": _("Accounts found"),
    "hint": _("Hint"),
    "sha256": _("SHA-256"),
    "posts": _("Posts"),
    "opened": _("Private posts opened"),
    "photos": _("Photos opened"),
    "messages": _("Private messages opened"),
    "notes": _("With notes"),
    **log_words.DETAILS,
}


def sentence_of(action: str, values: Mapping[str, Any]) -> str:
    """Returns what a member of staff did, in words. An unknown action gets its name in the code."""
    return str(SENTENCES.get(action, UNKNOWN) % values)


def public_sentence_of(action: str, values: Mapping[str, Any]) -> str:
    return str(PUBLIC[action] % values)


MOST_LOOKED_AT = 400  # entries read to find one page of fitting ones
A_CALL = 100
UNCOUNTED = {"export case", "take in"}  # their sentences have no room for the number of posts
NOT_SHOWN = {"posts", "packs", "text", "until", "rules", "named", "to"}  # shown in other ways


@dataclass(frozen=True, slots=True)
class EntryCard:
    """One entry for staff. `sentence` is HTML that includes the names, and `details` holds the entry's other values."""

    number: int
    iso: str
    when: str
    ago: str
    sentence: SafeString
    case_url: str
    until: str
    text: str
    rules: tuple[str, ...]
    details: tuple[tuple[str, str], ...]


@access_pattern
def list_audit_entries(
    month: str, *, cursor: str | None = None, moderator_id: str = "", person_id: str = ""
) -> Page[EntryCard]:
    """Returns a month of the log, newest first. Filters by moderator and by person if given. A filtered page may be
    short or even empty and still have a next one, because it reads at most 400 entries.

    Query (at most 4), 0.5 read units per 4 KB; BatchGetItem of the people, 0.5 each. In all 1 read unit, 21 at most.
    Raises `BadCursor`.
    """
    if moderator_id or person_id:
        fits = _fitting(moderator_id, person_id)
        page = fitting_page(keys.audit_entries(month), cursor, fits)
    else:
        page = query_page(keys.audit_entries(month), cursor=cursor)
    found = _people(page.items)
    return page.with_items([_card(raw, found) for raw in page.items])


def list_months() -> list[str]:
    """Returns the months that the log covers, newest first, or this month if the log is empty. Costs as `read_head`."""
    head, now = read_head(), utc_now_iso()[:7]
    # If the very first act failed, it leaves a head without a month.
    first, last = (head.first_month or now, head.month or now) if head else (now, now)
    return list(months_between(first, last))[::-1]


def read_month(month: str) -> Iterator[str]:
    """Yields a line for each entry of a month, oldest first, for the command line. Names people by their handles if
    they still have an account."""
    rows = list_chain(month)
    while some := list(islice(rows, A_CALL)):
        found = _people(some)
        for raw in some:
            yield _line(raw, found)


def first_day(month: str) -> date:
    return date(int(month[:4]), int(month[5:]), 1)


def _fitting(moderator_id: str, person_id: str) -> Callable[[RawItem], bool]:
    def fits(raw: RawItem) -> bool:
        entry = row(AuditEntry, raw)
        return moderator_id in ("", entry.moderator_id) and person_id in ("", entry.person_id)

    return fits


def fitting_page(
    partition: str, cursor: str | None, fits: Callable[[RawItem], bool]
) -> Page[RawItem]:
    """Returns a page of fitting entries. The next page continues after the last entry that was read."""
    after = Key(partition, read_cursor(partition, cursor).sk) if cursor else None
    rows = query(partition, after=after, forward=False, limit=A_CALL)
    taken: list[RawItem] = []
    last = ""
    for raw in islice(rows, MOST_LOOKED_AT):
        if len(taken) == PAGE_SIZE and fits(raw):
            break
        last = raw["SK"]["S"]
        taken += [raw] if fits(raw) else []
    else:
        if next(rows, None) is None:
            return Page(taken)
    return Page(taken, write_cursor(partition, Place("next", last)))


def _people(rows: Sequence[RawItem]) -> Found:
    entries = (row(AuditEntry, raw) for raw in rows)
    people = {one for entry in entries for one in (entry.moderator_id, entry.person_id)}
    people |= {str(detail_of(raw).get("to", "")) for raw in rows}
    return fetch(keys.user_info(user_id) for user_id in sorted(people - {""})) if rows else {}


def _card(raw: RawItem, found: Found) -> EntryCard:
    entry = row(AuditEntry, raw)
    action, at = entry.action, entry.at
    detail = detail_of(raw)
    names = {
        "by": _name(entry.moderator_id, found),
        "person": _handle(entry.person_id, found),
        "to": _name(str(detail.get("to", "")), found),
        "posts": len(detail.get("posts", ())),
        "action": conditional_escape(action),
    }
    return EntryCard(
        number=int(entry.number),
        iso=at,
        when=moment_text(at),
        ago=ago(datetime.fromisoformat(at)),
        sentence=SafeString(sentence_of(action, names)),
        case_url=_case_url(entry.case),
        until=end_text(str(detail.get("until", ""))),
        text=str(detail.get("text", "")),
        rules=reasons_of(detail),
        details=tuple(
            (str(DETAILS.get(name, name)), _in_words(name, value, action))
            for name, value in detail.items()
            if name not in NOT_SHOWN or (action in UNCOUNTED and name == "posts")
        ),
    )


def _line(raw: RawItem, found: Found) -> str:
    entry = row(AuditEntry, raw)
    parts = [
        str(entry.number),
        entry.at[:19],
        _plain_handle(entry.moderator_id, found),
        entry.action,
        _plain_handle(entry.person_id, found),
        entry.case,
        json.dumps(detail_of(raw), ensure_ascii=False) if detail_of(raw) else "",
    ]
    return "  ".join(filter(None, parts))


def detail_of(raw: RawItem) -> dict[str, Any]:
    return row(AuditEntry, raw).detail or {}


def reasons_of(detail: dict[str, Any]) -> tuple[str, ...]:
    """Returns the rule that the moderator named, or of a dismissal those of the reports, in words. Earlier versions
    entered those of the reports with every decision."""
    named = [detail["named"]] if "named" in detail else detail.get("rules", ())
    return tuple(rule_of(rule_id).reason for rule_id in named)


def _in_words(name: str, value: Any, action: str) -> str:
    values = value if isinstance(value, list) else [value]
    if name in ("posts", "opened"):
        values = [len(values)]
    if name == "notes":
        values = [gettext("yes")]
    if name in ("banner_until", "begins"):
        values = [moment_text(one) for one in values]
    if name == "parts":
        values = [parts_text(values)]
    is_change = action in ("change settings", "change level")  # of a setting: its old and new value
    between = " → " if is_change else ", "
    return between.join(str(one) for one in values)


def _case_url(case: str) -> str:
    kind = next((kind for kind in CaseKind if case.startswith(f"{kind}-")), None)
    return CaseId(kind, case.removeprefix(f"{kind}-")).url if kind else ""


def _name(user_id: str, found: Found) -> SafeString:
    if user_id == THE_SITE:
        return conditional_escape(gettext("The site"))
    if user_id == OPERATOR:
        return conditional_escape(gettext("The operator"))
    person = person_of(user_id, found)
    return _link(person, person.name) if person else format_html("<code>{}</code>", user_id)


def _handle(user_id: str, found: Found) -> SafeString:
    person = person_of(user_id, found)
    if person is None:
        return format_html("<code>{}</code>", user_id)
    return _link(person, f"@{person.handle}")


def _link(person: PersonCard, text: str) -> SafeString:
    return format_html('<a href="{}"><bdi>{}</bdi></a>', person.url, text)


def _plain_handle(user_id: str, found: Found) -> str:
    person = person_of(user_id, found)
    return f"@{person.handle}" if person else user_id


WAVES = {"start wave", "undo wave"}


@dataclass(frozen=True, slots=True)
class PublicCard:
    """One entry for everyone. It names the moderator only if the site shows that, and never the person concerned."""

    iso: str
    day: str
    sentence: str
    until: str
    rules: tuple[str, ...]
    moderator: str


@access_pattern
def list_public_entries(
    month: str, *, cursor: str | None = None, with_names: bool = False
) -> Page[PublicCard]:
    """Returns a month of the public log, newest first. Query (at most 4), 0.5 read units per 4 KB; with names a
    BatchGetItem of the moderators, 0.5 each. In all 4.5 read units, 21 at most. Raises `BadCursor`."""
    page = fitting_page(keys.audit_entries(month), cursor, _is_public)
    found = _moderators(page.items) if with_names else {}
    return page.with_items([_public_card(raw, found) for raw in page.items])


def _moderators(rows: Sequence[RawItem]) -> Found:
    ids = {row(AuditEntry, raw).moderator_id for raw in rows}
    return fetch(keys.user_info(user_id) for user_id in sorted(ids))


def _is_public(raw: RawItem) -> bool:
    """Whether everyone may read the entry: a wave's only if its action would be there too."""
    action = row(AuditEntry, raw).action
    return action in PUBLIC and (action not in WAVES or detail_of(raw).get("action") in PUBLIC)


def _public_card(raw: RawItem, found: Found) -> PublicCard:
    entry = row(AuditEntry, raw)
    at, detail = datetime.fromisoformat(entry.at), detail_of(raw)
    moderator = person_of(entry.moderator_id, found)
    return PublicCard(
        iso=at.date().isoformat(),  # the hour might reveal the person concerned
        day=_day_text(at),
        sentence=public_sentence_of(entry.action, _values(detail)),
        until=_end_day(str(detail.get("until", ""))),
        rules=reasons_of(detail),
        moderator=moderator.name if moderator else "",
    )


def _values(detail: Mapping[str, Any]) -> dict[str, int]:
    return {"posts": len(detail.get("posts", ())), "cases": int(detail.get("cases", 0))}


def _day_text(moment: datetime) -> str:
    # Every reader gets the UTC day: days in a zone of their choice would reveal the hour.
    return short_date(moment.date(), get_language(), with_year=moment.year != utc_now().year)


def _end_day(until: str) -> str:
    return _day_text(datetime.fromisoformat(until)) if end_text(until) else ""
