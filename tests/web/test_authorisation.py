"""Every address answers every kind of person as the table in `authorisation.py` says; a new address needs its row."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import RelationType, UserInfo
from accounts.services.befriend import accept_friend, request_friend
from accounts.services.block import block
from accounts.services.follow import follow
from accounts.services.follow_requests import request_follow
from accounts.services.mute import mute
from accounts.services.relate import update_relation
from accounts.viewer import Viewer
from feed.models import Audience
from feed.services.publish_post import publish_post
from socialsite.table import ids, keys
from socialsite.table.writing import change
from tests.conftest import person
from tests.web.authorisation import ELSEWHERE, KINDS, ROWS, Row

pytestmark = pytest.mark.engines("embedded", reason="who may do what does not hang on the engine")

CIRCLE = "family"
LETTERS = {404: "n", 403: "x", 409: "c", 400: "b"}


@pytest.fixture
def society(alice: Viewer) -> SimpleNamespace:
    """Alice, locked, with a post for each audience, and one person of every kind."""
    people = {kind: person(kind) for kind in KINDS[1:-1]}
    follow(by=people["follower"], user_id=alice.user_id)
    for kind in ("friend", "circle"):
        request_friend(by=people[kind], user_id=alice.user_id)
        accept_friend(by=alice, user_id=people[kind].user_id)
    in_circle = people["circle"].user_id
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=in_circle, tags={CIRCLE})
    block(by=alice, user_id=people["blocked"].user_id)
    block(by=people["blocker"], user_id=alice.user_id)
    mute(by=alice, user_id=people["muted"].user_id)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.locked.set("yes")])
    request_follow(by=people["pending"], user_id=alice.user_id)
    return SimpleNamespace(people=people | {"author": alice})


def letter_of(answer) -> str:
    if answer.status_code == 302 and answer["Location"].startswith("/login"):
        return "i"
    return "y" if answer.status_code < 400 else LETTERS[answer.status_code]


def row_name(row: Row) -> str:
    extra = row.audience or "-".join(row.form.values())[:20]
    return f"{row.method} {row.name} {extra}".strip()


@pytest.mark.parametrize("row", ROWS, ids=row_name)
def test_every_kind_of_person_is_answered_as_the_table_says(row, society, log_in):
    alice = society.people["author"]
    audience = Audience(row.audience)
    found = {}
    for kind in KINDS:
        post_id = publish_post(
            by=alice,
            content="Hello",
            nonce=ids.new_id(),
            audience=audience,
            circle=CIRCLE if audience == Audience.CIRCLE else "",
        )
        browser = log_in(society.people[kind]) if kind != "visitor" else Client()
        answer = getattr(browser, row.method)(row.address.format(post=post_id), row.form)
        found[kind] = letter_of(answer)
    assert found == dict(zip(KINDS, row.may, strict=True))


def test_every_address_has_a_row():
    stated = {row.name for row in ROWS}
    assert {pattern.name for pattern in patterns(get_resolver())} - ELSEWHERE == stated


def test_every_row_states_every_kind():
    assert {len(row.may) for row in ROWS} == {len(KINDS)}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry
