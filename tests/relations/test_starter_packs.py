"""Starter packs: what others see of a list that its owner offers, following its people, and not being in one."""

from dataclasses import replace

import pytest

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import pause_account, save_privacy
from privacy.erasure.writes import close_account
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.lists import packs, reads, writes
from relations.lists.writes import add_to_list, create_list, offer_pack, withdraw_pack
from relations.reads import list_following
from socialsite.site_settings.word_filters import Effect
from tests.conftest import person
from tests.moderation.cases import restrict
from tests.moderation.staff import word_rule
from tests.privacy.lives import erase
from tests.relations.scenes import OFF, ON, lock, relationship
from tests.streams.crowd import crowd, returning
from tests.web.html import Html


@pytest.fixture
def pack(alice, bob, carol) -> str:
    """The address of Alice's starter pack of Bob and Carol."""
    list_id = create_list(by=alice, name="Bakers")
    for one in (bob, carol):
        add_to_list(by=alice, list_id=list_id, user_id=one.user_id)
    offer_pack(by=alice, list_id=list_id, title="Who bakes", about="Bread first.")
    return f"/@alice/packs/{list_id}"


def list_of(pack: str) -> str:
    return pack.rsplit("/", 1)[1]


def seen(browser, pack: str) -> set[str]:
    """The people whom the pack shows."""
    answer = browser.get(pack)
    assert answer.status_code == 200
    rows = Html(answer).all("article", class_="person")
    return {one["data-href"].removeprefix("/@") for one in rows}


def refuse(one: Viewer) -> None:
    save_privacy(
        by=one,
        locked=False,
        archived_before=None,
        not_suggested=False,
        not_indexed=False,
        no_packs=True,
    )


@pytest.fixture
def dora(table) -> Viewer:
    return person("dora")


def test_members_and_visitors_see_the_pack_and_not_the_lists_name(client, dora, log_in, pack):
    for browser in (client, log_in(dora)):
        answer = browser.get(pack).content.decode()
        assert "Who bakes" in answer
        assert "Bread first." in answer
        assert "Bakers" not in answer
        assert {"bob", "carol"} <= set(seen(browser, pack))


def test_a_list_that_is_offered_no_more_or_never_was_is_not_there(alice, dora, log_in, pack):
    browser = log_in(dora)
    private = create_list(by=alice, name="Private")
    assert browser.get(f"/@alice/packs/{private}").status_code == 404
    withdraw_pack(by=alice, list_id=list_of(pack))
    for answer in (browser.get(pack), browser.post(f"{pack}/follow")):
        assert answer.status_code == 404


# How Bob stands, and whether Dora sees him in the pack.
LEAVES_OUT = {
    "blocks": lambda bob, dora: block(by=bob, user_id=dora.user_id),
    "is blocked": lambda bob, dora: block(by=dora, user_id=bob.user_id),
    "is muted": lambda bob, dora: mute(by=dora, user_id=bob.user_id),
    "refuses": lambda bob, dora: refuse(bob),
    "limited": lambda bob, dora: restrict(bob, Restriction.LIMITED),
    "paused": lambda bob, dora: pause_account(by=bob),
    "suspended": lambda bob, dora: restrict(bob, Restriction.SUSPENDED),
    "closing": lambda bob, dora: close_account(by=bob),
}


@pytest.mark.parametrize("how", LEAVES_OUT)
def test_who_may_not_be_seen_or_refuses_is_neither_shown_nor_followed(
    bob, carol, dora, log_in, pack, how
):
    LEAVES_OUT[how](bob, dora)
    browser = log_in(dora)
    assert seen(browser, pack) == {"carol"}
    answer = browser.post(f"{pack}/follow", follow=True)
    assert "You now follow 1 more person." in answer.content.decode()
    assert [one.handle for one in list_following(dora.user_id).items] == ["carol"]


HIDES_ALL = {
    "blocks": lambda alice, dora: block(by=alice, user_id=dora.user_id),
    "is blocked": lambda alice, dora: block(by=dora, user_id=alice.user_id),
    "suspended": lambda alice, dora: restrict(alice, Restriction.SUSPENDED),
    "paused": lambda alice, dora: pause_account(by=alice),
}


@pytest.mark.parametrize("how", HIDES_ALL)
def test_the_pack_of_an_owner_who_may_not_be_seen_is_not_there(alice, dora, log_in, pack, how):
    HIDES_ALL[how](alice, dora)
    browser = log_in(dora)
    assert browser.get(pack).status_code == 404
    assert browser.post(f"{pack}/follow").status_code == 404


def test_an_erased_person_goes_from_lists_and_their_packs_with_them(
    alice, bob, carol, dora, log_in, worker, pack
):
    erase(bob, worker)
    assert seen(log_in(dora), pack) == {"carol"}
    assert reads.list_own_lists(alice)[0].members == (carol.user_id,)
    erase(alice, worker)
    assert log_in(dora).get(pack).status_code == 404


