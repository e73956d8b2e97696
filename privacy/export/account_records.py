"""What is exported of an account: the profile, the settings, what moderators decided about a person and what the person
reported, as they see it, without the names and notes of staff and without those who reported them.

And what the clock adds when it makes the zip: how a person signs in, which the stream worker may not read, and what
they want done with old posts.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from accounts.encryption.emails import decrypt_email
from accounts.grants.models import OWN, AppToken
from accounts.models import (
    Credentials,
    OriginTrace,
    Passkey,
    SignIn,
    UserCount,
    UserInfo,
)
from accounts.people.cards import posts_now
from accounts.people.restrictions import FOR_EVER
from accounts.sessions import browser_name
from accounts.sign_in.browsers import OriginKind
from moderation.cases.words import WITHOUT_A_BREACH
from moderation.models import (
    ActionKind,
    Appeal,
    CaseMessage,
    CaseOutcome,
    CaseReport,
    HelpOffer,
    ReportTrace,
    Strike,
)
from notifications.models import PushSubscription
from privacy.export.kinds import (
    DAY,
    FLAG,
    MOMENT,
    NUMBER,
    PERSON,
    TEXT,
    TEXTS,
    Field,
    Kind,
    Owner,
    Record,
    many,
    name_people,
    one_of,
    structure,
)
from privacy.export.post_records import moment_of
from privacy.export.settings_records import SETTINGS, settings_record
from privacy.models import OldPostsWish
from socialsite.site_settings.levels import Level
from socialsite.table import Key, RawItem, access_pattern, fetch, keys, query, row

AVATAR, HEADER = "media/avatar.webp", "media/header.webp"
UNTIL_LIFTED = "until a moderator lifts it"

PROFILE = Kind(
    "profile",
    _("Profile"),
    {
        "id": Field(TEXT, "The id of your account."),
        "handle": Field(TEXT, "Your handle."),
        "url": Field(TEXT, "The address of your profile."),
        "name": Field(TEXT, "Your name."),
        "bio": Field(TEXT, "What your profile says about you."),
        "location": Field(TEXT, "Where you are, as you wrote it."),
        "gender": Field(TEXT, "How you want to be spoken of."),
        "picture": Field(TEXT, "The path of your picture in this export, empty without one."),
        "header": Field(TEXT, "The path of your header picture in this export, empty without one."),
        "joined_at": Field(MOMENT, "When you signed up, in UTC."),
        "role": Field(TEXT, "Your role among the staff, empty if you have none."),
        "approves_followers": Field(FLAG, "Whether you decide who follows you."),
        "older_posts_for_followers": Field(
            MOMENT, "Posts from before this moment are for followers only. Empty for none."
        ),
        "not_suggested": Field(FLAG, "Whether you are kept out of suggestions."),
        "no_topics": Field(FLAG, "Whether you want no suggested topics, and count for none."),
        "not_in_starter_packs": Field(FLAG, "Whether you are kept out of starter packs."),
        "not_in_search_engines": Field(FLAG, "Whether search engines are asked to stay away."),
        "posts_not_searched": Field(FLAG, "Whether your posts are not found by their words."),
        "level": Field(TEXT, "How much the site trusts you: `new`, `member` or `regular`."),
        "level_given": Field(FLAG, "Whether staff gave you this level."),
        "shows_level": Field(FLAG, "Whether your profile shows it."),
        "waits_for_approval": Field(FLAG, "Whether moderators have not approved you yet."),
        "paused": Field(FLAG, "Whether you paused your account."),
        "limited_until": Field(TEXT, "Until when moderators limit your account, empty if never."),
        "frozen_until": Field(TEXT, "Until when they freeze it."),
        "suspended_until": Field(TEXT, "Until when they suspend it."),
        "no_messages_until": Field(TEXT, "Until when you may not write messages, empty if never."),
        "who_can_write": Field(
            one_of("everyone", "following", "friends", "nobody"), "Who can begin to write to you."
        ),
        "shows_seen": Field(FLAG, "Whether others learn that you have seen a message."),
        "followers": Field(NUMBER, "How many people follow you."),
        "following": Field(NUMBER, "How many people you follow."),
        "friends": Field(NUMBER, "How many friends you have."),
        "posts": Field(NUMBER, "How many posts you have, with replies and quotes."),
        "pinned_posts": Field(TEXTS, "The ids of the posts at the top of your page."),
    },
)


def profile_lines(owner: Owner) -> Iterator[tuple[str, Record]]:
    """Yields the profile and the settings, from what `find_owner` has read."""
    yield PROFILE.name, _profile(owner)
    yield SETTINGS.name, settings_record(owner)


def _profile(owner: Owner) -> Record:
    info, count = row(UserInfo, owner.info), row(UserCount, owner.count)
    return {
        "id": owner.user_id,
        "handle": info.handle,
        "url": owner.person(owner.user_id, {owner.user_id: info.handle})["url"],
        "name": info.name,
        "bio": info.bio,
        "location": info.location,
        "gender": info.gender,
        "picture": AVATAR if info.avatar else "",
        "header": HEADER if info.header else "",
        "joined_at": moment_of(owner.user_id),
        "role": info.role,
        "approves_followers": bool(info.locked),
        "older_posts_for_followers": moment_of(info.archived_before)
        if info.archived_before
        else "",
        "not_suggested": bool(info.not_suggested),
        "no_topics": bool(info.no_topics),
        "not_in_starter_packs": bool(info.no_packs),
        "not_in_search_engines": bool(info.not_indexed),
        "posts_not_searched": bool(info.not_searched),
        "level": str(Level.of(info.level)),
        "level_given": bool(info.level_given),
        "shows_level": bool(info.shows_level),
        "waits_for_approval": bool(info.waiting),
        "paused": bool(info.paused),
        "limited_until": _end(str(info.limited_until)),
        "frozen_until": _end(str(info.frozen_until)),
        "suspended_until": _end(str(info.suspended_until)),
        "no_messages_until": _end(str(info.no_messages_until)),
        "who_can_write": info.writers or "everyone",
        "shows_seen": not info.hides_seen,
        "followers": int(count.followers),
        "following": int(count.following),
        "friends": int(count.friends),
        "posts": posts_now(count),
        "pinned_posts": list(count.pins or ()),
    }


def _end(until: str) -> str:
    return UNTIL_LIFTED if until >= FOR_EVER else until


MESSAGE = structure(at=MOMENT, by=one_of("you", "moderator"), text=TEXT)

STRIKES = Kind(
    "decisions",
    _("Decisions about you"),
    {
        "id": Field(TEXT, "The id of the decision."),
        "at": Field(MOMENT, "When it was made, in UTC."),
        "action": Field(one_of(*ActionKind), "What was done."),
        "text": Field(TEXT, "What the moderator wrote to you."),
        "until": Field(TEXT, "When it ends, empty if it does not end by itself."),
        "posts": Field(TEXTS, "The ids of the posts it is about."),
        "parts": Field(TEXTS, "The parts of your profile and starter packs that it removed."),
        "starter_packs": Field(TEXTS, "The ids of the lists that it is about as starter packs."),
        "rule": Field(TEXT, "The rule of the site that it names."),
        "undone_at": Field(MOMENT, "When it was taken back, empty if it was not."),
        "appeal": Field(one_of("", *Appeal), "How your appeal stands, empty without one."),
        "conversation": Field(many(MESSAGE), "What you and moderators wrote about it."),
    },
    ((_("When"), "at"), (_("Kind"), "action"), (_("Text"), "text"), (_("Appeal"), "appeal")),
)
HELP = Kind(
    "help-offers",
    _("Help that moderators offered"),
    {
        "at": Field(MOMENT, "When they wrote it, in UTC."),
        "text": Field(TEXT, "What they wrote to you."),
    },
    ((_("When"), "at"), (_("Text"), "text")),
)
REPORTS = Kind(
    "reports",
    _("Your reports"),
    {
        "at": Field(MOMENT, "When you reported it, in UTC."),
        "about": Field(PERSON, "The person it is about, or who wrote the posts or messages."),
        "posts": Field(TEXTS, "The ids of the posts you reported."),
        "messages": Field(NUMBER, "How many private messages you reported last."),
        "rule": Field(TEXT, "The rule of the site that you named."),
        "original": Field(TEXT, "The handle of the account that they pretend to be, as you said."),
        "comment": Field(TEXT, "What you wrote to the moderators."),
        "comments_before": Field(TEXTS, "What you wrote before, if you reported again."),
        "outcome": Field(
            one_of("open", "no rule broken", "closed", "action taken", "action taken back"),
            "What came of it, as far as told.",
        ),
    },
    (
        (_("When"), "at"),
        (_("Person"), "about"),
        (_("Text"), "comment"),
        (_("Outcome"), "outcome"),
    ),
)

Lines = Iterator[tuple[str, Record]]


def strike_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        strike = row(Strike, raw)
        yield (
            STRIKES.name,
            {
                "id": strike.action_id,
                "at": moment_of(strike.action_id),
                "action": strike.kind,
                "text": strike.text,
                "until": strike.until,
                "posts": list(strike.posts or ()),
                "parts": list(strike.parts or ()),
                "starter_packs": list(strike.packs or ()),
                "rule": strike.rule_id,
                "undone_at": strike.undone_at,
                "appeal": strike.appeal,
                "conversation": list_conversation(strike) if strike.appeal else [],
            },
        )


def help_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        offer = row(HelpOffer, raw)
        yield HELP.name, {"at": moment_of(offer.offer_id), "text": offer.text}


@access_pattern
def list_conversation(strike: Strike) -> list[Record]:
    """Returns what was written about an appeal against an action, the oldest first. Query of the messages in
    `case#<kind>#<subject>`, 0.5 read units per 4 KB."""
    partition = keys.case_partition(strike.case_kind, strike.subject_id)
    found = (row(CaseMessage, raw) for raw in query(partition, between=keys.message_bounds()))
    return [
        {
            "at": moment_of(one.message_id),
            "by": "moderator" if one.is_staff else "you",
            "text": one.text,
        }
        for one in found
        if one.action_id == strike.action_id
    ]


def report_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    found = fetch_reports(raws)
    reports = [row(CaseReport, found.get(_report_key(raw), {})) for raw in raws]
    about = [row(ReportTrace, raw).person_id for raw in raws]
    handles = name_people([*about, *(one.original_id or "" for one in reports)])
    for raw in raws:
        trace = row(ReportTrace, raw)
        report = row(CaseReport, found.get(_report_key(raw), {}))
        yield (
            REPORTS.name,
            {
                "at": trace.reported_at,
                "about": owner.person(trace.person_id, handles),
                "posts": list(report.posts or ()),
                "messages": int(report.messages or 0),
                "rule": report.rule_id,
                "original": handles.get(report.original_id or "", ""),
                "comment": report.comment,
                "comments_before": [one.comment for one in report.said_before or () if one.comment],
                "outcome": _outcome(row(CaseOutcome, found.get(_outcome_key(raw), {}))),
            },
        )


@access_pattern
def fetch_reports(traces: Sequence[RawItem]) -> dict[Key, RawItem]:
    """Returns the report and, where there is one, the outcome of each trace. One BatchGetItem per 50 traces, 1 read
    unit each."""
    return fetch([*map(_report_key, traces), *map(_outcome_key, traces)])


def _outcome(outcome: CaseOutcome) -> str:
    if not outcome.decision:
        return "open"
    if outcome.decision in WITHOUT_A_BREACH:
        return "no rule broken"
    if outcome.decision == ActionKind.CLOSE:
        return "closed"
    return "action taken back" if outcome.undone_at else "action taken"


def _report_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_report(trace.kind, trace.subject_id, trace.user_id)


def _outcome_key(raw: RawItem) -> Key:
    trace = row(ReportTrace, raw)
    return keys.case_outcome(trace.kind, trace.subject_id, int(trace.round))


ACCOUNT = Kind(
    "account",
    _("Account"),
    {
        "email": Field(TEXT, "Your email address."),
        "two_step_verification": Field(FLAG, "Whether you use it."),
    },
    ((_("Email"), "email"),),
)
SIGN_INS = Kind(
    "sign-ins",
    _("Where you’re signed in"),
    {
        "browser": Field(TEXT, "The browser, as far as it says."),
        "sent_by_browser": Field(TEXT, "What the browser said about itself."),
        "last_seen_on": Field(DAY, "The last day on which it was used."),
        "confirmed_at": Field(MOMENT, "When you last confirmed there that it is you."),
    },
    ((_("Browser"), "browser"), (_("Last here on"), "last_seen_on")),
)
APPS = Kind(
    "apps",
    _("Apps that use your account"),
    {
        "name": Field(TEXT, "What the app calls itself."),
        "website": Field(TEXT, "The address that it gave, if it did."),
        "may": Field(TEXTS, "What you allowed, in the words of its protocol."),
        "since": Field(MOMENT, "When you allowed it, in UTC."),
        "last_used_on": Field(DAY, "The last day on which it was used."),
        "ends_at": Field(MOMENT, "When it ends, if it is a token of your own with an end."),
        "is_own": Field(FLAG, "Whether you made it yourself, for a program of your own."),
    },
    ((_("Name"), "name"), (_("Since"), "since"), (_("Last used"), "last_used_on")),
)
PUSH_DEVICES = Kind(
    "push-devices",
    _("Devices that push reaches"),
    {
        "browser": Field(TEXT, "The browser, as far as it says."),
        "sent_by_browser": Field(TEXT, "What the browser said about itself."),
        "push_service": Field(TEXT, "Whose service brings it there."),
        "on_since": Field(DAY, "The day on which you turned it on."),
        "kept_until": Field(MOMENT, "When it ends unless you visit with it, in UTC."),
    },
    ((_("Browser"), "browser"), (_("On since"), "on_since")),
)
ORIGINS = Kind(
    "origins",
    _("Where you signed in from"),
    {
        "kind": Field(one_of("network", "browser"), "What it is."),
        "code": Field(TEXT, "What is kept in its place, made with a key of the site."),
        "last_on": Field(DAY, "The last day on which you signed in from there."),
        "kept_until": Field(MOMENT, "When it is deleted, in UTC."),
    },
    ((_("Kind"), "kind"), (_("Last here on"), "last_on"), (_("Kept until"), "kept_until")),
)
PASSKEYS = Kind(
    "passkeys",
    _("Passkeys"),
    {
        "name": Field(TEXT, "Your name for it."),
        "created_at": Field(MOMENT, "When you added it, in UTC."),
        "used_at": Field(MOMENT, "When you last signed in with it, empty if never."),
        "times_used": Field(NUMBER, "How often it was used, 0 if it does not count."),
        "synced": Field(FLAG, "Whether it is copied to other devices of yours."),
        "make": Field(TEXT, "The id of its make (AAGUID)."),
    },
    ((_("Name"), "name"), (_("Since"), "created_at"), (_("Last used"), "used_at")),
)
OLD_POSTS = Kind(
    "old-posts",
    _("Deleting old posts"),
    {
        "after_days": Field(NUMBER, "The age at which your posts are deleted, 0 if they are not."),
        "chosen": Field(TEXTS, "What goes and what stays."),
        "last_run_at": Field(MOMENT, "When posts were last deleted so, in UTC."),
        "deleted": Field(NUMBER, "How many posts were deleted so."),
    },
    ((_("After days"), "after_days"), (_("Deleted"), "deleted"), (_("When"), "last_run_at")),
)


@access_pattern
def read_account(user_id: str) -> Iterator[tuple[str, Record]]:
    """Yields how and where from a person signs in, and by which apps, without any secret, and what they want done with
    old posts.

    A BatchGetItem of two keys, 1 read unit, 0.5 for the person's data key, and three Queries, of the passkeys in
    `u#<id>#auth`, of `u#<id>#session` and of `u#<id>#origin`, 0.5 for each 10 or so. In all 3 read units.
    """
    key, wish_key = keys.credentials(user_id), keys.old_posts_wish(user_id)
    found = fetch([key, wish_key])
    credentials = row(Credentials, found.get(key, {}))
    email = decrypt_email(credentials.email, user_id=user_id) if credentials.email else ""
    yield ACCOUNT.name, {"email": email, "two_step_verification": bool(credentials.totp)}
    for raw in query(keys.sign_ins(user_id)):
        yield _app(raw) if raw["type"]["S"] == AppToken.__name__ else _sign_in(raw)
    yield from map(_origin, query(keys.origin_traces(user_id)))
    yield from map(_passkey, query(keys.ways_in(user_id), between=keys.passkey_bounds()))
    if wish := found.get(wish_key):
        yield _wish(wish)


def _sign_in(raw: RawItem) -> tuple[str, Record]:
    sign_in = row(SignIn, raw)
    return SIGN_INS.name, {
        "browser": browser_name(sign_in.browser),
        "sent_by_browser": sign_in.browser,
        "last_seen_on": sign_in.seen,
        "confirmed_at": sign_in.proved_at,
    }


def _app(raw: RawItem) -> tuple[str, Record]:
    token = row(AppToken, raw)
    return APPS.name, {
        "name": token.name,
        "website": token.website,
        "may": token.scopes.split(),
        "since": token.made,
        "last_used_on": token.seen,
        "ends_at": token.ends_at or "",
        "is_own": token.client_id == OWN,
    }


def push_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    """Yields the devices that push reaches, without where and with which key."""
    for raw in raws:
        one = row(PushSubscription, raw)
        yield (
            PUSH_DEVICES.name,
            {
                "browser": one.app or browser_name(one.browser),
                "sent_by_browser": one.browser,
                "push_service": one.service,
                "on_since": one.made,
                "kept_until": one.ttl.isoformat(timespec="seconds") if one.ttl else "",
            },
        )


def _origin(raw: RawItem) -> tuple[str, Record]:
    trace = row(OriginTrace, raw)
    until = trace.ttl.isoformat(timespec="seconds") if trace.ttl else ""
    kind = "network" if trace.kind == OriginKind.NETWORK else "browser"
    return ORIGINS.name, {
        "kind": kind,
        "code": trace.hmac,
        "last_on": trace.seen,
        "kept_until": until,
    }


def _passkey(raw: RawItem) -> tuple[str, Record]:
    passkey = row(Passkey, raw)
    return PASSKEYS.name, {
        "name": passkey.name,
        "created_at": passkey.created,
        "used_at": passkey.used,
        "times_used": int(passkey.counter),
        "synced": bool(passkey.backed_up),
        "make": passkey.aaguid,
    }


def _wish(raw: RawItem) -> tuple[str, Record]:
    wish = row(OldPostsWish, raw)
    return OLD_POSTS.name, {
        "after_days": int(wish.days or 0),
        "chosen": list(wish.chosen or ()),
        "last_run_at": wish.ran_at,
        "deleted": int(wish.deleted),
    }
