"""Reads about people: pattern 1 of the published design, the viewer, and the owner of a handle or an email address.

The writes are in `services/`; the keys in `socialsite/table/keys/`; all patterns with their measured cost in
`docs/access-patterns.md`.
"""

from collections.abc import Collection, Sequence

from accounts.cards import PersonCard
from accounts.circles import circles_of
from accounts.handles.holders import Holder, holder_of
from accounts.models import EmailClaim, HandleClaim, SignIn, UserSettings
from accounts.signing_in.epochs import is_of_epoch
from accounts.viewer import VISITOR, Viewer, Waiting
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row


@access_pattern
def get_viewer(
    user_id: str, secret_hash: str, *, handle: str = "", beside: Collection[Key] = ()
) -> tuple[Viewer, Holder, RawItem | None]:
    """Returns the viewer and, for pages under `/@handle`, the person whose page it is.

    Reads `u#<id>` `info`, `settings` and `bell`, `u#<id>#session` `s#<hash>`, the handle's claim and the keys `beside`
    in one BatchGetItem: 0.5 read units a key. The viewer is a visitor if the sign-in was revoked, expired or begun
    before the account's last change of password. The holder says whether the handle is a former one of theirs. The
    third value is the raw `SignIn`.
    """
    info_key, sign_in_key = keys.user_info(user_id), keys.sign_in(user_id, secret_hash)
    claim_key = keys.handle_claim(handle)
    settings_key, bell_key = keys.user_settings(user_id), keys.bell(user_id)
    wanted = [info_key, settings_key, bell_key, sign_in_key, *beside] if user_id else []
    found = fetch([*wanted, claim_key] if handle else wanted)
    holder = holder_of(found.get(claim_key))
    info, sign_in = found.get(info_key), found.get(sign_in_key)
    kept = found.get(settings_key, {})
    if info is None or sign_in is None or not is_of_epoch(sign_in, kept):
        return VISITOR, holder, None
    card = PersonCard.from_raw(info, viewer_id=user_id)
    own, signed_in = row(UserSettings, kept), row(SignIn, sign_in)
    if card.is_locked_out:
        locked_out = Viewer(
            secret_hash=secret_hash,
            locked_out=card,
            proved_at=signed_in.proved_at,
            proved_with=signed_in.proved_with,
        )
        return locked_out, holder, None
    viewer = Viewer(
        user_id,
        secret_hash,
        card,
        tuple(own.pulled),
        own.merged,
        tuple(own.hidden),
        has_notice=bool(own.notice),
        proved_at=signed_in.proved_at,
        proved_with=signed_in.proved_with,
        circles=circles_of(kept),
        folder_names=tuple((own.folders or {}).items()),
        waiting=Waiting.from_raw(found.get(bell_key, {})),
        opted_out=tuple(own.opted_out),
        without_reposts=tuple(own.without_reposts),
        is_confirmed=not own.unconfirmed,
        beside={key: found.get(key) for key in beside},
    )
    return viewer, holder, sign_in


@access_pattern
def read_signed_in(
    user_id: str, secret_hash: str, *, beside: Collection[Key] = ()
) -> dict[Key, RawItem] | None:
    """Returns the items at `beside` that are there, None unless pages would take this sign-in for that of someone who
    is not locked out. For what is asked for in great numbers and needs no more of its viewer: pictures.

    BatchGetItem `u#<id>` `info` and `settings`, `u#<id>#session` `s#<hash>` and the keys: 0.5 read units each.
    """
    info_key, settings_key = keys.user_info(user_id), keys.user_settings(user_id)
    sign_in_key = keys.sign_in(user_id, secret_hash)
    found = fetch([info_key, settings_key, sign_in_key, *beside])
    if info_key not in found or sign_in_key not in found:
        return None
    if not is_of_epoch(found[sign_in_key], found.get(settings_key, {})):
        return None
    if PersonCard.from_raw(found[info_key]).is_locked_out:
        return None
    return {key: found[key] for key in beside if key in found}


@access_pattern
def get_user_info(
    user_id: str, *, viewer: Viewer = VISITOR, consistent: bool = False
) -> PersonCard:
    """Pattern 1, getUserInfoByUserID: returns a person's info and counts, even if others may not see them
    (`get_person`).

    Query `PK = u#<id>`: both items in one call, 0.5 read units, 1 if consistent. Raises `NotFound`.
    """
    items = {raw["SK"]["S"]: raw for raw in query(keys.user(user_id), consistent=consistent)}
    info, count = items.get(keys.user_info("").sk), items.get(keys.user_count("").sk)
    if info is None or count is None:
        raise NotFound("no such person")
    return PersonCard.from_raw(info, viewer_id=viewer.user_id).with_counts(count)


@access_pattern
def find_user_by_email(email_hmacs: Sequence[str], *, consistent: bool = False) -> str:
    """Returns the account that confirmed this email address, found by its hash under each key. Raises `NotFound`, also
    for an address that is only kept for its owner after a change (`EmailClaim`).

    BatchGetItem `email#<hmac>`, 0.5 read units a key, 1 if consistent.
    """
    claims = [keys.email_claim(hmac) for hmac in email_hmacs]
    for raw in fetch(claims, consistent=consistent).values():
        claim = row(EmailClaim, raw)
        if claim.user_id and claim.ttl is None:
            return str(claim.user_id)
    raise NotFound("no account with this e-mail address")


@access_pattern
def find_user_by_handle(handle: str, *, or_former: bool = False) -> str:
    """Returns the person with this handle, or with `or_former` also the person who gave it up in the last 90 days.
    GetItem `handle#<handle>`, 0.5 read units. Raises `NotFound`."""
    claim = reading.get(HandleClaim, keys.handle_claim(handle))
    if not claim.user_id or (claim.former and not or_former):
        raise NotFound("no HandleClaim that leads to anybody")
    return str(claim.user_id)
