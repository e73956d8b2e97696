"""Who does something, to whom, and about which post."""

from accounts.models import Credentials, SignIn
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret, keep_signed_in, today
from accounts.sign_in.writes import sign_in
from socialsite.table import RawItem, fetch, keys, row
from tests.simulation.clockwork import clock
from tests.simulation.model import Person, Post
from tests.simulation.world import Refused, World


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


def known(person: Person, *, locked_out: bool = False) -> Viewer:
    """Someone who does something now, as a page has them: signed in, and noted as here today. Where `locked_out` people
    may act too, they need not be."""
    viewer, found = _signed_in(person)
    if not viewer.account_id:  # the sign-in has ended: they sign in anew
        person.secret = ""
        viewer, found = _signed_in(person)
    if not viewer.is_authenticated and not (locked_out and viewer.account_id):
        person.secret = ""
        raise Refused("signed out or locked out")
    if found is not None and row(SignIn, found).seen != today():
        keep_signed_in(by=viewer)
    person.here_at = clock.now
    return viewer


def _signed_in(person: Person) -> tuple[Viewer, RawItem | None]:
    if not person.secret:
        key = keys.credentials(person.user_id)
        epoch = int(row(Credentials, fetch([key], consistent=True).get(key, {})).epoch)
        person.secret = sign_in(user_id=person.user_id, browser="simulated", epoch=epoch)
    viewer, _, found = get_viewer(person.user_id, hash_secret(person.secret))
    return viewer, found


def pair(one: Person, other: Person) -> tuple[str, str, str]:
    first, second = sorted((one.user_id, other.user_id))
    return "pair", first, second


def mark_pair(world: World, one: Person, other: Person) -> None:
    world.model.unsure_pairs.add((one.user_id, other.user_id))
