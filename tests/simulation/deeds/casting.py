"""Who does something, to whom, and about which post."""

from accounts.models import UserSettings
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.sessions import today
from socialsite.table import change, keys
from tests.simulation.model import Person, Post
from tests.simulation.world import World


def someone(world: World, *, of_staff: bool = False) -> Person | None:
    """A person who is here and has nothing under way."""
    free = [one for one in world.model.living() if not one.busy and bool(one.role) == of_staff]
    return world.chance.choice(free) if free else None


def two(world: World) -> tuple[Person, Person] | None:
    """A person with nothing under way, and another one: mostly one of the few whom everyone knows."""
    one = someone(world)
    others = [each for each in world.model.living() if each is not one]
    if one is None or not others:
        return None
    if world.chance.random() < 0.3:
        others = others[:3]
    return one, world.chance.choice(others)


def a_post(world: World, viewer: Person, *, own: bool = False, lately: int = 60) -> Post | None:
    """One of the newest posts that the person may see."""
    newest = list(world.model.posts.values())[-lately:]
    seen = [
        post
        for post in newest
        if not post.is_gone
        and (post.author == viewer.user_id) == own
        and (own or world.model.may_see(viewer.user_id, post.post_id))
    ]
    return world.chance.choice(seen) if seen else None


def known(person: Person) -> Viewer:
    """Someone who does something now. As a page does, this notes first that they are here today."""
    day = today()
    if person.seen != day:
        change(UserSettings, keys.user_settings(person.user_id), [UserSettings.seen.set(day)])
        person.seen = day
    return Viewer(person.user_id, "", get_user_info(person.user_id))


def pair(one: Person, other: Person) -> tuple[str, str, str]:
    first, second = sorted((one.user_id, other.user_id))
    return "pair", first, second


def mark_pair(world: World, one: Person, other: Person) -> None:
    world.model.unsure_pairs.add((one.user_id, other.user_id))
