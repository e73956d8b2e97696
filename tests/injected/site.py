"""The small site on which views are tried: alice follows bob, who said something; carol likes it."""

from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.test import Client

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from relations.follows.writes import follow
from socialsite.streams.worker import Worker
from socialsite.table import Place, RawItem, keys, query, write_cursor
from tests.conftest import person, post
from tests.looks import drain


@dataclass
class Site:
    alice: Viewer
    bob: Viewer
    carol: Viewer
    bobs_post: str
    worker: Worker
    browser: Client = field(default_factory=Client)  # alice's
    number: int = 0  # of the combination at hand: what makes forms, handles and texts new
    own_post: str = ""
    kept: Any = None

    @property
    def text(self) -> str:
        return f"Number {self.number} said by alice"

    @property
    def nonce(self) -> str:
        return f"{self.number:022d}"

    @property
    def post_url(self) -> str:
        return f"/@bob/posts/{self.bobs_post}"

    def sign_in(self) -> None:
        self.browser = new_browser()
        session = self.browser.session
        session[SESSION_USER] = self.alice.user_id
        session[SESSION_SECRET] = sign_in(user_id=self.alice.user_id, browser="tests")
        session.save()
        self.browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key

    def visit(self) -> None:
        self.browser = new_browser()

    def drain(self) -> None:
        drain(self.worker)

    def items(self, partition: str) -> list[RawItem]:
        return list(query(partition, consistent=True))

    def posts_of_alice(self) -> list[str]:
        return [raw["content"]["S"] for raw in self.items(keys.posts(self.alice.user_id))]

    def cursor(self, direction: Any) -> str:
        """Of the middle of alice's timeline."""
        entries = self.items(keys.timeline(self.alice.user_id))
        place = Place(direction, entries[len(entries) // 2]["SK"]["S"])
        return write_cursor(keys.timeline(self.alice.user_id), place)

    def timeline(self) -> list[str]:
        return [card.post_id for card in get_timeline(self.alice).items]


def new_browser() -> Client:
    return Client(raise_request_exception=False)


def build_site() -> Site:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    follow(by=alice, user_id=bob.user_id)
    follow(by=carol, user_id=bob.user_id)
    post(bob, "First")
    bobs_post = post(bob, "Second")
    like_post(by=carol, post_id=bobs_post, author_id=bob.user_id)
    site = Site(alice, bob, carol, bobs_post, Worker())
    site.sign_in()
    site.drain()
    return site
