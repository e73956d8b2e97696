"""Open conversations as `benchmarks.open_chats` plays them: they ask as the script says, and what arrives is timed."""

import asyncio
import time

import pytest

from benchmarks.open_pages import OpenPage, Seen, Site, pauses
from socialsite.table import ids
from tests.benchmarks.test_benchmarks import server

PAGE = "/messages/@bob"


def answer(body: str, status: str = "200 OK") -> list[bytes]:
    head = f"HTTP/1.1 {status}\r\n"
    return [f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()]


def asks(after: str) -> str:
    return f'<div hx-get="{PAGE}/news?with=x&amp;after={after}&amp;mark="></div>'


NOTHING = [b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"]


def test_a_page_asks_as_often_as_the_script_says():
    found = pauses()
    assert found[0] == 3
    assert found == sorted(found)
    assert found[-1] <= 60


def test_a_message_is_timed_when_it_comes_and_asked_behind_from_then_on():
    message_id, seen = ids.new_id(), Seen()
    came = answer(f'<li data-message="{message_id}"></li>{asks(message_id)}')
    with server(answer(asks("")), NOTHING, came, answer("")) as port:
        page = OpenPage(Site(port, connections=1), "c=1", "bob", ids.new_id())

        async def run() -> None:
            await page.open()
            await page._look(seen)
            assert seen.came == {}
            await page._look(seen)

        asyncio.run(run())
    assert list(seen.came) == [message_id]
    assert page._news.endswith(f"after={message_id}&mark=")
    assert (len(seen.looks), seen.refused, page._step) == (2, 0, 0)


def test_an_answer_that_says_busy_is_counted_and_no_message():
    seen = Seen()
    with server(answer(asks("")), answer("busy", "503 Service Unavailable")) as port:
        page = OpenPage(Site(port, connections=1), "c=1", "bob", ids.new_id())

        async def run() -> None:
            await page.open()
            await page._look(seen)

        asyncio.run(run())
    assert (seen.came, seen.refused) == ({}, 1)


def test_a_message_that_never_came_is_lost_if_there_was_time_for_it():
    now = time.perf_counter()
    seen = Seen(sent={"a": now, "b": now + 1, "c": now + 9}, came={"a": now + 2})
    assert seen.ages == [pytest.approx(2)]
    assert seen.lost(before=[(now, now + 5)]) == 1
