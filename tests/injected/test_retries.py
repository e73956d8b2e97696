"""A throttled call is tried again until the page's time is up; any other fault gets one more try."""

import time

import pytest
from django.conf import settings

from accounts.models import UserCount
from socialsite import settings as socialsite
from socialsite.table import Unavailable, create, fetch, get, keys, resilience
from socialsite.table.connection import client
from tests.injected.clock import HurriedClock
from tests.injected.faults import (
    answer_too_late,
    fail_inside,
    leave_all_unprocessed,
    refuse_connection,
    throttle,
    time_out,
)
from tests.injected.hook import FOR_EVER, Fault, Hook
from tests.injected.site import build_site

THROTTLED = Fault("throttled", throttle)
UNPROCESSED = Fault("all unprocessed", leave_all_unprocessed)
TIMED_OUT = [Fault("timed out", time_out), Fault("answered too late", answer_too_late)]
OTHERS = [Fault("failed inside", fail_inside), Fault("connection refused", refuse_connection)]
LONG = 3  # seconds: a page's two, and a margin for the work itself


@pytest.fixture(autouse=True)
def count(table: str, clock: HurriedClock) -> None:
    create(UserCount.new(user_id="A"))


def read() -> None:
    get(UserCount, keys.user_count("A"))


def test_a_page_outlasts_a_moment_of_throttling(hook: Hook) -> None:
    with hook.armed(THROTTLED, times=5), resilience.within(2):
        read()
    assert len(hook.sent) == 6


def test_a_throttled_page_gives_up_when_its_time_is_up(hook: Hook, clock: HurriedClock) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), resilience.within(2), pytest.raises(Unavailable):
        read()
    assert 1 < clock.slept <= 2
    assert len(hook.sent) > 4


def test_the_time_is_that_of_the_whole_page_not_of_each_call(
    hook: Hook, clock: HurriedClock
) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), resilience.within(2):
        for _ in range(3):
            with pytest.raises(Unavailable):
                read()
    assert clock.slept <= 2


def test_keys_that_stay_unprocessed_take_of_the_same_time(hook: Hook, clock: HurriedClock) -> None:
    with hook.armed(UNPROCESSED, times=FOR_EVER), resilience.within(2):
        for _ in range(3):
            with pytest.raises(Unavailable):
                fetch([keys.user_count("A")])
    assert 1 < clock.slept < 3


def test_outside_a_page_a_throttled_call_is_tried_for_longer(
    hook: Hook, clock: HurriedClock
) -> None:
    with hook.armed(THROTTLED, times=FOR_EVER), pytest.raises(Unavailable):
        read()
    assert 4 < clock.slept <= resilience.LONGEST


@pytest.mark.parametrize("fault", [*OTHERS, *TIMED_OUT], ids=lambda fault: fault.name)
def test_any_other_fault_gets_one_more_try(hook: Hook, fault: Fault) -> None:
    with hook.armed(fault, times=1):
        read()
    assert len(hook.sent) == 2
    with hook.armed(fault, times=FOR_EVER), pytest.raises(Unavailable):
        read()
    assert len(hook.sent) == 2


@pytest.mark.parametrize("fault", OTHERS, ids=lambda fault: fault.name)
def test_a_web_process_repeats_what_failed_at_once(web_process: None, fault: Fault) -> None:
    with Hook().hooked(client()) as hook, hook.armed(fault, times=1):
        read()
        assert len(hook.sent) == 2


@pytest.mark.parametrize("fault", TIMED_OUT, ids=lambda fault: fault.name)
def test_a_web_process_does_not_wait_twice(web_process: None, fault: Fault) -> None:
    with Hook().hooked(client()) as hook, hook.armed(fault, times=1):
        with pytest.raises(Unavailable):
            read()
        assert len(hook.sent) == 1


def test_a_web_process_is_less_patient_than_others(web_process: None) -> None:
    config = client().meta.config
    assert config.read_timeout == config.connect_timeout == settings.DYNAMODB_WEB_SECONDS
    assert (socialsite.DYNAMODB_WEB_SECONDS, socialsite.DYNAMODB_SECONDS) == (
        0.9,
        1.8,
    )  # what people wait for


def test_a_page_that_is_throttled_for_ever_says_when_to_come_back(
    hook: Hook, clock: HurriedClock
) -> None:
    site = build_site()
    begun, slept = time.thread_time(), clock.slept
    with hook.armed(THROTTLED, times=FOR_EVER):
        answer = site.browser.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert time.thread_time() - begun + clock.slept - slept < LONG
    assert site.browser.get("/").status_code == 200
