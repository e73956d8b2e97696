"""A person as one viewer may see them, for their page and the pages below it."""

from dataclasses import dataclass

from accounts.cards import PersonCard
from accounts.models import UserCount
from accounts.restrictions import Suspended
from accounts.viewer import Viewer
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from relations.relation_lists import Relationship, relationship_keys, relationship_of
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class Profile:
    """A person with counts and the state of the follow button, and their relationship with the viewer."""

    person: PersonCard
    relationship: Relationship
    pins: tuple[str, ...] = ()  # the ids of the posts at the top of their page, the oldest first


@access_pattern
def get_profile(user_id: str, *, viewer: Viewer, consistent: bool = False) -> Profile:
    """Pattern 1, with the relationship between the two. Raises `Suspended`, and `NotFound`, also for people who block
    the viewer or wait for approval.

    One BatchGetItem of info, counts and, for someone signed in, the 9 keys of the relationship: 5.5 read units, twice
    that if consistent. 0.5 more for the viewer's key, once a minute, if they have a note about the person.
    """
    info_key, count_key = keys.user_info(user_id), keys.user_count(user_id)
    found = fetch([info_key, count_key, *relationship_keys(viewer, user_id)], consistent=consistent)
    relationship = relationship_of(viewer, user_id, found)
    if info_key not in found or count_key not in found or relationship.is_blocked:
        raise NotFound("no such person")
    person = PersonCard.from_raw(found[info_key], viewer_id=viewer.user_id)
    person = as_others_see(person.with_counts(found[count_key]))
    if viewer.is_authenticated and not person.is_self:
        person = person.with_followed(relationship.follows, requested=relationship.asked_to_follow)
    return Profile(person, relationship, tuple(row(UserCount, found[count_key]).pins))


def get_person(user_id: str, *, viewer: Viewer) -> PersonCard:
    """Returns what `find_person` does, if others may see it. Raises `NotFound`, also for people who wait for approval,
    and `Suspended`."""
    return as_others_see(find_person(user_id, viewer=viewer))


@access_pattern
def find_person(user_id: str, *, viewer: Viewer) -> PersonCard:
    """Returns a person with counts, even if they are suspended or wait for approval. Every button about a person starts
    here, because relationships with a suspended person can be ended. Raises `NotFound`, also for people who block the
    viewer.

    One BatchGetItem of info, counts and, for someone signed in, the block: 1.5 read units.
    """
    info_key, count_key = keys.user_info(user_id), keys.user_count(user_id)
    block_key = keys.relation(viewer.user_id, RelationType.BLOCK, user_id)
    found = fetch([info_key, count_key, *([block_key] if viewer.is_authenticated else [])])
    block = found.get(block_key)
    is_blocked = blocks_either_way(block) and not is_in_force(block)
    if info_key not in found or count_key not in found or is_blocked:
        raise NotFound("no such person")
    return PersonCard.from_raw(found[info_key], viewer_id=viewer.user_id).with_counts(
        found[count_key]
    )


def as_others_see(person: PersonCard) -> PersonCard:
    """Raises `NotFound` for people who wait for approval, have paused or leave, and `Suspended`."""
    if person.is_locked_out and not person.is_self:
        raise Suspended("suspended") if person.suspended_until else NotFound("not to be seen now")
    return person
