"""Someone using the site, by services or over http, and the world as it should be then."""

import json
import random
from dataclasses import dataclass, field
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from accounts.people.reads import HandleTaken, find_user_by_handle
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import sign_up
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post, publish_post
from moderation.reports.writes import file_report
from relations.blocks.writes import block, unblock
from relations.follows.writes import follow, unfollow
from relations.friends import writes
from socialsite.engine.program import EngineError
from socialsite.table import Conflict, Unavailable, key_of, write_batch
from socialsite.table.reading import scan

# What people did in a load, as its log says it, and what someone does next.
#
# Each line of the log is what is about to be done, or that it was acknowledged. So the log says in the end what
# must be in the table.

Deed = dict[str, Any]
Pair = tuple[str, str]

PEOPLE = 8
MOST_POSTS = 30  # of one person: a follow backfills the newest 40
KINDS = (
    *("follow",) * 4, *("unfollow",) * 2, *("like",) * 6, *("unlike",) * 2, *("post",) * 3, *("delete",) * 2,
    "ask", "ask", "unfriend", "block", "unblock", "unblock", "report",
)  # fmt: skip


@dataclass
class World:
    """People, posts, and what is between them."""

    people: dict[str, str] = field(default_factory=dict)  # id by handle
    posts: dict[str, str] = field(default_factory=dict)  # author by post, the living ones
    deleted: dict[str, str] = field(default_factory=dict)
    follows: set[Pair] = field(default_factory=set)
    likes: set[Pair] = field(default_factory=set)
    asked: set[Pair] = field(default_factory=set)
    friends: set[Pair] = field(default_factory=set)  # both ways
    blocks: set[Pair] = field(default_factory=set)
    reports: set[Pair] = field(default_factory=set)  # who, which post
    pending: Deed | None = None
    deeds: int = 0

    @classmethod
    def read(cls, log: Path) -> "World":
        world = cls()
        for line in log.read_text().splitlines() if log.exists() else ():
            entry = json.loads(line)
            if entry["state"] == "begun":
                world.pending = entry
            else:
                world.note(entry)
        return world

    def note(self, deed: Deed) -> None:
        """An acknowledged deed changes the world."""
        self.pending = None
        self.deeds += 1
        who, what = deed["who"], deed.get("what", "")
        match deed["kind"]:
            case "sign up":
                self.people[who] = deed["made"]
            case "post":
                self.posts[deed["made"]] = who
            case "delete":
                self.posts.pop(what)
                self.deleted[what] = who
                self.likes = {like for like in self.likes if like[1] != what}
            case "follow":
                self.follows.add((who, what))
            case "unfollow":
                self.follows.discard((who, what))
            case "like" if what in self.posts:
                self.likes.add((who, what))
            case "unlike":
                self.likes.discard((who, what))
            case "ask" if (what, who) in self.asked:
                self.asked.discard((what, who))
                self.friends |= {(who, what), (what, who)}
            case "ask":
                self.asked |= {(who, what)} - self.friends
            case "unfriend":
                self.friends -= {(who, what), (what, who)}
                self.asked.discard((who, what))
            case "block":
                self.blocks.add((who, what))
                for pairs in (self.follows, self.asked, self.friends):
                    pairs -= {(who, what), (what, who)}
            case "unblock":
                self.blocks.discard((who, what))
            case "report":
                self.reports.add((who, what))

    def choose(self, chance: random.Random) -> Deed:
        """What someone does next: nothing that a block forbids."""
        if len(self.people) < 3 or (len(self.people) < PEOPLE and chance.random() < 0.1):
            return {"kind": "sign up", "who": f"person_{len(self.people)}"}
        one, other = chance.sample(sorted(self.people.values()), 2)
        kind = chance.choice(KINDS)
        if kind in ("post", "delete"):
            return self._choose_own(chance, kind, one)
        if kind in ("like", "unlike", "report"):
            return self._choose_post(chance, kind, one)
        if kind == "unblock" and self.blocks:
            one, other = chance.choice(sorted(self.blocks))
        elif kind == "block" and len(self.blocks) > PEOPLE / 2:
            return {"kind": "unblock", "who": one, "what": other}
        elif kind in ("follow", "unfollow", "ask", "unfriend") and self.is_blocked(one, other):
            kind = "unblock"
        return {"kind": kind, "who": one, "what": other}

    def _choose_own(self, chance: random.Random, kind: str, one: str) -> Deed:
        own = [post_id for post_id, author in self.posts.items() if author == one]
        if len(own) >= MOST_POSTS or (kind == "delete" and len(own) >= 3):
            return {"kind": "delete", "who": one, "what": chance.choice(own)}
        return {"kind": "post", "who": one, "what": f"{chance.getrandbits(60):x}"}

    def _choose_post(self, chance: random.Random, kind: str, one: str) -> Deed:
        gone = kind != "report" and chance.random() < 0.05 and self.deleted
        known = self.deleted if gone else self.posts
        seen = sorted(
            post_id
            for post_id, author in known.items()
            if author != one and not self.is_blocked(one, author)
        )
        if not seen:
            return {"kind": "post", "who": one, "what": f"{chance.getrandbits(60):x}"}
        return {"kind": kind, "who": one, "what": chance.choice(seen)}

    def is_blocked(self, one: str, other: str) -> bool:
        return bool(self.blocks & {(one, other), (other, one)})

    def author_of(self, post_id: str) -> str:
        return self.posts.get(post_id) or self.deleted[post_id]


