"""Reported posts that were not for everyone stay covered until a moderator asks, and the log says who looked."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from feed.posts.models import Post, Withheld
from moderation.cases.changes import begin_case
from moderation.cases.writes import reveal_evidence
from moderation.models import Queue
from socialsite.table import NotFound, change, ids, keys, transact
from tests.conftest import HTMX, post
from tests.moderation.cases import about, about_post, logged
from tests.moderation.queues import private_post, report
from tests.web.html import Html

SECRET = "Between friends"


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def private(bob, carol) -> str:
    """Bob's post for friends, which Carol reported."""
    return report(bob, by=[carol], post_id=private_post(bob, SECRET))


def looks(private: str) -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view private post"]


def test_it_is_covered(moderator, bob, private):
    for path in ("", f"/decide?action=hide&posts={private}"):
        page = moderator.get(f"{about(bob).url}{path}")
        assert page.status_code == 200
        assert SECRET not in page.content.decode()
    assert not logged()


def test_a_post_of_a_locked_archive_is_covered_too(moderator, bob, carol):
    post_id = post(bob, SECRET)
    lock = ids.last_id_before(datetime.now(UTC) + timedelta(hours=1))
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.archived_before.set(lock)])
    report(bob, by=[carol], post_id=post_id)
    assert SECRET not in moderator.get(about(bob).url).content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_shows_for_this_once_and_is_logged(moderator, bob, private, headers):
    shown = moderator.post(f"{about(bob).url}/reveal", headers=headers)
    assert shown.status_code == 200
    assert SECRET in Html(shown).one(id="evidence").text
    assert shown["Cache-Control"] == "no-store"
    assert looks(private) == [{"posts": [private]}]
    assert SECRET not in moderator.get(about(bob).url).content.decode()


def test_every_look_is_logged(moderator, bob, private):
    for _ in range(2):
        moderator.post(f"{about(bob).url}/reveal")
    assert len(looks(private)) == 2


def test_what_was_for_everyone_needs_no_looking(moderator, bob, carol):
    report(bob, by=[carol], text="For all")
    assert "For all" in moderator.get(about(bob).url).content.decode()
    assert moderator.post(f"{about(bob).url}/reveal").status_code == 404
    assert not logged()


def test_a_held_post_for_some_is_covered_too(moderator, bob):
    post_id = private_post(bob, SECRET)
    change(Post, keys.post(bob.user_id, post_id), [Post.withheld.set(Withheld.HELD)])
    case = about_post(post_id)
    transact(begin_case(case, person_id=bob.user_id, queue=Queue.HELD, severity=3))
    assert SECRET not in moderator.get(case.url).content.decode()
    assert SECRET in moderator.post(f"{case.url}/reveal").content.decode()
    assert looks(post_id) == [{"posts": [post_id]}]


def test_a_case_that_is_not_there_is_not_looked_into(mod, bob):
    with pytest.raises(NotFound):
        reveal_evidence(by=mod, case_id=about(bob), posts=["p"])
    assert not logged()


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_look_writes_four_units(mod, bob, private, requests_of):
    reveal_evidence(by=mod, case_id=about(bob), posts=[private])
    with requests_of() as requests:
        reveal_evidence(by=mod, case_id=about(bob), posts=[private])
    assert requests.operations == ["GetItem", "GetItem", "TransactWriteItems"]
    assert requests.units[-1] == 4
