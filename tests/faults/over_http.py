"""Deeds of a load, done as a browser without scripts does them: forms, cookies, redirects."""

from dataclasses import dataclass, field
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

from accounts.people.reads import find_user_by_handle
from socialsite.engine.program import EngineError
from socialsite.table import Unavailable, key_of, write_batch
from socialsite.table.reading import scan
from tests.faults.world import Deed, World

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
