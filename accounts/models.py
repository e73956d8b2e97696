"""Items about people, and about how they sign in; those of apps are in `grants/`. Shape and keys only. Attributes are
called in the table as in the published model (`name`, `content`, `imageUrl`, `follower#` …).

`UserCount` holds the moments at which a person's posts end: second and post id in one string. What is past counts no
more, though nobody writes anything at that second.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import (
    Attribute,
    BinaryAttribute,
    BooleanAttribute,
    JSONAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)
from pynamodb.constants import BINARY, STRING
from pynamodb.expressions.condition import Comparison
from pynamodb.expressions.operand import Path

import accounts.grants.models  # noqa: F401
from socialsite.table import Item, keys

Sealed = bytes | str


class SealedAttribute(Attribute[Sealed]):
    """Reads both kinds, compares with both kinds, and writes binary values alone."""

    attr_type = BINARY

    def get_value(self, value: dict[str, Any]) -> Any:
        return value[STRING] if STRING in value else super().get_value(value)

    def __eq__(self, other: Any) -> Comparison:  # type: ignore[override]
        return Path(self) == ({STRING: other} if isinstance(other, str) else other)


CAME_BACK = "came back"  # a value of `UserSettings.unconfirmed`: letters to the address did
CROSSING, PULLED = "crossing", "pulled"  # states of `UserInfo.reading`


class UserInfo(Item, discriminator="UserInfo"):
    """Who a person is, as everyone sees it, read everywhere. Under 1 KB unless the bio is long.

    `mentions` holds the people the bio mentions (handle: id), as `find_mentioned` found them when it was saved.
    `avatar` and `header` name the files of their pictures (`accounts/profile/writes.py`). `gender` is how they want to
    be spoken of, `locked` says that they decide who follows them, and `archived_before` is the id before which their
    posts are for followers only. `not_suggested` keeps them out of other people's suggestions, `no_topics` out of those
    of topics (`relations/topics.py`), `not_indexed` out of search engines, and `not_searched` their posts out of the
    search on this site (`finding/`), `no_packs` out of starter packs. `listed` says that someone has them in a list, so
    that the worker keeps their newest posts for it (`feed/lists/stream.py`). `level` is how much the site trusts them
    (`socialsite/site_settings/levels.py`), `level_given` says that staff gave it, and `shows_level` that they show it.
    `writers` says who may begin to write messages to them, and `hides_seen` that nobody learns what they have read
    (`chats/`). `limited_until`, `frozen_until`, `suspended_until` and `no_messages_until` are moderators' restrictions;
    `waiting` says that no moderator approved the sign-up yet, `paused` that the person hid themselves until they come
    back. `closing` is the moment from which on the account is erased, as its owner asked (`privacy/erasure/`), though
    not before `held_until`, the end of a legal hold (`privacy/holds/`). `secured` is when staff secured the account,
    until its owner is back. `reading` is empty while their posts are fanned out, `crossing` while followers learn to
    pull them, and then `pulled` (`feed/timelines/fan_out_stream.py`).
    """

    family = "people"
    page = "/@{user_id}"

    user_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute()
    bio = UnicodeAttribute(attr_name="content", null=True)
    mentions = MapAttribute[str, str](null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
    header = UnicodeAttribute(null=True)
    location = UnicodeAttribute(null=True)
    role = UnicodeAttribute(null=True)
    reading = UnicodeAttribute(null=True)
    gender = UnicodeAttribute(null=True)
    locked = UnicodeAttribute(null=True)
    archived_before = UnicodeAttribute(null=True)
    not_suggested = UnicodeAttribute(null=True)
    no_topics = UnicodeAttribute(null=True)
    not_indexed = UnicodeAttribute(null=True)
    not_searched = UnicodeAttribute(null=True)
    no_packs = UnicodeAttribute(null=True)
    listed = UnicodeAttribute(null=True)
    level = UnicodeAttribute(null=True)  # missing: a member
    level_given = UnicodeAttribute(null=True)
    shows_level = UnicodeAttribute(null=True)
    writers = UnicodeAttribute(null=True)  # missing: everyone, strangers with a request
    hides_seen = UnicodeAttribute(null=True)
    limited_until = UnicodeAttribute(null=True)
    frozen_until = UnicodeAttribute(null=True)
    suspended_until = UnicodeAttribute(null=True)
    no_messages_until = UnicodeAttribute(null=True)
    waiting = UnicodeAttribute(null=True)
    paused = UnicodeAttribute(null=True)
    closing = UnicodeAttribute(null=True)
    held_until = UnicodeAttribute(null=True)
    secured = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, handle: str, name: str, role: str | None = None) -> Self:
        return cls(*keys.user_info(user_id), user_id=user_id, handle=handle, name=name, role=role)


class UserCount(Item, discriminator="UserCount"):
    """A person's counts, apart from their texts because they change often (vertical partitioning). The user's
    transaction writes them, except for followers of widely followed people (the worker: `Following.counted_by`).

    `closed` is how many of the `posts` are not for everyone; others see only the number of the rest. `imported` is how
    many were brought from elsewhere, which earns no trust. `pins` are the ids of the posts that the person keeps at the
    top of their page: it reads this item anyway, and alone.

    Posts that end by themselves are in none of these. Each stands, with its moment, in a set: `ends` for everyone,
    `closed_ends` for some, `withheld_ends` for its author alone by a decision. Readers add those still to come.
    """

    family = "people"
    page = "/@{user_id}"

    user_id = UnicodeAttribute()
    followers = NumberAttribute(attr_name="follower#", default=0)
    following = NumberAttribute(attr_name="following#", default=0)
    posts = NumberAttribute(attr_name="post#", default=0)
    closed = NumberAttribute(attr_name="closedpost#", default=0)
    imported = NumberAttribute(attr_name="importedpost#", null=True)
    friends = NumberAttribute(attr_name="friend#", default=0)
    pins = UnicodeSetAttribute(null=True)
    ends = UnicodeSetAttribute(null=True)
    closed_ends = UnicodeSetAttribute(null=True)
    withheld_ends = UnicodeSetAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.user_count(user_id), user_id=user_id)


class UserSettings(Item, discriminator="UserSettings"):
    """The settings that only the person's own pages and the stream worker read.

    `seen` is the last day they used the site. `pulled` holds the widely followed people whose posts are merged into
    their timeline on reading, and `merged` says up to which posts of theirs that was written into it
    (`feed/timelines/big_authors.py`). `preferences` is read when they sign in (`socialsite/web/preferences.py`).
    `notice` says that they have an unread notice from moderators. `asked` is their reason for joining. `opted_out`
    holds what they do not want to be notified of (`socialsite/telling.py`), `without_reposts` the people whose reposts
    they hide, `not_home` those of lists that are not in Home, and `home_lists` names the lists beside its tabs
    (`relations/lists/writes.py`). `muted_version` is that of their muted words, missing without any
    (`relations/muted_words/`). `letters` holds the letters that they asked for and when (`accounts/mail/choices.py`).
    `epoch` is a copy of the one in their Credentials, and `unconfirmed` says that they have no confirmed address: not
    yet, or no more, as letters to it came back.
    """

    family = "people"
    most_bytes = 49_152  # 1,500 widely followed people, 26 bytes each, 200 not in Home, 30 each, and 5 tabs, 600

    user_id = UnicodeAttribute()
    seen = UnicodeAttribute()
    pulled = UnicodeSetAttribute(null=True)
    merged = UnicodeAttribute(null=True)
    preferences = UnicodeAttribute(null=True)
    hidden = UnicodeSetAttribute(null=True)
    notice = UnicodeAttribute(null=True)
    asked = UnicodeAttribute(null=True)
    opted_out = UnicodeSetAttribute(attr_name="untold", null=True)  # its name from before
    without_reposts = UnicodeSetAttribute(null=True)
    circles = JSONAttribute(null=True)  # their names by id (accounts/people/viewer.py)
    folders = JSONAttribute(null=True)  # of saved posts: their names by id (feed/saved/reads.py)
    not_home = UnicodeSetAttribute(null=True)  # each the end of a list's id, and a person's
    home_lists = JSONAttribute(null=True)  # their names by id
    former_handles = JSONAttribute(null=True)  # since when (accounts/people/reads.py)
    epoch = NumberAttribute(null=True)
    unconfirmed = UnicodeAttribute(null=True)
    muted_version = UnicodeAttribute(null=True)
    letters = JSONAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, seen: str, preferences: str | None = None) -> Self:
        key = keys.user_settings(user_id)
        return cls(*key, user_id=user_id, seen=seen, preferences=preferences)


class Bell(Item, discriminator="Bell"):
    """What waits for a person: read with every page, and changed often, so apart from their settings.

    `unseen` holds the groups of notifications that they have not seen, each with the place of its `Notification` and
    the number of its last change (`<place>.<number>`). `asking` holds the requests that wait for their answer.
    `changes` numbers the changes. Only the worker adds to it, by stream and clock (`notifications/`); reading takes
    groups away. `chats` holds the conversations with unread messages, each by the other's id or the group's, and
    `chat_requests` those of people who ask to write (`chats/`); `rang` is the last message that rang, so that a further
    one of a conversation shows in open lists. `push_to` names the devices that are pushed to, and `push_as` is how the
    person wants that: here both are read with what waits, and cost people without devices nothing
    (`notifications/push/`).
    """

    family = "people"

    user_id = UnicodeAttribute()
    unseen = MapAttribute[str, str](default=dict)
    asking = UnicodeSetAttribute(null=True)
    changes = NumberAttribute(default=0)
    chats = UnicodeSetAttribute(null=True)
    chat_requests = UnicodeSetAttribute(null=True)
    push_to = UnicodeSetAttribute(null=True)
    push_as = UnicodeAttribute(null=True)
    rang = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls, *, user_id: str, unseen: Mapping[str, str], asking: Collection[str], changes: int
    ) -> Self:
        key, asked = keys.bell(user_id), set(asking) or None
        return cls(*key, user_id=user_id, unseen=dict(unseen), asking=asked, changes=changes)


def unseen_group(group: str) -> Any:
    """Returns the value of one group in `Bell.unseen`, to be changed or compared on its own."""
    return Bell.unseen[group]


class HandleClaim(Item, discriminator="HandleClaim"):
    """Makes a handle unique, and finds its person.

    `former` is the moment at which the person took another handle. From then on the claim has a `ttl`, and nobody else
    can take the handle until it has passed. A former claim without a person keeps the handle of someone who was erased:
    it finds nobody, and is not free either.
    """

    family = "people"
    page = "/@{user_id}"

    handle = UnicodeAttribute()
    user_id = UnicodeAttribute(null=True)
    former = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, handle: str, user_id: str) -> Self:
        return cls(*keys.handle_claim(handle), handle=handle, user_id=user_id)


class DomainEntry(Item, discriminator="DomainEntry"):
    """Finds a person by the domain of their confirmed email address, for staff, without holding the domain. It comes
    with the claim of the address, and goes when the person has another address or none."""

    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, domain_hmac: str, user_id: str) -> Self:
        return cls(*keys.domain_entry(domain_hmac, user_id), user_id=user_id)


class EmailClaim(Item, discriminator="EmailClaim"):
    """Makes a confirmed email address unique, and finds its person, without holding the address.

    After a change of address, the claim of the old one gets a `ttl`: until then it is kept for the undo, finds nobody,
    and is nobody else's. One without a person bars the address of someone who was erased while they were suspended,
    until its `ttl`.
    """

    user_id = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, email_hmac: str, user_id: str) -> Self:
        return cls(*keys.email_claim(email_hmac), user_id=user_id)


class PersonKey(Item, discriminator="PersonKey"):
    """The key that seals a person's private values, wrapped by the master key with the id `master`.

    Values that it sealed carry its `generation`. All keys are listed in a few partitions, so that they can be wrapped
    again without looking through the table.
    """

    user_id = UnicodeAttribute()
    wrapped = BinaryAttribute(legacy_encoding=False)
    master = UnicodeAttribute()
    generation = NumberAttribute()

    @classmethod
    def new(cls, *, user_id: str, wrapped: bytes, master: str, generation: int) -> Self:
        return cls(
            *keys.person_key(user_id),
            user_id=user_id,
            wrapped=wrapped,
            master=master,
            generation=generation,
        )


class Credentials(Item, discriminator="Credentials"):
    """What signing in needs. It is never read with a profile. The email address is sealed with the person's key, and so
    is `totp`, the key of two-step verification, which came at `totp_since`. `totp_step` is the last time step whose
    code was accepted, and `recovery` holds hashes of the recovery codes. `epoch` numbers the times that all earlier
    sign-ins ended: it stands beside the password, so that both are read at the same moment. `set_aside` is the password
    from before staff secured the account. `user_handle` is the account's random name in passkeys, and `passkeys` is how
    many of them it has. `receipt` leads to the receipt of a closing account.

    `email` is missing until the person has confirmed one. `wished_email` waits for that, and is sealed as if it stood
    there. `undo_until` is the moment until which the last change of address can be undone, by the letter `undo_token`.
    `bounced` names the letter to it that came back for good, behind its day, until a second one does."""

    user_id = UnicodeAttribute()
    password = UnicodeAttribute()
    set_aside = UnicodeAttribute(null=True)
    email = SealedAttribute(null=True)
    wished_email = SealedAttribute(null=True)
    undo_until = UnicodeAttribute(null=True)
    undo_token = UnicodeAttribute(null=True)
    bounced = UnicodeAttribute(null=True)
    totp = SealedAttribute(null=True)
    totp_step = NumberAttribute(null=True)
    totp_since = UnicodeAttribute(null=True)
    recovery = UnicodeSetAttribute(null=True)
    epoch = NumberAttribute(null=True)
    user_handle = UnicodeAttribute(null=True)
    passkeys = NumberAttribute(null=True)
    receipt = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, password: str, email: Sealed, confirmed: bool = True) -> Self:
        return cls(
            *keys.credentials(user_id),
            user_id=user_id,
            password=password,
            email=email if confirmed else None,
            wished_email=None if confirmed else email,
        )


class SignIn(Item, discriminator="SignIn"):
    """One signed-in browser. Its cookie holds a secret, and this item only its hash. `proved_at` is when the person
    last confirmed their identity here, `proved_with` says whether with a code too. It is over once the account's
    `epoch` is another. `push_device` names the device that is pushed to here (`notifications/push/`), `token_form`
    the newest form of `own_tokens/` that was sent."""

    user_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    browser = UnicodeAttribute()
    seen = UnicodeAttribute()
    proved_at = UnicodeAttribute(null=True)
    proved_with = UnicodeAttribute(null=True)
    epoch = NumberAttribute(null=True)
    push_device = UnicodeAttribute(null=True)
    token_form = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        secret_hash: str,
        browser: str,
        seen: str,
        ttl: datetime,
        epoch: int,
    ) -> Self:
        return cls(
            *keys.sign_in(user_id, secret_hash),
            user_id=user_id,
            secret_hash=secret_hash,
            browser=browser,
            seen=seen,
            ttl=ttl,
            epoch=epoch or None,
        )


class Token(Item, discriminator="Token"):
    """What a link in a letter may do, once. The link holds a secret, and this item only the secret's hash.

    `purpose` is the one thing it may do, for the account `user_id`, and `epoch` the account's at that moment. `used`
    says that it was done: the item stays until its `ttl`, so that a letter which is sent again cannot bring it back.
    To confirm an address, `email_hmac` says which. To undo a change of address, `former_email` is the one before,
    sealed as in Credentials, and `factor` the stamp of the two-step verification of that moment.
    """

    purpose = UnicodeAttribute()
    user_id = UnicodeAttribute()
    epoch = NumberAttribute(null=True)
    used = UnicodeAttribute(null=True)
    email_hmac = UnicodeAttribute(null=True)
    former_email = SealedAttribute(null=True)
    factor = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls, *, secret_hash: str, purpose: str, user_id: str, epoch: int, ttl: datetime
    ) -> Self:
        key = keys.token(secret_hash)
        return cls(*key, purpose=purpose, user_id=user_id, epoch=epoch or None, ttl=ttl)


class Passkey(Item, discriminator="Passkey"):
    """One passkey of a person: the public half of a key whose other half never leaves their device or password
    manager.

    `credential_id` and `public_key` are base64url. `counter` is how often the authenticator says that it was used,
    and stays 0 if it does not count. `aaguid` names its make, `transports` the ways to reach it. `backed_up` says that
    it is synced to other devices. `name` is the person's own word for it.
    """

    user_id = UnicodeAttribute()
    credential_hash = UnicodeAttribute()
    credential_id = UnicodeAttribute()
    public_key = UnicodeAttribute()
    counter = NumberAttribute()
    transports = UnicodeSetAttribute(null=True)
    aaguid = UnicodeAttribute()
    backed_up = BooleanAttribute()
    name = UnicodeAttribute()
    created = UnicodeAttribute()
    used = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        credential_hash: str,
        credential_id: str,
        public_key: str,
        counter: int,
        transports: set[str],
        aaguid: str,
        backed_up: bool,
        name: str,
        created: str,
    ) -> Self:
        return cls(
            *keys.passkey(user_id, credential_hash),
            user_id=user_id,
            credential_hash=credential_hash,
            credential_id=credential_id,
            public_key=public_key,
            counter=counter,
            transports=transports or None,
            aaguid=aaguid,
            backed_up=backed_up,
            name=name,
            created=created,
        )


class PasskeyClaim(Item, discriminator="PasskeyClaim"):
    """Makes a passkey unique, and finds its person, who need not say their name to sign in."""

    user_id = UnicodeAttribute()
    credential_hash = UnicodeAttribute()

    @classmethod
    def new(cls, *, credential_hash: str, user_id: str) -> Self:
        key = keys.passkey_claim(credential_hash)
        return cls(*key, credential_hash=credential_hash, user_id=user_id)


class UsedChallenge(Item, discriminator="UsedChallenge"):
    """A challenge that a passkey answered, so that the same answer does nothing a second time. `use` is random: it
    tells two uses within a second apart."""

    use = UnicodeAttribute()

    @classmethod
    def new(cls, *, challenge_hash: str, use: str, ttl: datetime) -> Self:
        return cls(*keys.used_challenge(challenge_hash), use=use, ttl=ttl)


class Origin(Item, discriminator="Origin"):
    """Finds a person by a network or a browser that they signed in from, without holding either. `seen` is the day of
    the last time, and the `ttl` 90 days after it."""

    user_id = UnicodeAttribute()
    seen = UnicodeAttribute()

    @classmethod
    def new(cls, *, kind: str, hmac: str, user_id: str, seen: str, ttl: datetime) -> Self:
        return cls(*keys.origin(kind, hmac, user_id), user_id=user_id, seen=seen, ttl=ttl)


class OriginTrace(Item, discriminator="OriginTrace"):
    """In a person's own partition: what leads to an `Origin` of theirs."""

    user_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    hmac = UnicodeAttribute()
    seen = UnicodeAttribute()

    @classmethod
    def new(cls, *, kind: str, hmac: str, user_id: str, seen: str, ttl: datetime) -> Self:
        return cls(
            *keys.origin_trace(user_id, kind, hmac),
            user_id=user_id,
            kind=kind,
            hmac=hmac,
            seen=seen,
            ttl=ttl,
        )