# Deeds of a load, done through the services.


@dataclass
class Services:
    world: World

    def do(self, deed: Deed) -> str:
        """Does it and returns the id of what was made; raises `TryAgain`."""
        try:
            return self._do(deed["kind"], deed["who"], deed.get("what", ""))
        except (Unavailable, Conflict) as error:
            raise TryAgain from error

    def _do(self, kind: str, who: str, what: str) -> str:
        by = Viewer(who)
        match kind:
            case "sign up":
                return _sign_up(who)
            case "post":
                return publish_post(by=by, content=f"I am {what}", nonce=what)
            case "delete":
                delete_post(by=by, post_id=what)
            case "follow":
                follow(by=by, user_id=what)
            case "unfollow":
                unfollow(by=by, user_id=what)
            case "like":
                like_post(by=by, post_id=what, author_id=self.world.author_of(what))
            case "unlike":
                unlike_post(by=by, post_id=what)
            case "ask":
                writes.request_friend(by=by, user_id=what)
            case "unfriend":
                writes.end_friendship(by=by, user_id=what)
                writes.withdraw_friend_request(by=by, user_id=what)
            case "block":
                block(by=by, user_id=what)
            case "unblock":
                unblock(by=by, user_id=what)
            case "report":
                author = self.world.author_of(what)
                file_report(
                    by=by, person_id=author, post_id=what, rule_id="", severity=1, comment="See!"
                )
        return ""


def _sign_up(handle: str) -> str:
    try:
        return sign_up(
            handle=handle,
            name=handle,
            email=f"{handle}@example.org",
            confirmed=True,
            password="correct horse battery",
        )
    except HandleTaken:  # by the try before, whose answer was lost
        return find_user_by_handle(handle)


# Deeds of a load, done as a browser without scripts does them: forms, cookies, redirects.

PASSWORD = "correct horse battery"
PATIENCE = 20  # seconds


