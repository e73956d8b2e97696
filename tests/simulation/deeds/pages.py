"""What people do in a browser: pages that they look at, and forms that they send."""

from typing import Any

from django.conf import settings
from django.test import Client
from django.test.client import ClientHandler

from accounts.middleware import SESSION_SECRET, SESSION_USER
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import a_post, known, someone, two
from tests.simulation.deeds.posts import (
    after_a_late_press,
    nonce_of,
    text_of,
    unless_published,
)
from tests.simulation.model import Person, Post
from tests.simulation.world import Again, Deed, Refused, Violation, World

_handler = ClientHandler(enforce_csrf_checks=False)


def browser_of(person: Person) -> Client:
    """A browser in which the person is signed in, as they were last time."""
    if not person.secret:
        known(person)
    number = person.number
    browser = Client(REMOTE_ADDR=f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}")
    browser.handler = _handler
    browser.raise_request_exception = False
    session = browser.session
    session[SESSION_USER], session[SESSION_SECRET] = person.user_id, person.secret
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return browser


def told(person: Person, answer: Any) -> Any:
    """What a browser makes of an answer: it goes on, tries again, or is told no."""
    status = answer.status_code
    if status in (409, 503):
        raise Again
    if answer.get("Location", "").startswith("/login"):
        person.secret = ""
        raise Again
    if answer.get("Location", "").startswith("/standing"):
        raise Refused("locked out")
    if status >= 500:
        raise Violation(f"{answer.request['PATH_INFO']} answers {status}") from (
            answer.exc_info[1] if (getattr(answer, "exc_info", None)) else None
        )
    if status >= 400:
        raise Refused(f"{status} of {answer.request['PATH_INFO']}")
    return answer


ADDRESSES = (
    *("/", "/", "/", "/local", "/favourites", "/explore", "/notifications", "/messages", "/saved"),
    *("/search?q=tea", "/search?q=%23news", "/settings/privacy", "/requests", "/friends", "/lists"),
    *("/messages/requests", "/drafts", "/people-to-follow", "/circles", "/pulse"),
)


@deed(45)
def looks_at_a_page(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    address = world.chance.choice(ADDRESSES)
    return Deed(
        "look at a page", one.user_id, lambda: told(one, browser_of(one).get(address)) and None
    )


@deed(15)
def looks_at_someone(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    rest = world.chance.choice(("", "/replies", "/followers", "/following", "/card"))
    return Deed(
        "look at someone",
        one.user_id,
        lambda: told(one, browser_of(one).get(f"/@{other.handle}{rest}")) and None,
    )


@deed(10)
def visits(world: World) -> Deed | None:
    """Without an account."""
    if not (other := someone(world)):
        return None
    address = world.chance.choice(("/", "/local", f"/@{other.handle}", "/explore", "/search?q=tea"))

    def act() -> None:
        browser = Client(REMOTE_ADDR="10.200.0.1")
        browser.handler, browser.raise_request_exception = _handler, False
        told(other, browser.get(address))

    return Deed("visit", "a visitor", act)


def _address(world: World, post: Post) -> str:
    return f"/@{world.model.people[post.author].handle}/posts/{post.post_id}"


@deed(20)
def looks_at_a_post(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None
    return Deed(
        "look at a post",
        one.user_id,
        lambda: told(one, browser_of(one).get(_address(world, post))) and None,
    )


@deed(22)
def likes_on_a_page(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None
    on = world.chance.random() < 0.8

    def act() -> None:
        told(one, browser_of(one).post(f"{_address(world, post)}/like", {"on": str(int(on))}))

    def done(_: Any) -> None:
        if post.is_gone:
            return
        people = world.model.likes[post.post_id]
        (people.add if on else people.discard)(one.user_id)

    return Deed(
        "like on a page",
        one.user_id,
        act,
        done,
        touches=(("post", post.post_id),),
        unsure=after_a_late_press(world, one, post),
        refused=lambda _: world.model.unsure_likes.add((one.user_id, post.post_id)),
    )


@deed(25)
def publishes_on_a_page(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    text, nonce = text_of(world, one), nonce_of(world)
    audience = world.chance.choice(("", "", "followers"))

    def act() -> str:
        form = {"content": text, "nonce": nonce, "audience": audience}
        answer = told(one, browser_of(one).post("/posts", form))
        if answer.status_code != 302:
            raise Refused(f"the form of a post is shown again: {answer.status_code}")
        return str(answer["Location"]).rpartition("/")[2]

    def done(post_id: str) -> None:
        world.model.publish(Post(post_id, one.user_id, text, 0, audience))

    refused = unless_published(world, one, text, done)
    return Deed("publish on a page", one.user_id, act, done, refused=refused)
