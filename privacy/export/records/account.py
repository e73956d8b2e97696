"""What the clock adds when it makes the zip: how a person signs in, which the stream worker may not read, and what they
want done with old posts."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from accounts.encryption.emails import decrypt_email
from accounts.models import Credentials, OriginTrace, Passkey, SignIn
from accounts.signing_in.origins import OriginKind
from accounts.signing_in.sign_ins import browser_name
from privacy.export.fields import DAY, FLAG, MOMENT, NUMBER, TEXT, TEXTS, Field, Record, one_of
from privacy.export.kinds import Kind
from privacy.models import OldPostsWish
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

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
    """Yields how and where from a person signs in, without any secret, and what they want done with old posts.

    A BatchGetItem of two keys, 1 read unit, 0.5 for the person's data key, and three Queries, of the passkeys in
    `u#<id>#auth`, of `u#<id>#session` and of `u#<id>#origin`, 0.5 for each 10 or so.
    """
    key, wish_key = keys.credentials(user_id), keys.old_posts_wish(user_id)
    found = fetch([key, wish_key])
    credentials = row(Credentials, found.get(key, {}))
    email = decrypt_email(credentials.email, user_id=user_id) if credentials.email else ""
    yield ACCOUNT.name, {"email": email, "two_step_verification": bool(credentials.totp)}
    yield from map(_sign_in, query(keys.sign_ins(user_id)))
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
