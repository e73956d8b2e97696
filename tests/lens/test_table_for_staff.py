"""Staff of a site in production see how the table is built, and nothing of what others wrote; each look is logged."""

import pytest

from accounts.permissions import BUILT_IN, Permission, save_role
from relations.follows.writes import follow
from relations.models import RelationType
from relations.own_choices.writes import favourite
from socialsite import keys
from tests.conftest import person, post
from tests.web.html import Html

SECRET = "Nobody but friends may read this"


@pytest.fixture
def looks(caplog):
    """The looks that the security log noted."""
    caplog.set_level("INFO", logger="security")
    return lambda: [record.fields for record in caplog.records if record.message == "table-browsed"]


def test_only_administrators_have_the_permission():
    assert [name for name, has in BUILT_IN.items() if Permission.LENS in has] == ["admin"]


def test_values_of_others_are_told_by_their_length_and_the_look_is_logged(
    admin, alice, log_in, looks
):
    post(alice, SECRET)
    answer = log_in(admin).get("/dev/table", {"pk": keys.posts(alice.user_id)})
    text = Html(answer).one(id="main").text
    assert SECRET not in answer.content.decode()
    assert f"{len(SECRET)} bytes" in text
    assert "content" in text
    (look,) = looks()
    assert look["account"] == admin.user_id
    assert look["partition"] == keys.posts(alice.user_id)


def test_own_values_are_shown_but_for_what_signs_in(admin, log_in):
    browser = log_in(admin)
    post(admin, SECRET)
    own = browser.get("/dev/table", {"pk": keys.posts(admin.user_id)})
    assert SECRET in own.content.decode()
    text = Html(browser.get("/dev/table", {"pk": keys.credentials(admin.user_id).pk})).one(
        id="main"
    )
    assert "argon2" not in text.text


def test_looks_at_an_index_are_masked_and_logged_too(admin, alice, bob, log_in, looks):
    favourite(by=alice, user_id=bob.user_id)
    target = keys.relation_target(RelationType.FAVOURITE, bob.user_id)
    page = Html(log_in(admin).get("/dev/table", {"pk": target, "index": "typeIndex"}))
    (item,) = page.all("article", class_="stored-item")
    assert "byte" in item.text
    assert [look["index"] for look in looks()] == ["typeIndex"]


def test_the_patterns_run_for_themselves_alone(admin, alice, log_in, looks):
    follow(by=admin, user_id=alice.user_id)
    post(alice, SECRET)
    page = Html(log_in(admin).get("/dev/patterns", {"handle": "alice"}))
    text = page.one(id="main").text
    assert f"u#{alice.user_id}#post" not in text
    assert f"u#{admin.user_id}#post" in text
    assert len(looks()) == 1


@pytest.mark.parametrize("address", ["/dev/table", "/dev/table/types/Post", "/dev/patterns"])
def test_for_everyone_else_there_is_no_such_page(address, alice, mod, client, log_in, looks):
    for browser in (client, log_in(alice), log_in(mod)):
        assert browser.get(address, {"pk": keys.user(alice.user_id)}).status_code == 404
    assert looks() == []


def test_which_accounts_share_a_network_takes_the_permission_for_that(admin, alice, log_in, looks):
    save_role(by=admin, name="lens", title="Lens", permissions={Permission.LENS})
    lena = log_in(person("lena", role="lens"))
    told = (
        keys.origin_traces(alice.user_id),
        keys.origins("net", "0" * 64),
        keys.domain_entries("0"),
    )
    for partition in told:
        assert lena.get("/dev/table", {"pk": partition}).status_code == 404
    assert looks() == []
    assert lena.get("/dev/table", {"pk": keys.posts(alice.user_id)}).status_code == 200
    assert log_in(admin).get("/dev/table", {"pk": told[0]}).status_code == 200


def test_developers_are_not_logged(client, alice, settings, looks):
    settings.DEBUG = True
    assert client.get("/dev/table", {"pk": keys.user(alice.user_id)}).status_code == 200
    assert looks() == []
