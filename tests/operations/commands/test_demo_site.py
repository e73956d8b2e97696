"""A demo site is whole: `manage.py seed` fills it once, for these tests to look at before and after the worker came."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from feed.timelines.local import list_public
from moderation.cases.lists import list_cases
from moderation.models import Queue
from operations.demo.content import reports
from operations.seed.beside_posts import PASSWORD
from socialsite import keys
from socialsite.storages import FOLDER
from socialsite.streams.worker import Worker
from tests.accounts.scenes import check_credentials
from tests.conftest import post
from tests.looks import broken_invariants
from tests.prepared import Prepared
from tests.tables import RunningEngine, empty_table


@pytest.fixture(scope="module")
def site(
    running_engine: RunningEngine, prepared: Prepared, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SimpleNamespace]:
    """What was to see when it was seeded, when a worker had played that, and when somebody liked a post then."""
    folder = tmp_path_factory.mktemp("laptop")
    with empty_table(running_engine, prepared), laptop(folder):
        call_command("seed", people=50, posts=60, follows=2, stdout=(said := StringIO()))
        alice, bob = sign_up_of("alice"), sign_up_of("bob")
        seeded = SimpleNamespace(
            said=said.getvalue(),
            broken=broken_invariants(),
            timeline=get_timeline(alice).items,
            public=list_public().items,
            cases=list_cases(keys.queue(Queue.REPORTS)).items,
        )
        worker = Worker()
        worker.drain()
        played = broken_invariants()
        like_post(by=alice, post_id=post(bob), author_id=bob.user_id)
        worker.drain()
        yield SimpleNamespace(seeded=seeded, played=played, liked=broken_invariants())


def laptop(folder: Path) -> override_settings:
    photos = {"BACKEND": FOLDER, "OPTIONS": {"location": folder / "photos"}}
    return override_settings(
        DEBUG=True,
        DATA_DIR=folder,
        MEDIA_ROOT=folder,
        STORAGES=settings.STORAGES | {"photos": photos},
    )


def sign_up_of(handle: str) -> Viewer:
    user_id = find_user_by_handle(handle)
    return Viewer(user_id, "", get_user_info(user_id))


def test_demo_data_holds_all_invariants_and_can_be_signed_in_to(site):
    assert "alice" in site.seeded.said
    assert site.seeded.broken == {}
    call_command("audit")
    assert check_credentials(account="alice", password=PASSWORD)


def test_demo_data_fills_timelines_and_the_local_timeline(site):
    assert site.seeded.timeline
    assert site.seeded.public


def test_the_worker_does_not_count_demo_data_again_and_goes_on_from_there(site):
    assert site.played == {}
    assert site.liked == {}


def test_moderators_find_a_queue_with_something_in_it(site):
    cases = site.seeded.cases
    assert [case.urgency for case in cases] == sorted(case.urgency for case in cases)
    assert {case.reports for case in cases} == {report.reporters for report in reports()}
