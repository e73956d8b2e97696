"""Lists of people: private, at most 20 of 200 people, with a place in Home or out of it, and what ends them."""

from collections.abc import Iterator

import pytest

from accounts.models import UserInfo, UserSettings
from accounts.people.viewer import Viewer
from operations.invariants import Invariants
from operations.reconcile import reconcile_page
from relations.blocks.writes import block, unblock
from relations.follows.writes import follow, unfollow
from relations.lists import reads, writes
from relations.lists.reads import list_own_lists
from relations.lists.writes import (
    add_to_list,
    change_list,
    create_list,
    delete_list,
    take_out_of_list,
)
from relations.models import Listing, PersonList
from relations.relation import Blocked
from socialsite.table import Change as ChangeItem
from socialsite.table import NotFound, fetch, ids, item_size, keys, query, transact, write_batch
from socialsite.table.reading import scan
from tests.conftest import HTMX, person, post
from tests.feed.timelines import fill_home
from tests.streams.crowd import crowd, home, returning
from tests.web.html import Html


def people(viewer: Viewer) -> dict[str, set[str]]:
    """The people in each of someone's lists."""
    return {one.name: set(one.members) for one in list_own_lists(viewer)}


def broken() -> dict[str, list[str]]:
    invariants = Invariants()
    for raw in scan():
        invariants.add(raw)
    return {name: found for name, found in invariants.results().items() if found}


@pytest.fixture
def bakers(alice, bob) -> str:
    list_id = create_list(by=alice, name="Bakers")
    add_to_list(by=alice, list_id=list_id, user_id=bob.user_id)
    return list_id


def test_a_list_is_made_and_filled_from_a_profile_without_scripts(alice, bob, log_in):
    browser = log_in(alice)
    page = Html(browser.get("/@bob"))
    assert page.all("a", href="/@bob/lists")
    answer = browser.post("/@bob/lists", {"new_list": "Bakers"})
    assert (answer.status_code, answer["Location"]) == (302, "/@bob")
    assert people(alice) == {"Bakers": {bob.user_id}}
    (box,) = Html(browser.get("/@bob/lists")).all("input", name="lists")
    assert "checked" in box.attributes
    browser.post("/@bob/lists", {"lists": []})
    assert people(alice) == {"Bakers": set()}


def test_a_list_is_made_renamed_and_deleted(alice, log_in):
    browser = log_in(alice)
    address = browser.post("/lists", {"name": "Bakers"})["Location"]
    list_id = address.split("/")[2]
    assert browser.post("/lists", {"name": "bakers"})["Location"] == address
    browser.post(f"/lists/{list_id}/edit", {"name": "Millers", "is_tab": "on"})
    assert list(people(alice)) == ["Millers"]
    assert returning(alice).home_lists == ((list_id, "Millers"),)
    assert "Millers" in Html(browser.get("/")).one("a", href=f"/lists/{list_id}").text
    assert "Millers" in browser.get(f"/lists/{list_id}/delete", headers=HTMX).content.decode()
    browser.post(f"/lists/{list_id}/delete")
    assert (people(alice), returning(alice).home_lists) == ({}, ())
    delete_list(by=alice, list_id=list_id)


def test_names_are_not_had_twice(alice, log_in, bakers):
    other = create_list(by=alice, name="Friends")
    answer = log_in(alice).post(f"/lists/{other}/edit", {"name": "BAKERS"})
    assert (answer.status_code, "already have a list" in answer.content.decode()) == (422, True)


@pytest.mark.usefixtures("bob")
def test_a_person_is_added_by_handle_and_removed(alice, bob, log_in):
    list_id = create_list(by=alice, name="Bakers")
    browser, address = log_in(alice), f"/lists/{list_id}/people"
    browser.post(address, {"handle": "@Bob"})
    assert people(alice) == {"Bakers": {bob.user_id}}
    assert Html(browser.get(address)).all(id=f"row-{bob.user_id}")
    for handle in ("nobody_here", "alice", "…"):
        assert browser.post(address, {"handle": handle}).status_code == 422
    browser.post(f"{address}/remove", {"person": bob.user_id})
    browser.post(f"{address}/remove", {"person": bob.user_id})
    assert people(alice) == {"Bakers": set()}
    assert browser.post(f"{address}/remove").status_code == 400


