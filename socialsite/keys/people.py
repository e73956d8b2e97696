"""Keys of people: accounts, sign-ins, passkeys, photos, notifications, exports and erasure."""

import zlib

from socialsite.keys.key import Key, bounds


def user(user_id: str) -> str:
    return f"u#{user_id}"


def is_of_person(partition: str, user_id: str) -> bool:
    """Whether a partition is the person's own, or one of their lists."""
    return partition == user(user_id) or partition.startswith(f"u#{user_id}#")


def user_info(user_id: str) -> Key:
    return Key(user(user_id), "info")


def user_count(user_id: str) -> Key:
    return Key(user(user_id), "count")


def user_settings(user_id: str) -> Key:
    return Key(user(user_id), "settings")


def credentials(user_id: str) -> Key:
    return Key(f"u#{user_id}#auth", "auth")


def sign_ins(user_id: str) -> str:
    return f"u#{user_id}#session"


def sign_in(user_id: str, secret_hash: str) -> Key:
    return Key(sign_ins(user_id), f"s#{secret_hash}")


def is_sign_in(key: Key) -> bool:
    return key.pk.endswith("#session") and key.sk.startswith("s#")


def is_sign_in_or_token(key: Key) -> bool:
    """Whether a browser or an app is signed in by it."""
    return key.pk.endswith("#session")


def app(client_id: str) -> Key:
    return Key(f"app#{client_id}", "app")


def app_code(code_hash: str) -> Key:
    return Key(f"oauth#{code_hash}", "code")


def app_token(user_id: str, secret_hash: str) -> Key:
    """Returns the key of what an app may do for a person. It stands beside their sign-ins, and ends with them."""
    return Key(sign_ins(user_id), f"a#{secret_hash}")


KEY_SHARDS = 16


def person_keys(shard: int) -> str:
    return f"key#{shard}"


def person_key(user_id: str) -> Key:
    """Returns the key of a person's data key. They lie in a few partitions, so that all can be listed."""
    return Key(person_keys(zlib.crc32(user_id.encode()) % KEY_SHARDS), user(user_id))


def token(secret_hash: str) -> Key:
    return Key(f"token#{secret_hash}", "token")


def roles() -> str:
    return "site#role"


def role(name: str) -> Key:
    return Key(roles(), name)


def staff() -> str:
    return "site#staff"


def staff_member(user_id: str) -> Key:
    return Key(staff(), user(user_id))


def handle_claim(handle: str) -> Key:
    return Key(f"handle#{handle}", "handle")


def email_claim(email_hmac: str) -> Key:
    return Key(f"email#{email_hmac}", "email")


def domain_entries(domain_hmac: str) -> str:
    """Returns the partition of the people whose confirmed email address is of a domain."""
    return f"maildomain#{domain_hmac}"


def domain_entry(domain_hmac: str, user_id: str) -> Key:
    return Key(domain_entries(domain_hmac), user(user_id))


def origins(kind: str, hmac: str) -> str:
    """Returns the partition of the people who signed in from a network (`net`) or a browser (`device`)."""
    return f"origin#{kind}#{hmac}"


def origin(kind: str, hmac: str, user_id: str) -> Key:
    return Key(origins(kind, hmac), user(user_id))


def origin_traces(user_id: str) -> str:
    return f"u#{user_id}#origin"


def origin_trace(user_id: str, kind: str, hmac: str) -> Key:
    return Key(origin_traces(user_id), f"{kind}#{hmac}")


def directory(letters: str) -> str:
    return f"find#{letters}"


def directory_entry(letters: str, folded: str, user_id: str) -> Key:
    return Key(directory(letters), f"{folded}#u#{user_id}")


def origin_trace_bounds(kind: str) -> tuple[str, str]:
    """Returns the sort keys between which a person's traces of one kind lie."""
    return bounds(f"{kind}#")


def links_accounts(partition: str) -> bool:
    """Whether a partition's keys tell which accounts share a network, a browser or an email domain."""
    is_of_traces = partition.startswith("u#") and partition.endswith("#origin")
    return is_of_traces or partition.startswith(("maildomain#", "origin#"))


