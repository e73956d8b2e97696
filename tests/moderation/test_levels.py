"""Levels: who rises by the rules or is given one, what a level limits, and who is told of it."""

import secrets

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import UserInfo, UserSettings
from accounts.profile.writes import save_privacy
from feed.posts.models import Post
from feed.publishing.changes import edit_post
from feed.publishing.levels import LevelReached
from feed.publishing.writes import publish_post
from moderation.levels.writes import give_level, save_level
from moderation.models import ActionKind
from relations.filters import Filters
from relations.models import Relation, RelationType
from relations.own_choices.writes import favourite
from relations.reads import list_relations
from socialsite.site_settings.levels import DEFAULT_LEVELS, Level, earned_level
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import change, get, ids, keys
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, report
from tests.moderation.staff import logged
from tests.relations.scenes import befriend
from tests.streams.crowd import returning
from tests.web.html import Html

PAGE = "/moderation/levels"
NO_LIMITS = {"links": None, "photos": None, "mentions": None}


def stored(viewer):
    return get(UserInfo, keys.user_info(viewer.user_id), consistent=True)


def nonce():
    return secrets.token_urlsafe(16)


def set_level(admin, level=Level.NEW, *, names=None, **values):
    save_level(by=admin, level=level, values=NO_LIMITS | values, names=names or {})


def come_on(viewer, day, drain_stream):
    """The person uses the site on a day, and the worker hears of it."""
    change(UserSettings, keys.user_settings(viewer.user_id), [UserSettings.seen.set(day)])
    drain_stream()


def text_of(answer):
    return Html(answer).one("main").text


def show(viewer, *, shows=True):
    save_privacy(
        by=viewer,
        locked=False,
        archived_before=None,
        not_suggested=False,
        not_indexed=False,
        shows_level=shows,
    )


@pytest.mark.parametrize(
    ("now", "days", "posts", "is_struck", "then"),
    [
        ("new", 6, 100, False, "new"),
        ("new", 7, 2, False, "new"),
        ("new", 7, 3, False, "member"),
        ("new", 60, 50, False, "regular"),
        ("new", 60, 50, True, "new"),
        ("member", 1, 0, False, "member"),
        ("member", 59, 50, False, "member"),
        ("regular", 60, 0, False, "regular"),
        ("regular", 400, 900, True, "member"),
    ],
)
def test_the_rules_are_simple_and_exact(now, days, posts, is_struck, then):
    found = earned_level(
        DEFAULT_LEVELS, now=Level(now), days=days, posts=posts, is_struck=is_struck
    )
    assert found == then


def test_who_signs_up_is_new_and_who_came_before_levels_is_a_member(alice):
    assert returning(alice).card.level == Level.NEW
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.level.remove()])
    card = returning(alice).card
    assert card.level_name == "Member"
    publish_post(by=returning(alice), content="https://a.example " * 20, nonce=ids.new_id())


def test_people_rise_on_a_day_on_which_they_are_here(alice, admin, drain_stream):
    set_level(admin, Level.MEMBER, days=0, posts=1)
    come_on(alice, "2020-01-01", drain_stream)
    assert stored(alice).level == Level.NEW
    post(alice, "Hello")
    drain_stream()
    assert stored(alice).level == Level.NEW
    come_on(alice, "2020-01-02", drain_stream)
    assert stored(alice).level == Level.MEMBER


def test_a_decision_against_someone_takes_regulars_back_and_lets_nobody_rise(
    alice, bob, mod, admin, drain_stream
):
    set_level(admin, Level.MEMBER, days=0, posts=0)
    report(bob, alice)
    decide(mod, about(alice), ActionKind.WARN)
    come_on(alice, "2020-01-01", drain_stream)
    assert stored(alice).level == Level.NEW
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.level.set(Level.REGULAR)])
    come_on(alice, "2020-01-02", drain_stream)
    assert stored(alice).level == Level.MEMBER


def test_a_given_level_stays_until_staff_leave_it_to_the_rules(alice, admin, drain_stream):
    set_level(admin, Level.MEMBER, days=0, posts=0)
    give_level(by=admin, user_id=alice.user_id, level=Level.NEW)
    give_level(by=admin, user_id=alice.user_id, level=Level.NEW)
    come_on(alice, "2020-01-01", drain_stream)
    assert stored(alice).level == Level.NEW
    give_level(by=admin, user_id=alice.user_id, level=None)
    give_level(by=admin, user_id=alice.user_id, level=None)
    come_on(alice, "2020-01-02", drain_stream)
    assert stored(alice).level == Level.MEMBER
    assert [action for _, action, _ in logged()] == ["change level", "give level", "leave level"]


def test_who_joined_lately_costs_the_worker_nothing(alice, drain_stream, measure):
    drain_stream()
    key = keys.user_settings(alice.user_id)
    change(UserSettings, key, [UserSettings.seen.set("2020-01-01")])
    with measure() as meter:
        drain_stream()
    assert not [call for call in meter.calls if call.operation == "BatchGetItem"]


def test_more_links_than_a_day_has_are_refused_and_the_text_stays(alice, admin, log_in):
    set_level(admin, links=3)
    browser = log_in(alice)
    two = "https://a.example and https://b.example"
    form = {"language": "en"}
    assert browser.post("/posts", form | {"content": two, "nonce": nonce()}).status_code == 302
    answer = browser.post("/posts", form | {"content": two, "nonce": nonce()})
    assert answer.status_code == 422
    html = Html(answer)
    assert two in html.one("textarea", name="content").text
    assert "You can post 3 links a day. You can post more from" in text_of(answer)
    assert "with 3 posts" in text_of(answer)
    without = form | {"content": "No link", "nonce": nonce()}
    assert browser.post("/posts", without).status_code == 302