def test_one_press_follows_everyone_and_asks_those_who_are_locked(
    alice, bob, carol, dora, log_in, pack
):
    lock(carol)
    browser = log_in(dora)
    said = browser.post(f"{pack}/follow", follow=True).content.decode()
    assert "You now follow 1 more person. 1 person approves followers, and got a request." in said
    assert relationship(dora, bob).follows
    assert relationship(dora, carol).asked_to_follow
    again = browser.post(f"{pack}/follow", follow=True).content.decode()
    assert "nobody new to follow" in again.replace("’", "'")


def test_a_press_does_not_follow_the_reader_themselves(bob, carol, log_in, pack):
    said = log_in(bob).post(f"{pack}/follow", follow=True).content.decode()
    assert "You now follow 1 more person." in said
    assert relationship(bob, carol).follows


def test_a_press_is_bounded_and_says_how_many_are_left(alice, dora, log_in, pack, monkeypatch):
    monkeypatch.setattr(packs, "MOST_AT_ONCE", 2)
    for one in crowd(3):
        add_to_list(by=alice, list_id=list_of(pack), user_id=one.user_id)
    browser = log_in(dora)
    found = []
    for _ in range(3):
        answer = browser.post(f"{pack}/follow", follow=True).content.decode()
        found.append((answer.count("more people."), answer.count("left. Press again")))
    assert found == [(1, 1), (1, 1), (0, 0)]
    assert len(list_following(dora.user_id).items) == 5


def test_limits_of_follows_and_of_requests_are_told(bob, carol, dora, log_in, pack, monkeypatch):
    monkeypatch.setattr("relations.follows.writes.MOST_FOLLOWED", 1)
    said = log_in(dora).post(f"{pack}/follow", follow=True).content.decode()
    assert "You now follow 1 more person. You can follow up to 7,500 people." in said
    for one in (bob, carol):
        lock(one)
    monkeypatch.setattr(packs, "REQUESTS", replace(packs.REQUESTS, hits=1))
    said = log_in(person("emil")).post(f"{pack}/follow", follow=True).content.decode()
    assert "got a request. You’ve sent many requests." in said


@pytest.mark.parametrize("visitor", [True, False])
def test_only_members_whose_account_is_not_frozen_follow(client, dora, log_in, pack, visitor):
    restrict(dora, Restriction.FROZEN)
    browser = client if visitor else log_in(dora)
    assert browser.post(f"{pack}/follow").status_code == (302 if visitor else 403)
    assert not list_following(dora.user_id).items


def test_people_take_themselves_out_for_good_and_back(alice, bob, dora, log_in, pack):
    browser, others = log_in(bob), log_in(dora)
    assert pack in str(Html(browser.get("/lists/packs")).all("a", class_="circle-friends"))
    browser.post(f"{pack}/leave", ON)
    assert seen(others, pack) == {"carol"}
    assert not Html(browser.get("/lists/packs")).all("a", class_="circle-friends")
    list_id = list_of(pack)
    assert bob.user_id in reads.list_own_lists(alice)[0].members
    writes.take_out_of_list(owner_id=alice.user_id, list_id=list_id, user_id=bob.user_id)
    add_to_list(by=alice, list_id=list_id, user_id=bob.user_id)
    assert seen(others, pack) == {"carol"}
    assert "Put me back" in browser.get(pack).content.decode()
    browser.post(f"{pack}/leave", OFF)
    assert seen(others, pack) == {"bob", "carol"}
    assert others.post(f"{pack}/leave", ON).status_code == 404


def test_a_pack_that_many_left_loses_the_next_from_the_list_too(
    alice, bob, carol, log_in, pack, monkeypatch
):
    monkeypatch.setattr(writes, "MOST_PEOPLE", 1)
    for one in (bob, carol):
        log_in(one).post(f"{pack}/leave", ON)
    assert reads.list_own_lists(alice)[0].members == (bob.user_id,)
    writes.take_out_of_list(owner_id=alice.user_id, list_id=list_of(pack), user_id=bob.user_id)
    with pytest.raises(writes.ListFull):
        add_to_list(by=alice, list_id=list_of(pack), user_id=carol.user_id)


SEES = "Everyone can see who is in a starter pack."


def test_whom_an_owner_puts_into_a_pack_is_not_said_to_be_private(alice, dora, log_in, pack):
    create_list(by=alice, name="Private")
    browser, address = log_in(alice), "/@dora/lists"
    labels = [one.text for one in Html(browser.get(address)).all("label", class_="check")]
    assert ["starter pack" in one for one in labels] == [True, False]
    for form in ({"lists": [list_of(pack)]}, {"new_list": "bakers"}):
        said = browser.post(address, form, follow=True).content.decode()
        assert ("Only you can see it" in said, SEES in said) == (False, True)
    said = browser.post(address, {"new_list": "Private"}, follow=True).content.decode()
    assert ("Only you can see it" in said, SEES in said) == (True, False)


