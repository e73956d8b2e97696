"""Who sees what of a conversation: two people, in every way in which they can stand to each other.

Alice and Bob have talked. Then something happens, and the table says what becomes of it for each of them: whether the
list has their conversation, the status of its page, how many of the two old messages it shows, and what sending
answers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import pause_account
from chats.standing import Writers
from chats.writes import accept_chat, choose_who_writes, refuse_chat
from privacy.erasure.writes import close_account
from relations.blocks.writes import block, mute, unblock
from socialsite.table import Delete, NotFound, ids, key_of, keys, query, transact
from tests.chats.scenes import knows, seen_by, texts, write
from tests.conftest import HTMX
from tests.moderation.cases import restrict
from tests.relations.scenes import befriend, lock
from tests.web.html import Html


@dataclass(frozen=True)
class Sees:
    """`in_list` is whether the conversation is in the list, `page` the status of its page, `old` how many of the old
    messages stand there, and `sends` the status with which a new one is answered."""

    in_list: bool
    page: int
    old: int
    sends: int


ALL = Sees(in_list=True, page=200, old=2, sends=302)
NOTHING = Sees(in_list=False, page=404, old=0, sends=404)
GONE = Sees(in_list=False, page=410, old=0, sends=410)
OWN_BLOCK = Sees(in_list=False, page=200, old=0, sends=422)
READS = Sees(in_list=True, page=200, old=2, sends=422)
SIGNED_OUT = Sees(in_list=False, page=302, old=0, sends=302)

Happens = Callable[[Viewer, Viewer], object]
TABLE: dict[str, tuple[Happens, Sees, Sees]] = {
    "nothing happens": (lambda alice, bob: None, ALL, ALL),
    "alice blocks bob": (
        lambda alice, bob: block(by=alice, user_id=bob.user_id),
        OWN_BLOCK,
        NOTHING,
    ),
    "bob blocks alice": (
        lambda alice, bob: block(by=bob, user_id=alice.user_id),
        NOTHING,
        OWN_BLOCK,
    ),
    "both block": (
        lambda alice, bob: (
            block(by=alice, user_id=bob.user_id),
            block(by=bob, user_id=alice.user_id),
        ),
        OWN_BLOCK,
        OWN_BLOCK,
    ),
    "a block that ended": (
        lambda alice, bob: (
            block(by=alice, user_id=bob.user_id),
            unblock(by=alice, user_id=bob.user_id),
        ),
        ALL,
        ALL,
    ),
    "alice mutes bob": (lambda alice, bob: mute(by=alice, user_id=bob.user_id), ALL, ALL),
    "alice locks her account": (lambda alice, bob: lock(alice), ALL, ALL),
    "alice is frozen": (lambda alice, bob: restrict(alice, Restriction.FROZEN), READS, ALL),
    "alice may write no messages": (
        lambda alice, bob: restrict(alice, Restriction.NO_MESSAGES),
        READS,
        ALL,
    ),
    "alice is limited": (lambda alice, bob: restrict(alice, Restriction.LIMITED), ALL, ALL),
    "alice is suspended": (
        lambda alice, bob: restrict(alice, Restriction.SUSPENDED),
        SIGNED_OUT,
        GONE,
    ),
    "alice pauses": (lambda alice, bob: pause_account(by=alice), SIGNED_OUT, NOTHING),
    "alice closes her account": (lambda alice, bob: close_account(by=alice), SIGNED_OUT, NOTHING),
    "alice takes nobody new": (
        lambda alice, bob: choose_who_writes(by=alice, writers=Writers.NOBODY, hides_seen=False),
        ALL,
        ALL,
    ),
    "bob refuses what he had accepted": (lambda alice, bob: _refuse(bob, alice), ALL, ALL),
    "they are friends": (befriend, ALL, ALL),
}


def _refuse(by: Viewer, other: Viewer) -> None:
    with pytest.raises(NotFound):  # nobody asks any more
        refuse_chat(by=by, chat_id=keys.pair(by.user_id, other.user_id))


@pytest.fixture
def talked(alice, bob, drain_stream) -> None:
    knows(bob, alice)
    write(alice, bob, "Tea?")
    write(bob, alice, "Yes.")
    drain_stream()


def looks(client: Client, other: Viewer) -> tuple[bool, int, int]:
    listed = client.get("/messages")
    page = client.get(f"/messages/@{other.handle}")
    in_list = listed.status_code == 200 and bool(Html(listed).all("a", class_="chat-row"))
    old = len(Html(page).all("div", class_="bubble")) if page.status_code == 200 else 0
    return in_list, page.status_code, old


def sends(client: Client, other: Viewer) -> int:
    form = {"content": "And now?", "nonce": ids.new_id(), "to": other.user_id}
    return client.post(f"/messages/@{other.handle}", form).status_code


@pytest.mark.parametrize("what", TABLE)
def test_two_people_who_talked(what, talked, alice, bob, log_in):
    happens, for_alice, for_bob = TABLE[what]
    clients = log_in(alice), log_in(bob)
    happens(alice, bob)
    looked = looks(clients[0], bob), looks(clients[1], alice)
    seen = Sees(*looked[0], sends(clients[0], bob)), Sees(*looked[1], sends(clients[1], alice))
    assert seen == (for_alice, for_bob)


@pytest.mark.parametrize(
    ("writers", "stranger", "followed", "friend"),
    [
        (Writers.EVERYONE, "request", "direct", "direct"),
        (Writers.FOLLOWING, "closed", "direct", "direct"),
        (Writers.FRIENDS, "closed", "closed", "direct"),
        (Writers.NOBODY, "closed", "closed", "closed"),
    ],
)
def test_who_may_begin(writers, stranger, followed, friend, alice, bob, carol, mod, drain_stream):
    choose_who_writes(by=bob, writers=writers, hides_seen=False)
    knows(bob, carol)
    befriend(bob, mod)
    people = (alice, carol, mod)
    assert [str(seen_by(one, bob).standing.reception) for one in people] == [
        stranger,
        followed,
        friend,
    ]


@pytest.mark.parametrize("who", ["carol", "mod", "admin"])
def test_nobody_else_reaches_anything_by_its_address(who, talked, alice, bob, log_in, request):
    other = request.getfixturevalue(who)
    client = log_in(other)
    chat_id = keys.pair(alice.user_id, bob.user_id)
    message_id = write(alice, bob, "Secret").message.message_id
    assert "Secret" not in client.get("/messages/@bob").content.decode()
    answer = client.get(
        "/messages/@bob/news",
        {"with": alice.user_id, "after": message_id},
        headers=HTMX,
    )
    assert "Secret" not in answer.content.decode()
    for path in ("delete", "keep"):
        assert client.post(f"/messages/@bob/{message_id}/{path}").status_code == 404
    assert client.get(f"/messages/groups/{message_id}").status_code == 404
    assert client.get(f"/messages/groups/{chat_id}").status_code == 404
    assert client.post(
        f"/messages/groups/{message_id}", {"content": "x", "nonce": ids.new_id()}
    ).status_code in (404, 422)


# A request: alice, whom bob does not know, has written one message.

WAITS = Sees(in_list=True, page=200, old=1, sends=422)
ASKED = Sees(in_list=False, page=200, old=1, sends=302)
REQUESTS: dict[str, tuple[Happens, Sees, Sees, bool]] = {
    "it waits": (lambda alice, bob: None, WAITS, ASKED, True),
    "bob refuses": (lambda alice, bob: _answer(refuse_chat, bob, alice), WAITS, ASKED, False),
    "bob accepts": (
        lambda alice, bob: _answer(accept_chat, bob, alice),
        Sees(in_list=True, page=200, old=1, sends=302),
        Sees(in_list=True, page=200, old=1, sends=302),
        False,
    ),
    "bob blocks": (
        lambda alice, bob: block(by=bob, user_id=alice.user_id),
        NOTHING,
        OWN_BLOCK,
        False,
    ),
    "alice is suspended": (
        lambda alice, bob: restrict(alice, Restriction.SUSPENDED),
        SIGNED_OUT,
        GONE,
        False,
    ),
}


def _answer(answer: Callable[..., None], by: Viewer, other: Viewer) -> None:
    answer(by=by, chat_id=keys.pair(by.user_id, other.user_id))


@pytest.mark.parametrize("what", REQUESTS)
def test_a_request(what, alice, bob, log_in, drain_stream):
    happens, for_alice, for_bob, asks = REQUESTS[what]
    clients = log_in(alice), log_in(bob)
    write(alice, bob, "We met: https://example.com")
    drain_stream()
    happens(alice, bob)
    listed = Html(clients[1].get("/messages/requests")).all("a", class_="chat-row")
    looked = looks(clients[0], bob), looks(clients[1], alice)
    seen = Sees(*looked[0], sends(clients[0], bob)), Sees(*looked[1], sends(clients[1], alice))
    assert (*seen, bool(listed)) == (for_alice, for_bob, asks)


def test_links_of_a_request_are_dead_until_it_is_accepted(alice, bob, log_in, drain_stream):
    write(alice, bob, "Look: https://example.com")
    client = log_in(bob)
    assert not Html(client.get("/messages/@alice")).all("a", href="https://example.com")
    client.post("/messages/@alice/answer", {"answer": "accept"})
    assert Html(client.get("/messages/@alice")).all("a", href="https://example.com")


# What no browser would send.

HOSTILE = [
    {"after": "x" * 26, "known": "y"},
    {"after": "", "known": ".".join(["0" * 26] * 300)},
    {"with": "nobody"},
    {"with": ""},
    {"mark": "\N{RIGHT-TO-LEFT OVERRIDE}" * 50},
    {"after": "0" * 26},  # an id before 1970
    {"after": "7" + "Z" * 25},  # one behind the year 9999
]


@pytest.mark.parametrize("asked", HOSTILE)
def test_news_that_are_asked_for_with_nonsense(asked, talked, alice, bob, log_in):
    answer = log_in(alice).get(
        "/messages/@bob/news", {"with": bob.user_id, "after": ids.new_id()} | asked, headers=HTMX
    )
    assert answer.status_code < 500


@pytest.mark.parametrize(
    "changed",
    [
        {"content": ""},
        {"content": "x" * 100_000},
        {"content": "\0"},
        {"nonce": ""},
        {"nonce": "x" * 5_000},
        {"answers": "../../etc"},
        {"to": "x" * 26},
        {"shown": "nonsense"},
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_a_form_with_nonsense_is_refused_beside_its_field(
    changed, headers, talked, alice, bob, log_in
):
    form = {"content": "Tea?", "nonce": ids.new_id(), "to": bob.user_id} | changed
    answer = log_in(alice).post("/messages/@bob", form, headers=headers)
    assert answer.status_code == 422
    assert texts(alice, bob) == ["Tea?", "Yes."]


def test_an_answer_to_a_message_of_another_conversation_quotes_nothing(
    talked, alice, bob, carol, drain_stream
):
    knows(carol, alice)
    secret = write(alice, carol, "Secret").message
    write(bob, alice, "What did you say?", answers=secret.message_id)
    assert seen_by(bob, alice).messages[-1].answered is None


def test_a_form_made_for_the_former_holder_of_a_handle_goes_to_nobody(
    talked, alice, bob, carol, log_in
):
    form = {"content": "For Bob alone", "nonce": ids.new_id(), "to": carol.user_id}
    answer = log_in(alice).post("/messages/@bob", form)
    assert answer.status_code == 422
    assert "someone else now" in answer.content.decode()
    assert texts(alice, bob) == ["Tea?", "Yes."]


def test_an_open_page_whose_sign_in_ended_is_led_to_a_new_one(talked, alice, bob, log_in):
    client = log_in(alice)
    for raw in query(keys.sign_ins(alice.user_id)):
        transact(Delete(key_of(raw)))
    asked = {"with": bob.user_id, "after": ids.new_id()}
    answer = client.get("/messages/@bob/news", asked, headers=HTMX)
    assert answer["HX-Redirect"] == "/login"
