"""The staff page of topics: the switch, the refused tags, the log, and who may decide."""

import pytest
from django.test import Client

from moderation.staff.writes import TooMany
from moderation.topics import writes
from socialsite.site_settings.models import RefusedTopic
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import write_batch
from tests.moderation.staff import logged
from tests.web.html import Html

PAGE, SHOW, ALLOW = "/moderation/topics", "/moderation/topics/show", "/moderation/topics/allow"


def test_topics_are_off_until_staff_turn_them_on_and_both_are_logged(admin, log_in):
    browser = log_in(admin)
    assert not read_site_rules().topics_shown
    for on in ("1", "1", "0"):
        assert browser.post(SHOW, {"on": on})["Location"] == PAGE
        assert read_site_rules().topics_shown == (on == "1")
    assert logged() == [
        (admin.user_id, "change settings", {"topics_shown": [False, True]}),
        (admin.user_id, "change settings", {"topics_shown": [True, False]}),
    ]
    assert browser.post(SHOW, {"on": "maybe"}).status_code == 400


def test_tags_are_refused_in_one_spelling_and_allowed_again(admin, log_in):
    browser = log_in(admin)
    assert browser.post(PAGE, {"tags": "#Bread\r\n\r\n bread\nＣats"})["Location"] == PAGE
    assert read_site_rules().refused_topics == {"bread", "cats"}
    button = Html(browser.get(PAGE)).all("button", formaction=ALLOW)[0]
    for _ in range(2):
        assert browser.post(ALLOW, {"tag": button["value"]}).status_code == 302
    assert read_site_rules().refused_topics == {"cats"}
    assert logged() == [
        (admin.user_id, "refuse topics", {"tags": ["bread", "cats"]}),
        (admin.user_id, "allow topic", {"tag": "bread"}),
    ]
    said = Html(browser.get("/moderation/log"))
    assert "refused tags as topics" in said.one("main").text


def test_to_refuse_again_changes_nothing(admin):
    for _ in range(2):
        writes.refuse_topics(by=admin, tags=["bread"])
    assert len(logged()) == 1


@pytest.mark.parametrize("lines", ["", "#", "two words", "12", "good\n@bob", "x" * 500])
def test_what_is_no_list_of_tags_is_said_and_stays(admin, log_in, lines):
    response = log_in(admin).post(PAGE, {"tags": lines})
    page = Html(response)
    assert response.status_code == 422
    assert page.error("tags")
    assert page.value("tags") == lines
    assert read_site_rules().refused_topics == frozenset()


def test_there_are_so_many_at_most(admin, log_in):
    most = writes.MOST_REFUSED
    write_batch(puts=[RefusedTopic.new(tag=f"t{number}") for number in range(most)])
    with pytest.raises(TooMany):
        writes.refuse_topics(by=admin, tags=["more"])
    assert "300" in Html(log_in(admin).post(PAGE, {"tags": "more"})).error("tags")


def test_nobody_else_finds_the_page_or_changes_anything(alice, mod, log_in):
    for browser in (Client(), log_in(alice), log_in(mod)):
        assert browser.get(PAGE).status_code == 404
        for address, form in ((PAGE, {"tags": "x"}), (SHOW, {"on": "1"}), (ALLOW, {"tag": "x"})):
            assert browser.post(address, form).status_code == 404
    assert read_site_rules().refused_topics == frozenset()
    assert not read_site_rules().topics_shown