def test_the_same_form_sent_twice_counts_once(alice, admin):
    set_level(admin, links=1)
    nonce = ids.new_id()
    sent = {publish_post(by=returning(alice), content="https://a.example", nonce=nonce)}
    sent.add(publish_post(by=returning(alice), content="https://a.example", nonce=nonce))
    assert len(sent) == 1


def test_an_edit_counts_the_links_that_it_adds(alice, admin):
    set_level(admin, links=2)
    by = returning(alice)
    post_id = publish_post(by=by, content="https://a.example", nonce=ids.new_id())
    edit_post(by=by, post_id=post_id, content="See https://a.example", version=1)
    edit_post(by=by, post_id=post_id, content="https://a.example https://b.example", version=2)
    with pytest.raises(LevelReached):
        edit_post(by=by, post_id=post_id, content="https://c.example " * 3, version=3)
    key = keys.post(alice.user_id, post_id)
    assert get(Post, key).content == "https://a.example https://b.example"


def test_mentions_are_limited_in_each_post(alice, admin):
    set_level(admin, mentions=1)
    by = returning(alice)
    publish_post(by=by, content="@bob", nonce=ids.new_id())
    with pytest.raises(LevelReached, match="refused"):
        publish_post(by=by, content="@bob @carol", nonce=ids.new_id())


def test_staff_and_other_levels_have_no_limit(alice, admin):
    set_level(admin, links=0)
    publish_post(by=returning(admin), content="https://a.example", nonce=ids.new_id())
    give_level(by=admin, user_id=alice.user_id, level=Level.REGULAR)
    publish_post(by=returning(alice), content="https://a.example", nonce=ids.new_id())


def test_staff_see_and_change_what_a_level_limits(admin, mod, alice, log_in):
    assert Client().get(PAGE).status_code == 404
    assert log_in(mod).get(PAGE).status_code == 404
    browser = log_in(admin)
    assert "You can post 10 links a day." in text_of(browser.get(PAGE))
    sent = {"links": "4", "photos": "", "mentions": "5", "name_en": "Newcomer", "name_de": "Neu"}
    assert browser.post(f"{PAGE}/new", sent).status_code == 302
    level = read_site_rules().level_of("new")
    assert (level.links, level.photos, level.mentions) == (4, None, 5)
    assert level.names == {"en": "Newcomer", "de": "Neu"}
    ((_, action, detail),) = logged()
    assert action == "change level"
    assert detail["links"] == ["10", "4"]
    wrong = browser.post(f"{PAGE}/new", sent | {"links": "-1"})
    assert wrong.status_code == 422
    assert "Newcomer" in wrong.content.decode()
    assert browser.get(f"{PAGE}/chief").status_code == 404
    assert "changed what a level limits" in text_of(browser.get("/moderation/log"))


def test_staff_give_a_level_on_the_page_of_a_person(alice, mod, admin, log_in):
    page = f"/moderation/people/{alice.user_id}"
    browser = log_in(mod)
    assert "Level: New" in text_of(browser.get(page))
    assert browser.post(f"{page}/level", {"level": "regular"}).status_code == 302
    assert stored(alice).level == Level.REGULAR
    assert browser.post(f"{page}/level", {"level": "chief"}).status_code == 302
    assert stored(alice).level == Level.REGULAR
    above = f"/moderation/people/{admin.user_id}/level"
    assert browser.post(above, {"level": "new"}).status_code == 403
    assert stored(admin).level_given is None


def test_a_person_sees_their_level_and_what_comes_next(alice, log_in):
    text = text_of(log_in(alice).get("/standing"))
    assert "Your level: New" in text
    assert "You can post 10 links a day." in text
    assert "you can have the level “Member”, with 3 posts" in text


def test_a_profile_shows_the_level_where_its_owner_wants_it(alice, bob, admin, log_in):
    give_level(by=admin, user_id=alice.user_id, level=Level.REGULAR)
    browser = log_in(bob)
    assert "Regular" not in text_of(browser.get("/@alice"))
    form = {"shows_level": "on", "topics": "on", "indexed": "on", "archived_before": ""}
    assert log_in(alice).post("/settings/privacy", form).status_code == 302
    assert "Regular" in Html(browser.get("/@alice")).one("header", id="profile").text


def test_friends_and_favourites_are_filtered_by_the_level_that_they_show(
    alice, bob, carol, admin, log_in, drain_stream
):
    show(bob)
    befriend(alice, bob)
    befriend(alice, carol)
    favourite(by=alice, user_id=bob.user_id)
    browser = log_in(alice)

    def found(level, of="friends"):
        address = f"/friends?show={of}&level={level}"
        return Html(browser.get(address)).handles()

    assert found("new") == ["bob"]
    assert found("new", "favourites") == ["bob"]
    give_level(by=admin, user_id=bob.user_id, level=Level.REGULAR)
    drain_stream()
    assert (found("new"), found("regular")) == ([], ["bob"])
    assert found("regular", "favourites") == ["bob"]
    assert found("nonsense") == found("")
    show(bob, shows=False)
    drain_stream()
    assert found("regular") == []


def test_a_copy_that_is_old_is_told_and_mended(alice, bob):
    show(bob)
    befriend(alice, bob)
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    change(Relation, key, [Relation.level.remove()])
    assert "relations copy what profiles say" in broken_invariants()
    call_command("reconcile")
    assert broken_invariants() == {}
    shown = list_relations(alice, RelationType.FRIEND, filters=Filters(level=Level.NEW))
    assert [card.person.handle for card in shown.items] == ["bob"]
