"""A worker that does nothing, though its process runs, is started anew; one that is only busy is not."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from operations.serving.standing import ASK_EVERY, PATIENCE, Standing
from tests.faults.processes import wait_until
from tests.operations.serving.served import served

pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(400),
]
HANGING = Path(__file__).parent / "hanging"


def told(*, worker: bool = True, clock: bool = True, **more: Any) -> dict[str, Any]:
    return {"worker": {"working": worker}, "clock": {"working": clock}, **more}


@pytest.mark.parametrize("part", PATIENCE)
def test_a_part_that_does_nothing_for_long_hangs_and_is_told_once(part: str) -> None:
    standing, silent = Standing(), told(**{part: False})
    assert not standing.hangs(silent, 0)
    assert not standing.hangs(silent, PATIENCE[part] - 1)
    assert standing.hangs(silent, PATIENCE[part])
    assert not standing.hangs(silent, PATIENCE[part] + 1)


@pytest.mark.parametrize(
    "between",
    [told(), {}, told(worker=False, disk="full")],
    ids=["it works again", "no answer", "a full disk"],
)
def test_what_was_no_silence_in_between_ends_the_count(between: dict[str, Any]) -> None:
    standing, silent = Standing(), told(worker=False)
    assert not standing.hangs(silent, 0)
    assert not standing.hangs(between, 50)
    assert not standing.hangs(silent, 90)


def test_the_site_is_asked_now_and_then() -> None:
    standing = Standing()
    asked = [now for now in range(100) if standing.is_time(now)]
    assert asked == [0, int(ASK_EVERY), int(2 * ASK_EVERY), int(3 * ASK_EVERY)]


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signal")
def test_a_worker_that_hangs_is_ended_and_started_anew_and_what_waited_is_done(
    tmp_path: Path,
) -> None:
    with served(tmp_path, NGINX="0", PYTHONPATH=str(HANGING)) as site:
        browser = site.browser()
        browser.sign_up("alice")
        before = site.child(b"run_worker")
        os.kill(before, signal.SIGUSR1)
        browser.say("While nobody worked")
        wait_until(lambda: site.child(b"run_worker") not in (0, before), seconds=200)
        assert "The stream worker does nothing; it is started again." in site.output
        wait_until(lambda: "While nobody worked" in site.browser().get("/local"), seconds=60)
        wait_until(lambda: '"working": true' in browser.get("/readyz"), seconds=60)
