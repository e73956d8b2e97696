"""What tests of moderation share with those of people."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from tests.accounts.conftest import limit
from tests.conftest import person
from tests.feed.conftest import requests_of

__all__ = ["limit", "requests_of"]


@pytest.fixture
def viewers(alice, bob, carol, admin, log_in) -> dict[str, Client]:
    """Kinds of people without the permission for cases, and one with it who asked for no address."""
    follow(by=carol, user_id=bob.user_id)
    save_role(by=admin, name="host", title="Host", permissions={Permission.SIGN_UPS})
    return {
        "visitor": Client(),
        "stranger": log_in(person("stranger")),
        "reporter": log_in(alice),
        "follower": log_in(carol),
        "author": log_in(bob),
        "staff for sign-ups": log_in(person("host", role="host")),
        "another moderator": log_in(admin),
    }


@pytest.fixture
def count_waiting(drain_stream) -> Callable[[], None]:
    """The worker plans to count what waits, and the clock counts it, for the last time in two minutes."""

    def done() -> None:
        drain_stream()
        do_due(utc_now() + timedelta(minutes=2, seconds=1))

    return done


@pytest.fixture
def moderator(mod, log_in) -> Client:
    """The browser of a moderator."""
    return log_in(mod)


@pytest.fixture
def mei(table) -> Viewer:
    """Another moderator."""
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def admins(admin, log_in) -> Client:
    return log_in(admin)