class TryAgain(Exception):
    """The site or its engine is away, or says that this goes on in a moment."""


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass
class Browser:
    """One person's browser: status, the address of a redirect, and the page."""

    site: str
    cookies: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        self.opener = build_opener(HTTPCookieProcessor(self.cookies), _NoRedirects)

    def submit(self, path: str, **fields: str) -> tuple[int, str, str]:
        """Submits a form; raises `TryAgain`."""
        if not self._token():
            self._send(Request(f"{self.site}/login"))
        body = urlencode(fields | {"csrfmiddlewaretoken": self._token()}).encode()
        return self._send(Request(self.site + path, body))

    def _token(self) -> str:
        return next((one.value or "" for one in self.cookies if "csrf" in one.name), "")

    def _send(self, request: Request) -> tuple[int, str, str]:
        try:
            answer = self._answer(request)
        except (OSError, HTTPException) as error:
            raise TryAgain from error
        with answer:
            status, page = answer.status, answer.read().decode()
        if status == 429:
            let_the_hour_pass()
        if status in (409, 429, 503):
            raise TryAgain
        return status, answer.headers.get("Location", ""), page

    def _answer(self, request: Request) -> Any:
        try:
            return self.opener.open(request, timeout=PATIENCE)
        except HTTPError as error:  # redirects, too
            return error


def let_the_hour_pass() -> None:
    """Takes away what counts how often someone did something."""
    write_batch(deletes=[key_of(raw) for raw in scan() if raw["type"]["S"] == "RateLimit"])


@dataclass
class Site:
    """The site, and a browser for each person."""

    url: str
    world: World
    browsers: dict[str, Browser] = field(default_factory=dict)

    def do(self, deed: Deed) -> str:
        """Does it and returns the id of what was made; raises `TryAgain`, and `AssertionError` if it is refused."""
        try:
            return self._do(deed["kind"], deed["who"], deed.get("what", ""))
        except (Unavailable, EngineError) as error:
            raise TryAgain from error

    def _do(self, kind: str, who: str, what: str) -> str:
        if kind == "sign up":
            return self._sign_up(who)
        path, fields = self._form(kind, what, self._handle(who))
        status, location, page = self._browser(who).submit(path, **fields)
        if location.startswith("/login"):
            del self.browsers[who]
            raise TryAgain
        if what in self.world.deleted and status == 404:
            return ""
        assert status in (200, 204, 302), f"{status} for {kind} {path}: {page[:2000]}"
        return location.rpartition("/")[2] if kind == "post" else ""

    def _form(self, kind: str, what: str, handle: str) -> tuple[str, dict[str, str]]:
        match kind:
            case "post":
                return "/posts", {
                    "content": f"I am {what}",
                    "nonce": what.zfill(22),
                    "audience": "",
                }
            case "delete":
                return f"/@{handle}/posts/{what}/delete", {}
            case "like" | "unlike":
                return f"{self._post(what)}/like", {"on": str(int(kind == "like"))}
            case "report":
                return f"{self._post(what)}/report", {"reason": "other", "comment": "See!"}
        on, action = {
            "ask": ("1", "friend"),
            "unfriend": ("0", "friend"),
            "follow": ("1", "follow"),
            "unfollow": ("0", "follow"),
            "block": ("1", "block"),
            "unblock": ("0", "block"),
        }[kind]
        return f"/@{self._handle(what)}/{action}", {"on": on}

    def _post(self, post_id: str) -> str:
        return f"/@{self._handle(self.world.author_of(post_id))}/posts/{post_id}"

    def _handle(self, user_id: str) -> str:
        return next(handle for handle, known in self.world.people.items() if known == user_id)

    def _sign_up(self, handle: str) -> str:
        form = {"handle": handle, "name": handle, "email": f"{handle}@example.org"}
        Browser(self.url).submit("/signup", **form, password=PASSWORD)
        # Refused if the try before made the account and its answer was lost: then signing in finds it.
        browser = self._signed_in(handle)
        user_id = find_user_by_handle(handle)
        self.browsers[user_id] = browser
        return user_id

    def _browser(self, user_id: str) -> Browser:
        if user_id not in self.browsers:
            self.browsers[user_id] = self._signed_in(self._handle(user_id))
        return self.browsers[user_id]

    def _signed_in(self, handle: str) -> Browser:
        browser = Browser(self.url)
        status, _, page = browser.submit("/login", account=handle, password=PASSWORD)
        assert status == 302, f"{status} for the sign-in of {handle}: {page[:2000]}"
        return browser
