"""Every address × every method, and hostile hosts, headers, cookies, queries, forms and bodies: no fault anywhere.

Each kind of person sends a share of all combinations, another one each run; `FAULTS=long` sends all, and
`FAULTS_SEED` repeats a run.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

import pytest
from django.test import Client
from django.urls import get_resolver

from accounts.people.viewer import Viewer
from moderation.reports.writes import file_report
from relations.follows.writes import follow
from tests.accounts.codes import with_second_factor
from tests.attacks import hostile
from tests.conftest import HTMX, person, post
from tests.injected.rotation import IS_LONG, SEED, describe, share
from tests.web.authorisation import ELSEWHERE, ROWS, Row
from tests.web.settings_authorisation import SETTINGS_ROWS
from tests.web.staff_authorisation import DEV_ROWS, STAFF_ROWS
from tests.web.test_authorisation import patterns
from tests.web.unpublished_authorisation import UNPUBLISHED_ROWS

pytestmark = [
    pytest.mark.usefixtures("no_limits"),
    pytest.mark.engines("embedded", reason="what people send does not hang on the engine"),
    pytest.mark.timeout(7200 if IS_LONG else 240),
]

KINDS = ("visitor", "member", "moderator", "admin")
MOST = 30  # requests of one kind, by one kind of person
SIGNED_IN_FOR = 10  # requests; some of them sign the browser out
UPLOADS = [
    "/media/avatars/x.webp",
    "/not/there",
]


@dataclass(frozen=True)
class Attack:
    """One request; `query`, `form` and `extra` are as Django's test client takes them."""

    method: str
    path: str
    query: str = ""
    body: bytes = b""
    content_type: str = "application/x-www-form-urlencoded"
    extra: dict[str, str] = field(default_factory=dict)
    cookie: tuple[str, str] = ("", "")

    def send(self, browser: Client) -> int:
        name, value = self.cookie
        before = browser.cookies[name].value if name in browser.cookies else ""
        if name:
            browser.cookies[name] = value
        try:
            return browser.generic(
                self.method,
                self.path,
                self.body,
                content_type=self.content_type,
                QUERY_STRING=self.query,
                **self.extra,
            ).status_code
        finally:
            if name:
                browser.cookies[name] = before


@dataclass
class World:
    """Alice with a post and a case, and the people who attack."""

    people: dict[str, Viewer]
    ids: dict[str, str]
    log_in: Callable[[Viewer], Client]

    def browser(self, kind: str) -> Client:
        """A new one, signed in unless it is a visitor's."""
        made = self.log_in(self.people[kind]) if kind in self.people else Client()
        made.raise_request_exception = False
        return made

    def address(self, row: Row) -> tuple[str, str]:
        path, _, query = row.address.format(**self.ids).partition("?")
        return path, query

    def addresses(self) -> list[str]:
        paths = [path.format(**self.ids) for path in UPLOADS]
        return sorted(
            {
                *paths,
                *(
                    self.address(row)[0]
                    for row in (*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *STAFF_ROWS, *DEV_ROWS)
                ),
            }
        )


@pytest.fixture
def world(alice: Viewer, log_in: Callable[[Viewer], Client]) -> World:
    people = {
        "member": person("bob", "Bob"),
        "moderator": person("moddy", "Mod", role="moderator"),
        "admin": person("addy", "Addy", role="admin"),
    }
    follow(by=people["member"], user_id=alice.user_id)
    post_id = post(alice)
    file_report(by=people["member"], person_id=alice.user_id, post_id=post_id)
    return World(people, {"post": post_id, "alice": alice.user_id}, log_in)


