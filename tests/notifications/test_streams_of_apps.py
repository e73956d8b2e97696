"""What a stream of an app asks and when, what of an answer is new, and what becomes of a reader who does not read."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from notifications.live import lists, streams
from notifications.live.asking import Answer, Asker, is_signed, signed
from notifications.live.streams import AT_ONCE, REGAINED_SECONDS, Stream, Streams
from socialsite.news import News
from socialsite.table import ids

NOW = 1_800_000_000.0


def item(seconds: float) -> dict[str, str]:
    """An item of that many seconds after NOW."""
    moment = datetime.fromtimestamp(NOW, UTC) + timedelta(seconds=seconds)
    return {"id": ids.first_id_at(moment)[:20] + ids.new_id()[-6:] + "0" * ids.LENGTH}


def page(*items):
    """As the site answers: the newest first."""
    return sorted(items, key=lambda one: one["id"], reverse=True)


def test_what_was_there_at_the_beginning_is_not_new_and_what_comes_late_is():
    home = lists.home(NOW, None)
    before, late, after = item(-30), item(-20), item(1)
    assert list(home.take(page(before))) == []
    home.end_at(NOW)
    assert list(home.take(page(before, late, after))) == [late, after]
    assert list(home.take(page(before, late, after))) == []


def test_a_list_is_asked_for_a_minute_more_than_it_needs():
    home, inbox = lists.home(NOW, None), lists.notifications(NOW, None)
    home.end_at(NOW)
    moment = ids.first_id_at(datetime.fromtimestamp(NOW - 60, UTC))
    assert home.query == f"/api/v1/timelines/home?min_id={moment}{'0' * 26}"
    assert inbox.query == f"/api/v1/notifications?min_id={moment[:10]}"


def test_a_full_page_goes_on_where_it_ended_and_so_does_one_on_which_all_is_hidden():
    home = lists.home(NOW, None)
    assert home.goes_on([{}] * 20, "further")
    assert home.query.endswith("min_id=further")
    assert home.goes_on([], "cursor")
    assert not home.goes_on([{}], "end")
    assert not home.goes_on([], "")
    assert "min_id=end" not in home.query


@pytest.mark.parametrize(
    ("said", "missed"),
    [("", None), ("x", None), ("-1", None), ("9" * 16, None), ("²", None)],
)
def test_a_last_event_that_is_none_begins_anew(said, missed):
    assert lists.resumed_at(said, NOW) is missed


def test_a_reader_who_comes_again_gets_ten_minutes_at_most():
    assert lists.resumed_at(str(int((NOW - 30) * 1000)), NOW) == NOW - 30
    assert lists.resumed_at("0", NOW) == NOW - lists.LATEST
    assert lists.resumed_at(str(int((NOW + 99) * 1000)), NOW) == NOW


def test_a_reader_who_comes_again_hears_of_what_was_on_its_way():
    home = lists.home(NOW, NOW - 30)
    known, on_its_way, missed = item(-50), item(-35), item(-5)
    assert list(home.take(page(known, on_its_way, missed))) == [on_its_way, missed]


def test_an_event_is_one_line_of_json_whatever_is_in_it():
    event = lists.as_event("update", {"content": "a\nb\r\n\u2028c"}, until=NOW)
    assert event.count(b"\n") == 4
    assert event.endswith(b"\n\n")
    assert lists.as_event("delete", "01AB", until=NOW).splitlines()[2] == b'data: "01AB"'


def stream() -> Stream:
    made = Stream("u", "s", "127.0.0.1", frozenset(), asker=Asker("t", "h", "", ""))
    made.lists = (lists.home(NOW, None),)
    made.counted_at = time.monotonic()
    return made


def test_a_few_questions_come_at_once_then_one_in_ten_seconds():
    one, asked, now = stream(), 0, time.monotonic()
    for second in range(60):
        one.due.add("home")
        asked += streams._may_ask(one, now + second)
    assert AT_ONCE <= asked <= AT_ONCE + 60 / REGAINED_SECONDS


def test_nothing_is_asked_while_nothing_is_due():
    assert not streams._may_ask(stream(), time.monotonic() + 60)


def test_a_reader_who_takes_nothing_is_cut(monkeypatch):
    monkeypatch.setattr(streams, "SEND_SECONDS", 0.05)

    async def stuck(message):
        await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        asyncio.run(streams.say(stuck, b":)\n\n"))


def test_a_question_is_signed_for_one_token_and_a_minute(monkeypatch):
    header = signed("alice.secret")
    assert is_signed(header, "alice.secret")
    assert not is_signed(header, "bob.secret")
    assert not is_signed("made:up", "alice.secret")
    assert not is_signed("", "")
    monkeypatch.setattr(time, "time", lambda: datetime.now(UTC).timestamp() + 120)
    assert not is_signed(header, "alice.secret")


class Site404:
    """A site on which nothing is to be seen."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def ask(self, path, asker):
        self.asked.append(path)
        return Answer(404, b"{}")


def test_a_flood_of_edits_is_five_questions_at_once_and_what_is_gone_is_heard_of_no_more():
    site, sent = Site404(), []

    async def send(message):
        sent.append(message)

    held = Streams(site)
    one = stream()
    held.readers.add(one, ago=0)
    posts = [item(number) for number in range(8)]
    held._note_posts(one, one.lists[0], posts)
    assert len(one.topics) == 8
    held.readers.hear((News.CHANGED, topic) for topic in one.topics)
    streams._take_news(one)
    asyncio.run(held._pass_on(one, send))
    assert len(site.asked) == len(sent) == 5
    assert len(one.changed) == len(one.topics) == 3
    asyncio.run(held._pass_on(one, send))
    assert (len(site.asked), one.changed, one.topics) == (8, set(), frozenset())


class SiteRefusing(Site404):
    async def ask(self, path, asker, *, is_counted=False):
        self.asked.append(asker.token)
        return Answer(401, b"{}")


def test_an_address_that_makes_tokens_up_asks_the_site_for_a_few_of_them():
    site, told = SiteRefusing(), []

    async def send(message):
        if message["type"] == "http.response.start":
            told.append(message["status"])

    async def try_all():
        held = Streams(site)
        for number in range(60):
            authorization = f"Bearer {ids.new_id()}.made-up-{number}".encode()
            scope = {
                "path": "/api/v1/streaming/user",
                "method": "GET",
                "query_string": b"",
                "headers": [(b"authorization", authorization)],
                "client": ("192.0.2.1", 1),
            }
            await held(scope, asyncio.Event().wait, send)

    asyncio.run(try_all())
    assert len(site.asked) == streams.MOST_REFUSED
    assert told == [401] * streams.MOST_REFUSED + [429] * (60 - streams.MOST_REFUSED)