def test_where_people_are_added_to_a_pack_it_says_who_sees_them(alice, log_in, pack):
    private = create_list(by=alice, name="Private")
    pages = [log_in(alice).get(f"/lists/{one}/people") for one in (private, list_of(pack))]
    said = [page.content.decode() for page in pages]
    assert ["won’t tell them" in one for one in said] == [True, False]
    assert [SEES in one for one in said] == [False, True]


def test_private_lists_stay_unknown_to_those_in_them(alice, bob, log_in, pack):
    private = create_list(by=alice, name="Private")
    add_to_list(by=alice, list_id=private, user_id=bob.user_id)
    found = Html(log_in(bob).get("/lists/packs")).all("a", class_="circle-friends")
    assert len(found) == 1


def test_in_how_many_private_lists_one_is_stays_unknown_too(dora, log_in):
    for one in crowd(51):
        list_id = create_list(by=one, name="Private")
        add_to_list(by=one, list_id=list_id, user_id=dora.user_id)
    page = log_in(dora).get("/lists/packs")
    assert "You’re in no starter pack." in page.content.decode()
    assert not Html(page).link("next")
    offer_pack(by=one, list_id=list_id, title="Who bakes", about="")
    page = Html(log_in(dora).get("/lists/packs"))
    assert len(page.all("a", class_="circle-friends")) == 1
    assert not page.link("next")


def test_the_packs_one_is_in_go_page_by_page(dora, bob, log_in, pack, monkeypatch):
    monkeypatch.setattr(reads, "PACKS_A_PAGE", 1)
    other = create_list(by=dora, name="Millers")
    add_to_list(by=dora, list_id=other, user_id=bob.user_id)
    offer_pack(by=dora, list_id=other, title="Who mills", about="")
    browser = log_in(bob)
    first = Html(browser.get("/lists/packs"))
    second = Html(browser.get(first.link("next")))
    found = [
        one["href"] for page in (first, second) for one in page.all("a", class_="circle-friends")
    ]
    assert set(found) == {pack, f"/@dora/packs/{other}"}
    assert second.link("next") is None


def test_the_choice_to_be_in_none_is_in_the_privacy_settings(bob, log_in):
    browser = log_in(bob)
    assert "checked" in Html(browser.get("/settings/privacy")).one(id="id_packs").attributes
    browser.post("/settings/privacy", {"indexed": "on"})
    assert returning(bob).card.no_packs


def test_word_filters_check_the_title_and_the_description(alice, admin, log_in, pack):
    word_rule(admin, "pills", Effect.REFUSE)
    address = f"/lists/{list_of(pack)}/pack"
    browser = log_in(alice)
    for form in ({"title": "Cheap pills"}, {"title": "x", "about": "Cheap pills"}, {"title": ""}):
        assert browser.post(address, form).status_code == 422
    assert "Cheap pills" not in browser.get(pack).content.decode()


def test_who_is_frozen_offers_nothing(alice, log_in, pack):
    restrict(alice, Restriction.FROZEN)
    answer = log_in(alice).post(f"/lists/{list_of(pack)}/pack", {"title": "Again"})
    assert answer.status_code == 403


@pytest.mark.usefixtures("dora")
def test_who_is_frozen_puts_nobody_into_a_pack_and_anyone_into_private_lists(alice, log_in, pack):
    private = create_list(by=alice, name="Private")
    restrict(alice, Restriction.FROZEN)
    browser, list_id = log_in(alice), list_of(pack)
    answers = [
        browser.post(f"/lists/{list_id}/people", {"handle": "dora"}),
        browser.post("/@dora/lists", {"lists": [list_id]}),
        browser.post(f"/lists/{private}/people", {"handle": "dora"}),
    ]
    assert [one.status_code for one in answers] == [403, 403, 302]
    assert seen(browser, pack) == {"bob", "carol"}


def test_an_owner_offers_and_withdraws_without_scripts(alice, log_in):
    list_id = create_list(by=alice, name="Bakers")
    browser, address = log_in(alice), f"/lists/{list_id}/pack"
    answer = browser.post(address, {"title": "Who bakes", "about": ""})
    assert answer["Location"] == f"/@alice/packs/{list_id}"
    assert "Who bakes" in browser.get(answer["Location"]).content.decode()
    browser.post(address, OFF)
    assert browser.get(answer["Location"]).status_code == 404


def test_the_pack_goes_page_by_page(alice, dora, log_in, pack, monkeypatch):
    monkeypatch.setattr(reads, "PEOPLE_A_PAGE", 1)
    browser = log_in(dora)
    first = Html(browser.get(pack))
    second = Html(browser.get(first.link("next")))
    assert [len(one.all("article")) for one in (first, second)] == [1, 1]
    assert second.link("next") is None


def test_a_follow_of_before_counts_in_nothing(bob, dora, log_in, pack):
    follow(by=dora, user_id=bob.user_id)
    said = log_in(dora).post(f"{pack}/follow", follow=True).content.decode()
    assert "You now follow 1 more person." in said
