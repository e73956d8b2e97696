"""A word that someone writes stands for its readers on the page of the conversation, and nowhere else in clear: not in
an item of the table, a log, a metric, a page for developers, a notification or a letter. The copy of a reported message
in its case is clear, for staff who look at it, which is logged: nothing else is, and not its partition's page."""

from collections.abc import Iterator

import pytest
from django.core import mail
from django.test import Client

from chats.groups.writes import found_group, name_group
from chats.kept import keep_message
from chats.models import KeptMessage, Message
from chats.own_entries.writes import save_chat_draft
from chats.reads import get_message
from chats.writes import delete_message
from moderation.models import MessageEvidence
from socialsite.process_state import reset_process_state
from socialsite.streams import traces
from socialsite.table import ids
from socialsite.table.reading import scan
from socialsite.web.pages import _counts, _state, generate_latest
from tests.chats.scenes import knows, texts, write
from tests.chats.test_groups import group_of, say
from tests.conftest import HTMX
from tests.moderation.test_reported_messages import reports
from tests.web.html import Html

WORD = "zanzibarmarker"
FOR_DEVELOPERS = ("/dev/table", "/dev/lens", "/dev/patterns", "/dev/mail", "/dev/workbench")


@pytest.fixture
def developing(settings, table) -> Iterator[None]:
    """A developer's process, which keeps what requests and the worker did."""
    settings.DEBUG = True
    traces.keep_traces()
    yield
    reset_process_state()


@pytest.fixture
def said(developing, alice, bob, carol, drain_stream, log_in, caplog) -> Client:
    """Alice wrote the word everywhere where one can: by a form, as a request, into a group and its name, in a draft, in
    what bob keeps, and in what she deleted. Her browser."""
    caplog.set_level("DEBUG")
    knows(bob, alice)
    client = log_in(alice)
    form = {"content": f"{WORD} 1", "nonce": ids.new_id(), "to": bob.user_id}
    assert client.post("/messages/@bob", form).status_code == 302
    kept = write(alice, bob, f"{WORD} 2").message
    message, card = get_message(bob, kept.chat_id, kept.message_id)
    keep_message(by=bob, message=message, body=card.body)
    gone = write(alice, bob, f"{WORD} 3").message
    delete_message(by=alice, chat_id=gone.chat_id, message_id=gone.message_id)
    save_chat_draft(by=alice, chat_id=kept.chat_id, text=f"{WORD} 4")
    found_group(by=alice, chat_id=ids.new_id(), title=f"{WORD} 7", invited=[carol.user_id])
    assert write(alice, carol, f"{WORD} 5").is_request
    group = group_of(alice, bob)
    name_group(by=alice, chat_id=group, title=f"{WORD} 6")
    say(alice, group, f"{WORD} 8")
    drain_stream()
    return client


def test_its_readers_read_it(said, alice, bob, log_in):
    assert texts(bob, alice) == [f"{WORD} 1", f"{WORD} 2", ""]
    assert WORD in Html(log_in(bob).get("/messages/@alice")).one("main").text


def test_no_item_of_the_table_says_it(said):
    raws = list(scan())
    assert {one["type"]["S"] for one in raws} >= {Message.__name__, KeptMessage.__name__}
    assert [one for one in raws if WORD.encode() in repr(one).encode()] == []


def test_no_log_and_no_metric_says_it(said, bob, log_in, caplog, drain_stream):
    for text in (f"{WORD} 9", WORD * 200):  # the second is too long
        form = {"content": text, "nonce": ids.new_id(), "to": bob.user_id}
        said.post("/messages/@bob", form)
    drain_stream()
    log_in(bob).get("/messages/@alice")
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    assert len(records) > 100
    assert not any(WORD in one.getMessage() or WORD in str(one.__dict__) for one in records)
    assert WORD not in caplog.text
    counted = generate_latest(_counts()) + generate_latest(_state())
    assert WORD not in counted.decode()


def test_no_page_for_developers_says_it(said, bob, log_in):
    log_in(bob).get("/messages/@alice")  # which the lens has seen
    partitions = sorted({one["PK"]["S"] for one in scan()})
    assert any(one.endswith("#message") for one in partitions)
    for partition in partitions:
        page = said.get("/dev/table", {"pk": partition})
        assert page.status_code == 200
        assert WORD not in page.content.decode(), partition
    for address in FOR_DEVELOPERS:
        page = said.get(address)
        assert page.status_code == 200
        assert WORD not in page.content.decode(), address
    sights = [
        one["href"] for one in Html(said.get("/dev/lens")).all("a") if "/dev/lens/" in one["href"]
    ]
    assert sights
    for address in sights:
        assert WORD not in said.get(address).content.decode(), address


def test_no_notification_and_no_letter_says_it(said, bob, carol, log_in):
    for one in (bob, carol):
        for address in ("/notifications", "/pulse", "/", "/settings/reports"):
            page = log_in(one).get(address, headers=HTMX if address == "/pulse" else {})
            assert page.status_code in (200, 204), address
            assert WORD not in page.content.decode(), address
    assert WORD not in "".join(str(letter.message()) for letter in mail.outbox)


def test_of_a_reported_message_only_the_evidence_says_it(alice, bob, admin, log_in, drain_stream):
    knows(bob, alice)
    said = write(alice, bob, WORD).message
    reports(bob, alice, said.message_id)
    drain_stream()
    clear = [one for one in scan() if WORD.encode() in repr(one).encode()]
    assert {one["type"]["S"] for one in clear} == {MessageEvidence.__name__}
    client = log_in(admin)
    for partition in {one["PK"]["S"] for one in clear}:
        page = client.get("/dev/table", {"pk": partition})
        assert page.status_code == 200
        assert WORD not in page.content.decode()
    for address in ("/notifications", "/moderation/queue", "/moderation/log"):
        page = client.get(address)
        assert page.status_code == 200
        assert WORD not in page.content.decode(), address