def by_method(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for method in hostile.METHODS:
            yield Attack(method, path)
            yield Attack(method, path, body=b"on=1", extra={"HTTP_HX_REQUEST": "true"})


def by_host(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for host in hostile.HOSTS:
            yield Attack(dice.choice(["GET", "POST"]), path, extra={"HTTP_HOST": host})


def by_header(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in hostile.HEADERS:
            key = name.upper().replace("-", "_")
            key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
            value = hostile.on_the_wire(dice.choice(hostile.VALUES))
            htmx = {"HTTP_HX_REQUEST": "true"} if dice.random() < 0.5 else {}
            yield Attack(dice.choice(["GET", "POST"]), path, extra=htmx | {key: value})


def by_cookie(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in hostile.COOKIES:
            value = hostile.on_the_wire(dice.choice(hostile.VALUES)).replace(";", "")
            yield Attack("GET", path, cookie=(name, value))


def by_query(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for name in hostile.QUERIES:
            query = f"{name}={quote(dice.choice(hostile.VALUES), safe='')[:4000]}"
            yield Attack(dice.choice(["GET", "GET", "POST"]), path, query)


def by_path(world: World, dice: random.Random) -> Iterator[Attack]:
    """Hostile text in place of each part of an address."""
    for path in world.addresses():
        parts = path.split("/")
        for number in range(1, len(parts)):
            text = quote(dice.choice(hostile.VALUES), safe="")[:2000]
            text = f"@{text}" if parts[number].startswith("@") else text
            broken = "/".join([*parts[:number], text, *parts[number + 1 :]])
            yield Attack(dice.choice(["GET", "POST"]), broken or "/")


def by_form(world: World, dice: random.Random) -> Iterator[Attack]:
    """Every form with hostile text in one field, once as it is asked for and once with fields of others."""
    for row in (*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *STAFF_ROWS, *DEV_ROWS):
        if row.method != "post":
            continue
        path, query = world.address(row)
        for name in dict.fromkeys([*row.form, *dice.sample(hostile.FIELDS, 20)]):
            values = [dice.choice(hostile.VALUES) for _ in range(dice.choice([1, 1, 1, 3]))]
            sent = urlencode(row.form | {name: values}, doseq=True, errors="replace")
            extra = {"HTTP_HX_REQUEST": "true"} if dice.random() < 0.5 else {}
            yield Attack("POST", path, query, sent.encode()[:200_000], extra=extra)


def by_body(world: World, dice: random.Random) -> Iterator[Attack]:
    for path in world.addresses():
        for content_type, body in hostile.BODIES:
            yield Attack("POST", path, body=body, content_type=content_type)


WAYS = [by_method, by_host, by_header, by_cookie, by_query, by_path, by_form, by_body]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_that_is_sent_is_a_fault(world: World, way, kind: str) -> None:
    every = list(way(world, random.Random(f"{SEED} {way.__name__} {kind}")))
    one_of = max(1, len(every) // MOST)
    tried = share(every, one_of=one_of, salt=f"{way.__name__} {kind}")
    statuses: Counter[int] = Counter()
    faults = []
    for number, attack in enumerate(tried):
        if number % SIGNED_IN_FOR == 0:
            browser = world.browser(kind)
        status = attack.send(browser)
        statuses[status] += 1
        if status >= 500 and not (status == 503 and attack.path == "/readyz"):
            faults.append(f"{status}: {attack}")
    counts = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
    print(f"{describe(f'{way.__name__} {kind}', len(every), len(tried))}: {counts}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    "value", ["http://[::1", "//[", "http://%zz", "http://a:b", "\x00", "x" * 4_000]
)
@pytest.mark.parametrize("header", ["Referer", "HX-Current-URL"])
def test_staff_who_have_to_prove_themselves_come_from_any_address(world, settings, header, value):
    settings.STAFF_SECOND_FACTOR = True
    with_second_factor(world.people["admin"])
    browser = world.browser("admin")
    headers = {header: hostile.on_the_wire(value)} | (HTMX if header != "Referer" else {})
    form = {"title": "T", "permissions": "roles"}
    assert browser.post("/moderation/roles/add", form, headers=headers).status_code < 500


def test_every_address_is_attacked(world):
    attacked = {
        row.name for row in (*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *STAFF_ROWS, *DEV_ROWS)
    } | ELSEWHERE
    assert {pattern.name for pattern in patterns(get_resolver())} <= attacked