def test_a_list_is_its_owners_alone(bob, log_in, bakers):
    browser = log_in(bob)
    for page in ("", "/people", "/edit", "/delete", "/pack"):
        assert browser.get(f"/lists/{bakers}{page}").status_code == 404
    assert not Html(browser.get("/lists")).all("ul", class_="circles")
    with pytest.raises(NotFound):
        add_to_list(by=bob, list_id=bakers, user_id=person("dora").user_id)


def test_lists_and_the_people_in_one_are_limited(alice, bob, log_in, monkeypatch, bakers):
    monkeypatch.setattr(writes, "MOST_PEOPLE", 2)
    monkeypatch.setattr(writes, "MOST_LISTS", 1)
    add_to_list(by=alice, list_id=bakers, user_id=crowd(1)[0].user_id)
    with pytest.raises(writes.ListFull):
        add_to_list(by=alice, list_id=bakers, user_id=crowd(1)[0].user_id)
    add_to_list(by=alice, list_id=bakers, user_id=bob.user_id)  # is in it
    answer = log_in(alice).post("/lists", {"name": "More"})
    assert (answer.status_code, "You have 20 lists" in answer.content.decode()) == (422, True)


def test_200_people_fit_into_the_item(alice):
    list_id = create_list(by=alice, name="Everyone")
    key = keys.person_list(alice.user_id, list_id)
    everyone = {ids.new_id() for _ in range(200)}
    actions = [PersonList.members.set(everyone), PersonList.left.set(everyone)]
    transact(ChangeItem(PersonList, key, actions))
    transact(ChangeItem(PersonList, key, [PersonList.members.remove()]))


def test_a_block_takes_both_out_of_each_others_lists(alice, bob, drain_stream, bakers):
    theirs = create_list(by=bob, name="Theirs")
    add_to_list(by=bob, list_id=theirs, user_id=alice.user_id)
    block(by=alice, user_id=bob.user_id)
    with pytest.raises(Blocked):
        add_to_list(by=bob, list_id=create_list(by=bob, name="More"), user_id=alice.user_id)
    drain_stream()
    assert people(alice) == {"Bakers": set()}
    assert people(bob) == {"Theirs": set(), "More": set()}
    assert not broken()


def test_a_block_that_the_worker_handles_after_its_end_takes_nobody_out(
    alice, bob, drain_stream, bakers
):
    block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    add_to_list(by=alice, list_id=bakers, user_id=bob.user_id)
    drain_stream()
    assert people(alice) == {"Bakers": {bob.user_id}}


def test_handles_change_without_harm(alice, bob, log_in, bakers):
    log_in(bob).post("/settings/handle", {"handle": "robert"})
    html = Html(log_in(alice).get(f"/lists/{bakers}/people"))
    assert "Bob" in html.one(id=f"row-{bob.user_id}").text


def test_deleting_a_list_clears_what_names_it(alice, bob, drain_stream, bakers):
    change_list(by=alice, list_id=bakers, name="Bakers", is_tab=True, not_home=True)
    delete_list(by=alice, list_id=bakers)
    assert not returning(alice).not_home
    drain_stream()
    assert not list(query(keys.listings(bob.user_id)))
    assert not broken()


# Not in Home.


