"""Every address answers every kind of person as the table in `authorisation.py` says; a new address needs its row."""

from collections.abc import Iterator
from copy import copy
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import UserInfo
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from api import access
from feed.polls.models import PollWish
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.reports.writes import file_report
from relations.blocks.writes import block, mute
from relations.follows.writes import follow, request_follow
from relations.friends.writes import accept_friend, request_friend
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.table import change, ids, keys
from tests.api.authorisation import API_ROWS
from tests.conftest import browser_of, person
from tests.feed.scenes import photo
from tests.injected.faults import share
from tests.moderation.cases import restrict
from tests.prepared import Prepared, Snapshot
from tests.tables import RunningEngine, empty_table, forget_other_tables
from tests.web.authorisation import ELSEWHERE, KINDS, ROWS, Row
from tests.web.chat_authorisation import CHAT_ROWS
from tests.web.staff_authorisation import DEV_ROWS, SETTINGS_ROWS, STAFF_ROWS, UNPUBLISHED_ROWS

pytestmark = pytest.mark.engines("embedded", reason="who may do what does not hang on the engine")

TABLES = (ROWS, UNPUBLISHED_ROWS, SETTINGS_ROWS, CHAT_ROWS, API_ROWS, DEV_ROWS, STAFF_ROWS)
CIRCLE = "family"
LETTERS = {404: "n", 403: "x", 409: "c", 400: "b", 401: "t"}


@pytest.fixture(scope="module")
def built(running_engine: RunningEngine, prepared: Prepared) -> Iterator[SimpleNamespace]:
    """Alice, locked, with a post for each audience, and one person of every kind, all of them signed in."""
    with empty_table(running_engine, prepared):
        alice = prepared.join("alice")
        people = build_society(alice)
        cookies = {kind: browser_of(person).cookies for kind, person in people.items()}
        snapshot = Snapshot()
        yield SimpleNamespace(alice=alice, people=people, cookies=cookies, as_it_was=snapshot)


@pytest.fixture
def society(built: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """That of the module, with whatever a test did in it put right."""
    yield built
    built.as_it_was.restore()
    forget_other_tables()


def build_society(alice: Viewer) -> dict[str, Viewer]:
    people = {kind: person(kind) for kind in (*KINDS[1:-1], "suspended")}
    people |= {role: person(f"the_{role}", role=role) for role in ("moderator", "admin")}
    for kind in ("follower", "suspended"):
        follow(by=people[kind], user_id=alice.user_id)
    for kind in ("friend", "circle", "suspended"):
        request_friend(by=people[kind], user_id=alice.user_id)
        accept_friend(by=alice, user_id=people[kind].user_id)
    in_circle = people["circle"].user_id
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=in_circle, tags={CIRCLE})
    block(by=alice, user_id=people["blocked"].user_id)
    block(by=people["blocker"], user_id=alice.user_id)
    mute(by=alice, user_id=people["muted"].user_id)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.locked.set("yes")])
    request_follow(by=people["pending"], user_id=alice.user_id)
    restrict(people["suspended"], Restriction.SUSPENDED)
    for_some = publish_post(by=alice, content="Sh!", nonce="n", audience=Audience.FOLLOWERS)
    file_report(by=people["follower"], person_id=alice.user_id, post_id=for_some)

    return people | {"author": alice}


def address_of(row: Row, alice: Viewer) -> str:
    """With a post of its own, where the row is about one."""
    post_id = "{post}" in row.address and publish_post(
        by=alice,
        content="Hello",
        nonce=ids.new_id(),
        photos=[photo(alice)] if "photo" in row.name else [],
        audience=Audience(row.audience),
        circle=CIRCLE if row.audience == Audience.CIRCLE else "",
        poll=PollWish(("Tea", "Coffee")) if row.asks else None,
    )
    return row.address.format(post=post_id, alice=alice.user_id)


def browser_for(kind: str, society: SimpleNamespace) -> Client:
    browser = Client()
    browser.cookies = copy(society.cookies.get(kind, browser.cookies))
    return browser


def letter_of(answer) -> str:
    to = answer["Location"] if answer.status_code == 302 else ""
    if to.startswith("/login"):
        return "i"
    if to == "/standing":
        return "s"
    return "y" if answer.status_code in (422, *range(400)) else LETTERS[answer.status_code]


def row_name(row: Row) -> str:
    extra = row.audience or "-".join(row.form.values())[:20]
    return f"{row.method} {row.name} {extra}".strip()


def together() -> Iterator[list[Row]]:
    """Rows that one society can answer one after the other: those of a table that only look; each that changes
    something alone, but for those of staff. A third of the first and of the second a run."""
    for number, rows in enumerate(TABLES):
        looking = [row for row in rows if row.method == "get"]
        looking = share(looking, one_of=3, salt=f"table {number} of who may look")
        yield from (looking[start : start + 25] for start in range(0, len(looking), 25))
    doing = (*ROWS, *UNPUBLISHED_ROWS, *SETTINGS_ROWS, *CHAT_ROWS, *API_ROWS)
    alone = [row for row in doing if row.method != "get"]
    yield from ([row] for row in share(alone, one_of=3, salt="who may do what"))
    yield [row for row in STAFF_ROWS if row.method == "post"]


@pytest.mark.parametrize("rows", together(), ids=lambda rows: row_name(rows[0]))
def test_every_kind_of_person_is_answered_as_the_table_says(rows, society, monkeypatch):
    monkeypatch.setattr(access, "MOST_CALLS", 1_000_000)  # all of them ask from one address
    kinds = rows[0].letters()
    browsers = {kind: browser_for(kind, society) for kind in kinds}
    found = {}
    for row in rows:
        letters = found[row_name(row)] = {}
        address = address_of(row, society.alice)
        for kind in kinds:
            browser = browsers[kind] if kind != "visitor" else Client()
            letters[kind] = letter_of(getattr(browser, row.method)(address, row.form))
            if row.method == "post":  # what one kind does to a post is not the others' matter
                address = address_of(row, society.alice)
    stated = {row_name(row): row.letters() for row in rows}
    wrong = {
        f"{name}, {kind}": letter
        for name, letters in found.items()
        for kind, letter in letters.items()
        if letter != stated[name][kind]
    }
    assert not wrong


def test_every_address_has_a_row():
    stated = {row.name for table in TABLES for row in table}
    assert {pattern.name for pattern in patterns(get_resolver())} - ELSEWHERE == stated


def test_every_row_states_every_kind():
    tables = (ROWS, UNPUBLISHED_ROWS, SETTINGS_ROWS, CHAT_ROWS, API_ROWS, STAFF_ROWS)
    assert {len(row.may) for table in tables for row in table} == {len(KINDS)}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry
