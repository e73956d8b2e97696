"""An engine that hangs: frozen in the middle of things, it takes connections and answers nothing."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.http import HttpResponse

from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.table import Item
from socialsite.table.schema import create_table
from tests.engines import PROJECT
from tests.injected.faults import conflict_everywhere
from tests.injected.hook import FOR_EVER, Fault, Hook
from tests.injected.site import Site, build_site
from tests.web.conftest import table_at

TRY = 0.9  # seconds of each of two tries
LONGEST = 5.0  # far more than both, on a machine that does other work, and far less than an engine that hangs


@pytest.fixture
def hanging(tmp_path: Path, table: str) -> Iterator[process.Engine]:
    """The table on an engine of its own, which may be frozen."""
    patience = settings.DYNAMODB_SECONDS
    settings.DYNAMODB_SECONDS = TRY
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    try:
        with table_at(engine.url):
            Item.Meta.table_name = table
            create_table()
            yield engine
    finally:
        engine.process.send_signal(signal.SIGCONT)
        process.stop(engine)
        settings.DYNAMODB_SECONDS = patience


@contextmanager
def frozen(engine: process.Engine) -> Iterator[None]:
    os.kill(engine.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(engine.process.pid, signal.SIGCONT)


def timed(site: Site, method: str, path: str, form: dict[str, str]) -> tuple[float, HttpResponse]:
    before = time.monotonic()
    answer = getattr(site.browser, method)(path, form)
    return time.monotonic() - before, answer


@pytest.mark.engines("embedded", reason="it freezes the embedded engine's process")
def test_a_hung_engine_is_answered_for_in_time_and_all_is_well_afterwards(
    hanging: process.Engine,
) -> None:
    site = build_site()
    asks = [
        ("get", "/", {}),
        ("get", "/readyz", {}),
        ("post", "/posts", {"content": "Hello", "nonce": site.nonce}),
    ]
    with frozen(hanging), ThreadPoolExecutor(len(asks)) as pool:
        answers = [pool.submit(timed, site, *ask) for ask in asks]
        results = [answer.result() for answer in answers]
    assert [answer.status_code for _, answer in results] == [503, 503, 503]
    assert all(int(answer["Retry-After"]) for _, answer in results)
    assert [timed(site, *ask)[1].status_code for ask in asks] == [200, 200, 302]
    assert site.posts_of_alice() == ["Hello"]
    assert max(took for took, _ in results) <= LONGEST


@pytest.mark.usefixtures("clock", "no_limits")
def test_a_write_that_others_keep_conflicting_with_is_a_503(hook: Hook) -> None:
    site = build_site()
    conflicts = Fault("conflict", conflict_everywhere, frozenset({"TransactWriteItems"}))
    with hook.armed(conflicts, times=FOR_EVER):
        answer = site.browser.post("/@carol/follow", {"on": "1"})
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert hook.injected == 6
    assert site.browser.post("/@carol/follow", {"on": "1"}).status_code == 302
