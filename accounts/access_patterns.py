"""Reads about people: patterns 1 to 3 of the published design, and who is looking.

The writes are in `services/`; the keys in `socialsite/table/keys/`; all patterns with their measured cost in
`docs/access-patterns.md`. `recommend_people`, which goes from people to people in two levels, is offered here too; it
is in `discovery.py`.
"""

from collections.abc import Iterable, Sequence

from accounts.cards import PersonCard
from accounts.circles import circles_of
from accounts.discovery import recommend_people as recommend_people
from accounts.models import (
    EmailClaim,
    Follower,
    Following,
    HandleClaim,
    RelationType,
    SignIn,
    UserSettings,
)
from accounts.relations import blocks_either_way, is_in_force
from accounts.viewer import VISITOR, Viewer
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.reading import RawItem, fetch, query


@access_pattern
def get_viewer(
    user_id: str, secret_hash: str, *, handle: str = ""
) -> tuple[Viewer, str, RawItem | None]:
    """Who is looking, and, for pages under `/@handle`, whose page it is.

    Reads `u#<id>` `info` and `settings`, `u#<id>#session` `s#<hash>` and the handle's claim in one BatchGetItem: 0.5
    read units a key. Returns the viewer (a visitor if the sign-in was revoked or expired), the person's id (empty if
    nobody has the handle), and the raw `SignIn`.
    """
    info_key, sign_in_key = keys.user_info(user_id), keys.sign_in(user_id, secret_hash)
    claim_key = keys.handle_claim(handle)
    settings_key = keys.user_settings(user_id)
    wanted = [info_key, settings_key, sign_in_key] if user_id else []
    found = fetch([*wanted, claim_key] if handle else wanted)
    claim = found.get(claim_key)
    person_id = reading.text(claim, HandleClaim.user_id) if claim else ""
    info, sign_in = found.get(info_key), found.get(sign_in_key)
    if info is None or sign_in is None:
        return VISITOR, person_id, None
    card = PersonCard.from_raw(info, viewer_id=user_id)
    if card.is_shut_out:
        return Viewer(secret_hash=secret_hash, shut_out=card), person_id, None
    own = found.get(settings_key, {})
    pulled = reading.texts(own, UserSettings.pulled)
    hidden = reading.texts(own, UserSettings.hidden)
    has_notice = bool(reading.text(own, UserSettings.notice))
    viewer = Viewer(
        user_id,
        secret_hash,
        card,
        pulled,
        hidden,
        has_notice=has_notice,
        proved_at=reading.text(sign_in, SignIn.proved_at),
        proved_with=reading.text(sign_in, SignIn.proved_with),
        circles=circles_of(own),
    )
    return viewer, person_id, sign_in


@access_pattern
def get_user_info(
    user_id: str, *, viewer: Viewer = VISITOR, consistent: bool = False
) -> PersonCard:
    """Pattern 1, getUserInfoByUserID: a person's info and counts, whether or not others may see them (`get_person`).

    Query `PK = u#<id>`: both items in one call, 0.5 read units, 1 if consistent. Raises `NotFound`.
    """
    items = {raw["SK"]["S"]: raw for raw in query(keys.user(user_id), consistent=consistent)}
    info, count = items.get(keys.user_info("").sk), items.get(keys.user_count("").sk)
    if info is None or count is None:
        raise NotFound("no such person")
    return PersonCard.from_raw(info, viewer_id=viewer.user_id).with_counts(count)


@access_pattern
def list_followers(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 2, getFollowerListByUserID: who follows a person, oldest account first.

    Query `PK = u#<id>#follower`, then one BatchGetItem of their infos and the viewer's follow edges.
    """
    page = query_page(keys.followers(user_id), cursor=cursor, newest_first=False)
    ids = [reading.text(raw, Follower.follower_id) for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_following(
    user_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 3, getFollowingListByUserID: the people a person follows, oldest account first.

    Query `PK = u#<id>#following`, then one BatchGetItem of their infos and the viewer's follow edges.
    """
    page = query_page(keys.followings(user_id), cursor=cursor, newest_first=False)
    ids = [reading.text(raw, Following.followed_id) for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def list_people(
    user_ids: Iterable[str], *, viewer: Viewer, unsought: bool = False
) -> list[PersonCard]:
    """Cards of people in the given order, with whether the viewer follows each; those who are gone are left out, and
    those between whom and the viewer there is a block. Where people come `unsought`, those whom the viewer mutes or
    moderators limit too, and the cards have counts.

    One BatchGetItem: 0.5 read units a key, three keys a person for someone signed in, five for unsought ones.
    """
    ids = list(user_ids)
    edges = [key for user_id in ids for key in follow_keys(viewer, user_id)]
    hiding = (RelationType.BLOCK, RelationType.MUTE) if unsought else (RelationType.BLOCK,)
    hidden_by = [keys.relation(viewer.user_id, kind, user_id) for user_id in ids for kind in hiding]
    asked = hidden_by if viewer.is_authenticated else ()
    counts = [keys.user_count(user_id) for user_id in ids] if unsought else ()
    found = fetch([*(keys.user_info(user_id) for user_id in ids), *edges, *asked, *counts])
    cards = []
    for user_id in ids:
        info = found.get(keys.user_info(user_id))
        if info is not None and not _is_hidden(viewer, user_id, found):
            card = PersonCard.from_raw(info, viewer_id=viewer.user_id)
            card = card.with_followed(follows(viewer, user_id, found))
            if count := found.get(keys.user_count(user_id)):
                card = card.with_counts(count)
            if not card.is_shut_out and not (unsought and card.is_limited):
                cards.append(card)
    return cards


def _is_hidden(viewer: Viewer, user_id: str, found: dict[keys.Key, RawItem]) -> bool:
    block, mute = (
        found.get(keys.relation(viewer.user_id, kind, user_id))
        for kind in (RelationType.BLOCK, RelationType.MUTE)
    )
    return blocks_either_way(block) or is_in_force(mute)


@access_pattern
def find_user_by_email(email_hmacs: Sequence[str]) -> str:
    """Whose account an email address belongs to, by its hash under each key. Raises `NotFound`.

    BatchGetItem `email#<hmac>`, 0.5 read units a key.
    """
    for raw in fetch(keys.email_claim(hmac) for hmac in email_hmacs).values():
        return reading.text(raw, EmailClaim.user_id)
    raise NotFound("no account with this e-mail address")


@access_pattern
def find_user_by_handle(handle: str) -> str:
    """Whose handle it is: GetItem `handle#<handle>`, 0.5 read units. Raises `NotFound`."""
    return reading.get(HandleClaim, keys.handle_claim(handle)).user_id


def follow_keys(viewer: Viewer, user_id: str) -> list[keys.Key]:
    """Returns the keys that tell whether the viewer follows a person: none for visitors, and none for the viewer."""
    if not viewer.is_authenticated or viewer.user_id == user_id:
        return []
    return [keys.following(viewer.user_id, user_id)]


def follows(viewer: Viewer, user_id: str, found: dict[keys.Key, RawItem]) -> bool | None:
    """Whether the viewer follows a person, by what `follow_keys` fetched; None where no button belongs."""
    wanted = follow_keys(viewer, user_id)
    return wanted[0] in found if wanted else None
