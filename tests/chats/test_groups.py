"""Small groups: who comes in and how, who reads what, who leads, what two changes at once leave; and what one does with
a conversation for oneself alone."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from accounts.encryption.person_keys import _open
from accounts.people.viewer import Viewer
from chats.groups import writes as group_writes
from chats.groups.writes import (
    CannotInvite,
    GroupFull,
    accept_invitation,
    found_group,
    invite,
    leave_group,
    name_group,
    refuse_and_block,
    remove_member,
)
from chats.models import Chat, ChatEntry
from chats.own_entries.writes import clear_chat, mute_chat
from chats.reads import ChatPage, get_chat, list_chats
from chats.writes import choose_who_writes, read_messages, refuse_chat, send_message
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import NotFound, change, fetch, ids, keys
from tests.accounts.scenes import erase_key_of
from tests.chats.scenes import knows, write
from tests.chats.test_messages import bell
from tests.conftest import HTMX, person
from tests.feed.conftest import requests_of
from tests.web.html import Html

__all__ = ["requests_of"]  # a fixture

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def found(by: Viewer, *others: Viewer, title: str = "Tea") -> str:
    """A group of someone who invites these people."""
    chat_id = ids.new_id()
    found_group(by=by, chat_id=chat_id, title=title, invited=[one.user_id for one in others])
    return chat_id


def group_of(by: Viewer, *others: Viewer) -> str:
    """A group in which all of these are."""
    chat_id = found(by, *others)
    for one in others:
        accept_invitation(by=one, chat_id=chat_id)
    return chat_id


def say(by: Viewer, chat_id: str, text: str = "Hello") -> str:
    sent = send_message(by=by, chat_id=chat_id, text=text, nonce=ids.new_id())
    assert sent.message
    return sent.message.message_id


def page(viewer: Viewer, chat_id: str) -> ChatPage:
    return get_chat(viewer, chat_id, consistent=True)


def read(viewer: Viewer, chat_id: str) -> list[str]:
    """What someone reads: texts, and of lines what they say."""
    return [one.line or one.text for one in page(viewer, chat_id).messages]


def names(viewer: Viewer, chat_id: str) -> list[str]:
    group = page(viewer, chat_id).group
    return [one.card.handle for one in group.members if one.card] if group else []


def words(shown: Html) -> str:
    return shown.one("main").text


# Coming in


def test_who_is_invited_reads_nothing_until_they_accept_and_then_what_comes(alice, bob, carol):
    chat_id = group_of(alice, bob)
    say(alice, chat_id, "Before")
    invite(by=alice, chat_id=chat_id, user_ids=[carol.user_id])
    assert read(carol, chat_id) == []
    with pytest.raises(NotFound):
        say(carol, chat_id)
    accept_invitation(by=carol, chat_id=chat_id)
    accept_invitation(by=carol, chat_id=chat_id)
    say(bob, chat_id, "After")
    assert read(carol, chat_id) == ["joined", "After"]
    assert read(alice, chat_id) == ["begun", "joined", "Before", "joined", "After"]


def test_an_invitation_stands_among_the_requests_and_is_refused_without_a_word(
    alice, bob, log_in, drain_stream
):
    chat_id = found(alice, bob)
    drain_stream()
    assert bell(bob).chat_requests == (chat_id,)
    assert [row.title for row in list_chats(bob, requests=True).items] == ["Tea"]
    requests = Html(log_in(bob).get("/messages/requests"))
    assert "Alice Archer invites you into this group" in words(requests)
    refuse_chat(by=bob, chat_id=chat_id)
    refuse_chat(by=bob, chat_id=chat_id)
    assert list_chats(bob, requests=True).items == []
    assert bell(bob).chat_requests == ()
    assert log_in(bob).get(f"/messages/groups/{chat_id}").status_code == 404
    assert [one.user_id for one in page(alice, chat_id).group.invited] == [bob.user_id]
    remove_member(by=alice, chat_id=chat_id, user_id=bob.user_id)
    invite(by=alice, chat_id=chat_id, user_ids=[bob.user_id])
    assert list_chats(bob, requests=True).items == []


def test_the_page_of_an_invitation_names_the_people_and_answers_in_one_press(
    alice, bob, carol, log_in
):
    chat_id = group_of(alice, carol)
    say(alice, chat_id, "Secret")
    block(by=bob, user_id=carol.user_id)
    invite(by=alice, chat_id=chat_id, user_ids=[bob.user_id])
    browser = log_in(bob)
    shown = Html(browser.get(f"/messages/groups/{chat_id}"))
    assert [one for one in ("Tea", "@carol", "Founder") if one not in words(shown)] == []
    assert "Someone you block is in it" in words(shown)
    assert "Secret" not in words(shown)
    browser.post(f"/messages/groups/{chat_id}/answer", {"answer": "accept"})
    assert "bob" in names(alice, chat_id)
    assert browser.get(f"/messages/groups/{chat_id}").status_code == 200


def test_refusing_and_blocking_is_one_press(alice, bob):
    chat_id = found(alice, bob)
    assert refuse_and_block(by=bob, chat_id=chat_id) == alice.user_id
    with pytest.raises(CannotInvite):
        found(alice, bob)
    with pytest.raises(NotFound):
        accept_invitation(by=bob, chat_id=chat_id)


@pytest.mark.parametrize("writers", ["nobody", "friends", "following"])
def test_only_people_who_take_messages_from_the_founder_can_be_invited(alice, bob, writers):
    choose_who_writes(by=bob, writers=writers, hides_seen=False)
    with pytest.raises(CannotInvite) as refused:
        found(alice, bob)
    assert refused.value.user_ids == [bob.user_id]
    if writers == "following":
        knows(bob, alice)
        assert found(alice, bob)


def test_who_cannot_be_invited_is_said_alike_of_a_block_and_of_nobody(alice, bob, carol, log_in):
    block(by=bob, user_id=alice.user_id)
    choose_who_writes(by=carol, writers="nobody", hides_seen=False)
    browser = log_in(alice)
    said = set()
    for handle in ("bob", "carol", "nobody_at_all"):
        form = {"title": "Tea", "handles": f"@{handle}", "nonce": ids.new_id()}
        answer = browser.post("/messages/groups/new", form)
        assert answer.status_code == 422
        said.add(answer.context["form"].errors["handles"][0].replace(handle, "…"))
    assert len(said) == 1


def test_a_group_is_founded_once_with_a_form_without_a_script(alice, bob, carol, log_in):
    follow(by=alice, user_id=bob.user_id)
    browser = log_in(alice)
    assert [
        one["value"]
        for one in Html(browser.get("/messages/groups/new")).all("input", name="chosen")
    ] == ["bob"]
    nonce = ids.new_id()
    form = {"title": "Tea", "handles": "carol", "chosen": ["bob"], "nonce": nonce}
    for _ in range(2):
        answer = browser.post("/messages/groups/new", form)
        assert answer["Location"] == f"/messages/groups/{nonce}"
    shown = Html(browser.get(answer["Location"]))
    assert "You founded this group." in words(shown)
    assert {one.user_id for one in page(alice, nonce).group.invited} == {bob.user_id, carol.user_id}


def test_nobody_takes_over_a_group_by_its_id(alice, bob, carol):
    chat_id = found(alice, bob)
    with pytest.raises(NotFound):
        found_group(by=carol, chat_id=chat_id, title="Mine", invited=[])


# At most ten


def test_a_group_has_at_most_ten_people_open_invitations_included(alice, bob):
    others = [person(f"other{number}") for number in range(9)]
    for one in (*others, bob):
        knows(one, alice)
    with pytest.raises(GroupFull):
        found(alice, bob, *others)
    chat_id = found(alice, *others)
    with pytest.raises(GroupFull):
        invite(by=alice, chat_id=chat_id, user_ids=[bob.user_id])
    remove_member(by=alice, chat_id=chat_id, user_id=others[0].user_id)
    invite(by=alice, chat_id=chat_id, user_ids=[bob.user_id])


def test_two_invitations_at_once_do_not_both_take_the_last_place(alice):
    others = [person(f"other{number}") for number in range(10)]
    for one in others:
        knows(one, alice)
    chat_id = found(alice, *others[:8])

    def invited(one: Viewer) -> bool:
        try:
            invite(by=alice, chat_id=chat_id, user_ids=[one.user_id])
        except GroupFull:
            return False
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(invited, others[8:])) == [False, True]
    group = page(alice, chat_id).group
    assert len(group.members) + len(group.invited) == 10


def test_all_accept_at_once(alice):
    others = [person(f"other{number}") for number in range(4)]
    chat_id = found(alice, *others)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: accept_invitation(by=one, chat_id=chat_id), others))
    assert len(names(alice, chat_id)) == 5


@pytest.mark.parametrize("late", ["accept", "send"])
def test_who_is_removed_at_that_moment_comes_too_late(alice, bob, late, monkeypatch):
    chat_id = found(alice, bob) if late == "accept" else group_of(alice, bob)
    module = group_writes if late == "accept" else __import__("chats.writes", fromlist=["transact"])
    transact = module.transact

    def removed_before(*actions: object) -> None:
        monkeypatch.setattr(module, "transact", transact)
        remove_member(by=alice, chat_id=chat_id, user_id=bob.user_id)
        transact(*actions)

    monkeypatch.setattr(module, "transact", removed_before)
    act = (
        (lambda: accept_invitation(by=bob, chat_id=chat_id))
        if late == "accept"
        else (lambda: say(bob, chat_id, "Too late"))
    )
    with pytest.raises(NotFound):
        act()
    assert names(alice, chat_id) == ["alice"]
    assert "Too late" not in read(alice, chat_id)
    assert fetch([keys.chat_entry(bob.user_id, chat_id)], consistent=True) == {}


# Who leads


def test_the_founder_names_invites_and_removes_and_nobody_else(alice, bob, carol):
    chat_id = group_of(alice, bob)
    for forbidden in (
        lambda: name_group(by=bob, chat_id=chat_id, title="Mine"),
        lambda: invite(by=bob, chat_id=chat_id, user_ids=[carol.user_id]),
        lambda: remove_member(by=bob, chat_id=chat_id, user_id=alice.user_id),
        lambda: remove_member(by=alice, chat_id=chat_id, user_id=alice.user_id),
    ):
        with pytest.raises(NotFound):
            forbidden()
    name_group(by=alice, chat_id=chat_id, title="Cake")
    name_group(by=alice, chat_id=chat_id, title="Cake")
    assert page(bob, chat_id).group.name == "Cake"
    assert read(bob, chat_id).count("named") == 1


def test_who_is_removed_finds_nothing_there_any_more(alice, bob, carol, log_in, drain_stream):
    chat_id = group_of(alice, bob, carol)
    say(alice, chat_id, "Hello")
    drain_stream()
    assert bell(carol).chats == (chat_id,)
    remove_member(by=alice, chat_id=chat_id, user_id=carol.user_id)
    remove_member(by=alice, chat_id=chat_id, user_id=carol.user_id)
    drain_stream()
    assert bell(carol).chats == ()
    browser = log_in(carol)
    asked = {"after": ids.new_id()}
    for address in ("", "/people"):
        assert browser.get(f"/messages/groups/{chat_id}{address}").status_code == 404
    assert browser.get(f"/messages/groups/{chat_id}/news", asked, headers=HTMX).status_code == 404
    assert list_chats(carol).items == []
    assert "Alice Archer removed Carol 陈." in words(
        Html(log_in(bob).get(f"/messages/groups/{chat_id}"))
    )
    assert read(bob, chat_id).count("removed") == 1


def test_one_leaves_quietly(alice, bob, carol, log_in, drain_stream):
    chat_id = group_of(alice, bob, carol)
    before = read(alice, chat_id)
    leave_group(by=bob, chat_id=chat_id)
    leave_group(by=bob, chat_id=chat_id)
    assert names(alice, chat_id) == ["alice", "carol"]
    assert read(alice, chat_id) == before
    assert log_in(bob).get(f"/messages/groups/{chat_id}").status_code == 404
    assert list_chats(bob).items == []


def test_a_founder_who_leaves_passes_the_group_on_to_who_is_in_it_longest(alice, bob, carol):
    chat_id = found(alice, bob, carol)
    accept_invitation(by=carol, chat_id=chat_id)
    accept_invitation(by=bob, chat_id=chat_id)
    dave = person("dave")
    invite(by=alice, chat_id=chat_id, user_ids=[dave.user_id])
    leave_group(by=alice, chat_id=chat_id)
    assert page(carol, chat_id).standing.is_founder
    assert [row.title for row in list_chats(bob).items] == ["Tea"]
    erase_key_of(alice)
    assert page(bob, chat_id).group.name == "Tea"
    with pytest.raises(NotFound):
        accept_invitation(by=dave, chat_id=chat_id)
    assert list_chats(dave, requests=True).items == []
    name_group(by=carol, chat_id=chat_id, title="Cake")


def test_a_founder_whose_account_is_erased_passes_the_group_on_without_its_name(alice, bob, carol):
    chat_id = group_of(alice, bob, carol)
    invited = person("dave")
    invite(by=alice, chat_id=chat_id, user_ids=[invited.user_id])
    leave_group(by=invited, chat_id=chat_id)
    assert page(alice, chat_id).group.invited == []
    leave_group(by=alice, chat_id=chat_id, is_erased=True)
    assert page(bob, chat_id).standing.is_founder
    assert page(carol, chat_id).group.name == "Bob Brandt"


def test_a_name_that_nobody_can_read_any_more_gives_way_to_those_of_the_people(alice, bob, carol):
    chat_id = group_of(alice, bob, carol)
    erase_key_of(alice)
    assert page(bob, chat_id).group.name == "Alice Archer, Carol 陈"
    assert list_chats(bob).items[0].title == "Alice Archer, Carol 陈"


def test_the_last_one_ends_the_group(alice, bob):
    chat_id = found(alice, bob)
    leave_group(by=alice, chat_id=chat_id)
    left = [keys.chat(chat_id), *(keys.chat_entry(one.user_id, chat_id) for one in (alice, bob))]
    assert fetch(left, consistent=True) == {}


# What each sees


def test_people_who_block_each_other_do_not_see_each_others_messages(
    alice, bob, carol, drain_stream
):
    chat_id = group_of(alice, bob, carol)
    block(by=bob, user_id=carol.user_id)
    drain_stream()
    say(carol, chat_id, "From carol")
    drain_stream()
    assert "From carol" in read(alice, chat_id)
    assert "From carol" not in read(bob, chat_id)
    assert bell(alice).chats == (chat_id,)
    assert bell(bob).chats == ()
    say(bob, chat_id, "From bob")
    assert "From bob" not in read(carol, chat_id)


def test_a_group_stays_in_the_list_when_its_messages_have_ended(alice, bob, drain_stream):
    chat_id = group_of(alice, bob)
    say(alice, chat_id)
    drain_stream()
    for one in (alice, bob):
        key = keys.chat_entry(one.user_id, chat_id)
        assert "ttl" not in fetch([key], consistent=True)[key]


def test_each_message_names_its_author_and_the_list_too(alice, bob, log_in, drain_stream):
    chat_id = group_of(alice, bob)
    say(bob, chat_id, "Hello")
    drain_stream()
    browser = log_in(alice)
    shown = Html(browser.get(f"/messages/groups/{chat_id}"))
    assert [one.text.split() for one in shown.all("p", class_="message-author")] == [
        ["B", "Bob", "Brandt"]
    ]
    assert "Tea" in words(Html(browser.get("/messages")))


# For oneself alone


def test_a_muted_conversation_rings_no_bell_until_that_is_over(alice, bob, drain_stream):
    chat_id = group_of(alice, bob)
    mute_chat(by=bob, chat_id=chat_id, length="8 hours")
    say(alice, chat_id)
    drain_stream()
    assert bell(bob).chats == ()
    assert [(row.is_muted, row.is_new) for row in list_chats(bob).items] == [(True, True)]
    over = (utc_now() - timedelta(minutes=1)).isoformat()
    change(ChatEntry, keys.chat_entry(bob.user_id, chat_id), [ChatEntry.muted_until.set(over)])
    say(alice, chat_id)
    drain_stream()
    assert bell(bob).chats == (chat_id,)


@pytest.mark.parametrize("length", ["8 hours", "1 week", "always"])
def test_a_conversation_of_two_is_muted_on_its_page(alice, bob, log_in, drain_stream, length):
    knows(bob, alice)
    write(alice, bob)
    browser = log_in(bob)
    browser.post("/messages/@alice/mute", {"length": length})
    assert "Muted until" in words(Html(browser.get("/messages/@alice")))
    write(alice, bob)
    drain_stream()
    assert bell(bob).chats == ()
    browser.post("/messages/@alice/mute", {"length": ""})
    write(alice, bob)
    drain_stream()
    assert bell(bob).chats == (alice.user_id,)
    assert browser.post("/messages/@alice/mute", {"length": "2 years"}).status_code == 400


def test_a_cleared_conversation_leaves_ones_own_list_until_something_new_comes(
    alice, bob, log_in, drain_stream
):
    knows(bob, alice)
    last = write(alice, bob, "One").message
    drain_stream()
    me = replace(bob, waiting=bell(bob))
    clear_chat(by=me, chat_id=last.chat_id, up_to=last.message_id)
    assert list_chats(bob).items == []
    assert bell(bob).chats == ()
    assert read(bob, last.chat_id) == []
    assert read(alice, last.chat_id) == ["One"]
    write(alice, bob, "Two")
    drain_stream()
    assert len(list_chats(bob).items) == 1
    assert read(bob, last.chat_id) == ["Two"]
    newest = page(bob, last.chat_id).newest
    assert log_in(bob).post("/messages/@alice/clear", {"up_to": newest})["Location"] == "/messages"
    assert list_chats(bob).items == []


# What it costs


@pytest.fixture
def full(alice) -> str:
    """A group of ten with fifty messages."""
    others = [person(f"other{number}") for number in range(9)]
    for one in others:
        knows(one, alice)
    chat_id = group_of(alice, *others)
    for number in range(50):
        say([alice, *others][number % 10], chat_id, "A message as people write them. " * 6)
    return chat_id


@capacity
def test_the_page_of_a_group_of_ten_is_three_calls_and_24_units(full, alice, log_in, requests_of):
    browser: Client = log_in(alice)
    _open.forget_all()
    with requests_of() as requests:
        shown = Html(browser.get(f"/messages/groups/{full}"))
    assert len(shown.all("div", class_="bubble")) == 50
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert sum(requests.units) <= 24, requests.units


@capacity
def test_sending_to_ten_is_two_calls_and_eight_units(full, alice, log_in, requests_of):
    browser: Client = log_in(alice)
    form = {"content": "One more", "nonce": ids.new_id()}
    with requests_of() as requests:
        assert browser.post(f"/messages/groups/{full}", form, headers=HTMX).status_code == 200
    assert requests.operations == ["BatchGetItem", "TransactWriteItems"]
    assert requests.units[1] == 8


@capacity
def test_a_list_with_groups_is_three_calls(alice, bob, log_in, requests_of, drain_stream):
    for _ in range(3):
        say(bob, group_of(alice, bob))
    drain_stream()
    browser: Client = log_in(alice)
    _open.forget_all()
    with requests_of() as requests:
        assert len(Html(browser.get("/messages")).all("a", class_="chat-row")) == 3
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]


def test_reading_the_invitation_takes_it_from_the_badge_for_good(alice, bob, drain_stream):
    chat_id = found(alice, bob)
    drain_stream()
    me = replace(bob, waiting=bell(bob))
    read_messages(by=me, chat_id=chat_id, up_to=ids.new_id())
    assert bell(bob).chat_requests == ()
    group = Chat.founder_id.set(alice.user_id)
    change(Chat, keys.chat(chat_id), [group])
    drain_stream()
    assert bell(bob).chat_requests == ()