@pytest.fixture
def both_followed(alice, bob, carol, drain_stream) -> tuple[str, str]:
    """A post of bob's and one of carol's, in alice's home."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=carol.user_id)
    posts = post(bob), post(carol)
    drain_stream()
    return posts


def not_in_home(alice: Viewer, list_id: str, *, on: bool = True) -> None:
    change_list(by=alice, list_id=list_id, name="Bakers", not_home=on)


def test_people_of_a_list_are_out_of_home_and_back_at_once(alice, bob, both_followed, bakers):
    of_bob, of_carol = both_followed
    assert home(alice) == [of_carol, of_bob]
    not_in_home(alice, bakers)
    assert home(alice) == [of_carol]
    not_in_home(alice, bakers, on=False)
    assert home(alice) == [of_carol, of_bob]


ENDS = {
    "removed": lambda alice, bob, carol, one: take_out_of_list(
        owner_id=alice.user_id, list_id=one, user_id=bob.user_id
    ),
    "deleted": lambda alice, bob, carol, one: delete_list(by=alice, list_id=one),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_ends_the_place_in_the_list_brings_them_back(
    alice, bob, carol, both_followed, bakers, end
):
    not_in_home(alice, bakers)
    add_to_list(by=alice, list_id=bakers, user_id=carol.user_id)
    assert home(alice) == []
    ENDS[end](alice, bob, carol, bakers)
    assert both_followed[0] in home(alice)
    assert (both_followed[1] in home(alice)) == (end == "deleted")


def test_who_is_in_two_such_lists_stays_out_until_both_end(alice, bob, both_followed, bakers):
    other = create_list(by=alice, name="Loud")
    change_list(by=alice, list_id=other, name="Loud", not_home=True)
    add_to_list(by=alice, list_id=other, user_id=bob.user_id)
    not_in_home(alice, bakers)
    delete_list(by=alice, list_id=other)
    assert home(alice) == [both_followed[1]]
    not_in_home(alice, bakers, on=False)
    assert both_followed[0] in home(alice)


def test_an_unfollow_and_a_new_follow_change_nothing_of_it(
    alice, bob, both_followed, bakers, drain_stream
):
    not_in_home(alice, bakers)
    unfollow(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert home(alice) == [both_followed[1]]


def test_a_page_stays_full_beside_loud_people_and_home_asks_as_often(
    alice, bob, carol, log_in, drain_stream, measure, bakers
):
    follow(by=alice, user_id=bob.user_id)
    follow(by=alice, user_id=carol.user_id)
    quiet = [post(carol) for _ in range(3)]
    for _ in range(40):
        post(bob)
    drain_stream()
    not_in_home(alice, bakers)
    browser = log_in(alice)
    with measure() as meter:
        page = Html(browser.get("/"))
    assert page.post_ids() == quiet[::-1]
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]


def test_a_home_in_which_nothing_is_wanted_for_a_while_says_so(alice, bob, carol, log_in, bakers):
    (older,) = fill_home(alice, [UserInfo.new(user_id=carol.user_id, handle="carol", name="Carol")])
    fill_home(alice, [UserInfo.new(user_id=bob.user_id, handle="bob", name="Bob")], each=101)
    browser, said = log_in(alice), "The posts here are by people you keep out of Home."
    assert said not in browser.get("/").content.decode()
    not_in_home(alice, bakers)
    first = browser.get("/")
    assert said in first.content.decode()
    second = browser.get(Html(first).link("next"))
    assert Html(second).post_ids() == [older]
    assert said not in second.content.decode()


def test_an_open_home_rests_although_people_who_are_not_in_it_post(
    alice, bob, carol, log_in, both_followed, drain_stream, bakers
):
    not_in_home(alice, bakers)
    browser = log_in(alice)
    asked = Html(browser.get("/")).one(id="pulse")["hx-get"]
    for author, number in ((bob, 0), (carol, 1), (bob, 1)):
        post(author)
        drain_stream()
        answer = Html(browser.get(asked, headers=HTMX))
        assert [one["id"] for one in answer.all("a", id="pill")] == ["pill"] * number
        asked = answer.one(id="pulse")["hx-get"]
        assert browser.get(asked, headers=HTMX).status_code == 204


def test_few_lists_stand_beside_homes_tabs_and_their_names_fit_into_the_settings(alice, log_in):
    browser, most = log_in(alice), writes.MOST_TABS
    lists = [create_list(by=alice, name=f"{'😀' * 28}{number:02}") for number in range(most + 1)]
    forms = [{"name": one.name, "is_tab": "on"} for one in list_own_lists(alice)]
    *saved, refused = [
        browser.post(f"/lists/{one}/edit", form) for one, form in zip(lists, forms, strict=True)
    ]
    assert {one.status_code for one in saved} == {302}
    assert refused.status_code == 422
    assert f"Up to {most} lists can stand beside Home’s tabs." in refused.content.decode()
    assert browser.post(f"/lists/{lists[0]}/edit", forms[0]).status_code == 302
    found = fetch([keys.user_settings(alice.user_id)])[keys.user_settings(alice.user_id)]
    assert UserSettings.most_bytes - item_size(found) > 1_500 * 26 + 200 * 30


def test_lists_that_are_not_in_home_are_limited_together(alice, log_in, monkeypatch, bakers):
    monkeypatch.setattr(writes, "MOST_PEOPLE", 1)
    not_in_home(alice, bakers)
    other = create_list(by=alice, name="Loud")
    change_list(by=alice, list_id=other, name="Loud", not_home=True)
    with pytest.raises(writes.TooManyNotInHome):
        add_to_list(by=alice, list_id=other, user_id=crowd(1)[0].user_id)
    not_in_home(alice, bakers, on=False)
    add_to_list(by=alice, list_id=other, user_id=crowd(1)[0].user_id)
    answer = log_in(alice).post(f"/lists/{bakers}/edit", {"name": "Bakers", "not_home": "on"})
    assert (answer.status_code, "200 people together" in answer.content.decode()) == (422, True)


def test_a_list_of_more_people_than_may_be_kept_out_can_still_be_renamed(
    alice, carol, log_in, monkeypatch, bakers
):
    add_to_list(by=alice, list_id=bakers, user_id=carol.user_id)
    not_in_home(alice, bakers)
    monkeypatch.setattr(writes, "MOST_PEOPLE", 1)
    log_in(alice).post(f"/lists/{bakers}/edit", {"name": "Millers", "not_home": "on"})
    assert list(people(alice)) == ["Millers"]


# What is lost is put right.


def damage(alice: Viewer, bob: Viewer, list_id: str) -> Iterator[None]:
    """What a lost record, or a write that came late, can leave."""
    write_batch(deletes=[keys.listing(bob.user_id, alice.user_id, list_id)])
    yield
    stray = Listing.new(user_id=bob.user_id, owner_id=alice.user_id, list_id=ids.new_id())
    write_batch(puts=[stray])
    yield
    key = keys.person_list(alice.user_id, list_id)
    transact(ChangeItem(PersonList, key, [PersonList.is_away.remove()]))
    yield
    transact(ChangeItem(PersonList, key, [PersonList.name.set("Millers")]))
    yield
    transact(ChangeItem(UserInfo, keys.user_info(bob.user_id), [UserInfo.listed.remove()]))
    yield


def test_the_audit_finds_damage_and_reconcile_mends_it(alice, bob, drain_stream, bakers):
    change_list(by=alice, list_id=bakers, name="Bakers", is_tab=True, not_home=True)
    drain_stream()
    assert not broken()
    for _ in damage(alice, bob, bakers):
        assert broken()
        list(reconcile_page(list(scan()), begun="now"))
        assert not broken()


def test_the_list_of_people_goes_page_by_page(alice, log_in, monkeypatch, bakers):
    monkeypatch.setattr(reads, "PEOPLE_A_PAGE", 2)
    for one in crowd(2):
        add_to_list(by=alice, list_id=bakers, user_id=one.user_id)
    browser = log_in(alice)
    first = Html(browser.get(f"/lists/{bakers}/people"))
    second = Html(browser.get(first.link("next"), headers=HTMX))
    assert [len(one.all("article")) for one in (first, second)] == [2, 1]
    assert fetch([keys.person_list(alice.user_id, bakers)])