# Keys of passkeys: the claim that finds a passkey's person, the passkey beside the other ways in, and the
# challenges that were answered.

PASSKEY = "passkey#"


def ways_in(user_id: str) -> str:
    """Returns the partition of someone's Credentials and passkeys."""
    return credentials(user_id).pk


def passkey(user_id: str, credential_hash: str) -> Key:
    return Key(ways_in(user_id), f"{PASSKEY}{credential_hash}")


def passkey_bounds() -> tuple[str, str]:
    return bounds(PASSKEY)


def passkey_claim(credential_hash: str) -> Key:
    return Key(f"passkey#{credential_hash}", "passkey")


def used_challenge(challenge_hash: str) -> Key:
    return Key(f"challenge#{challenge_hash}", "challenge")


def photos(user_id: str) -> str:
    return f"u#{user_id}#photo"


def photo(user_id: str, photo_id: str) -> Key:
    return Key(photos(user_id), f"ph#{photo_id}")


TIME = 10  # characters at the head of a ULID


def bell(user_id: str) -> Key:
    return Key(user(user_id), "bell")


def is_bell(key: Key) -> bool:
    return key.sk == "bell"


def notifications(user_id: str) -> str:
    return f"u#{user_id}#notification"


def notification(user_id: str, place: str) -> Key:
    """Returns the key of a group of notifications. `place` is the time at which the group was opened, followed by its
    name, so that two groups of one moment stand side by side."""
    return Key(notifications(user_id), f"n#{place}")


def push_subscriptions(user_id: str) -> str:
    return f"u#{user_id}#push"


def push_subscription(user_id: str, device: str) -> Key:
    return Key(push_subscriptions(user_id), f"s#{device}")


def export(user_id: str) -> Key:
    """Returns the key of a person's export. It is one item, so there is at most one at a time."""
    return Key(f"u#{user_id}#export", "export")


def transfers(user_id: str) -> str:
    """Returns the partition of the files that a person brought from elsewhere."""
    return f"u#{user_id}#brought"


def transfer(user_id: str, transfer_id: str) -> Key:
    return Key(transfers(user_id), f"b#{transfer_id}")


def transfer_lines(user_id: str, transfer_id: str, number: int) -> Key:
    """Returns the key of some lines of such a file that are still to be done."""
    return Key(f"u#{user_id}#broughtline", f"b#{transfer_id}#{number:05}")


def transfer_reports(user_id: str) -> str:
    """Returns the partition of what became of such lines, of all files."""
    return f"u#{user_id}#broughtreport"


def transfer_report(user_id: str, transfer_id: str, number: int) -> Key:
    return Key(transfer_reports(user_id), f"b#{transfer_id}#{number:05}")


def receipt(receipt_id: str) -> Key:
    return Key(f"receipt#{receipt_id}", "receipt")


def erasures() -> str:
    """Returns the partition of the people who are erased, until the whole table was searched for them."""
    return "erasure"


def erasure(user_id: str) -> Key:
    return Key(erasures(), f"u#{user_id}")


# What a person has besides their profile and their ways in, one partition for each. Strikes are evidence, and stay for
# a term.
OWN = (
    "follower",
    "following",
    "subscriber",
    "relation",
    "muted",
    "suggestion",
    "dismissal",
    "list",
    "listed",
    "help",
    "post",
    "media",
    "submission",
    "timeline",
    "job",
    "recent",
    "trace",
    "ballot",
    "tag",
    "shelf",
    "photo",
    "notification",
    "push",
    "note",
    "report",
    "reporter",
    "secured",
    "wish",
    "export",
    "brought",
    "broughtline",
    "broughtreport",
    "chat",
    "kept",
)


def ballots(user_id: str) -> str:
    return f"u#{user_id}#ballot"


def ballot(user_id: str, vote_id: str) -> Key:
    """Returns the key of what says that a person has voted in a site vote: they have one in each."""
    return Key(ballots(user_id), vote_id)


def own_partitions(user_id: str) -> list[str]:
    """Returns the partitions that an erasure leaves empty, but for that of the profile."""
    return [f"u#{user_id}#{name}" for name in OWN]
