"""The lens shows of private messages what they are stored as, never what they say, and to nobody but their people."""

from datetime import timedelta

import pytest

from chats.models import Message
from lens.browser.item_types import item_types
from lens.sight import kept_of
from operations.workbench.exporting import export_model
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, keys, query
from socialsite.table.reading import scan
from tests.chats.scenes import accept, knows, texts, write
from tests.conftest import HTMX
from tests.streams.records import archived, expire, own_archive
from tests.web.html import Html

WORDS = "The key lies under the third flowerpot"


@pytest.fixture
def chat_id(alice, bob, drain_stream) -> str:
    write(alice, bob, WORDS)
    accept(bob, alice)
    write(bob, alice, WORDS)
    drain_stream()
    return keys.pair(alice.user_id, bob.user_id)


def partitions_of(chat_id: str, user_id: str) -> list[str]:
    return [
        keys.chat(chat_id).pk,
        keys.messages(chat_id),
        keys.chat_entries(user_id),
        keys.kept_messages(user_id),
    ]


@pytest.mark.usefixtures("developing")
def test_a_conversation_is_shown_with_keys_types_and_sizes_and_without_words(
    chat_id, alice, log_in
):
    browser = log_in(alice)
    for name in partitions_of(chat_id, alice.user_id):
        answer = browser.get("/dev/table", {"pk": name})
        assert answer.status_code == 200
        assert WORDS not in answer.content.decode()
    text = Html(browser.get("/dev/table", {"pk": keys.messages(chat_id)})).one(id="main").text
    assert "Message" in text
    assert "bytes)" in text


@pytest.mark.usefixtures("developing")
def test_the_chart_leads_to_the_viewers_own_conversation(chat_id, alice, carol, log_in):
    place = f"pk={keys.messages(chat_id).replace('#', '%23')}"
    assert place in log_in(alice).get("/dev/table").content.decode()
    assert place not in log_in(carol).get("/dev/table").content.decode()


@pytest.mark.usefixtures("developing")
def test_the_calls_of_sending_and_reading_have_no_words(chat_id, alice, bob, log_in):
    browser = log_in(alice)
    form = {"content": WORDS, "nonce": ids.new_id(), "to": bob.user_id}
    assert browser.post("/messages/@bob", form, headers=HTMX).status_code == 200
    browser.get("/messages/@bob")
    for sight in kept_of(alice.user_id):
        assert WORDS not in browser.get(f"/dev/lens/{sight.request_id}").content.decode()


@pytest.fixture
def opened(admin, log_in):
    browser = log_in(admin)
    browser.post("/dev/lens/open", {"on": "1"})
    return browser


def test_staff_do_not_see_who_writes_to_whom(chat_id, alice, opened):
    group = ids.new_id()
    hidden = [*partitions_of(chat_id, alice.user_id), keys.chat(group).pk, keys.messages(group)]
    for name in hidden:
        assert opened.get("/dev/table", {"pk": name}).status_code == 404, name
    bell = opened.get("/dev/table", {"pk": keys.user(alice.user_id)}).content.decode()
    assert chat_id not in bell


def test_staff_see_their_own_conversations(alice, admin, opened, drain_stream):
    knows(alice, admin)
    write(admin, alice, WORDS)
    drain_stream()
    chat_id = keys.pair(alice.user_id, admin.user_id)
    for name in (keys.messages(chat_id), keys.chat_entries(admin.user_id)):
        answer = opened.get("/dev/table", {"pk": name})
        assert answer.status_code == 200, name
        assert WORDS not in answer.content.decode()


# The example of time to live.


@pytest.mark.usefixtures("developing")
def test_the_page_about_time_to_live_begins_with_messages_of_the_viewer(chat_id, alice, log_in):
    page = log_in(alice).get("/dev/concepts/ttl").content.decode()
    assert keys.messages(chat_id) in page
    assert "get_new_messages" in page
    assert WORDS not in page


def test_a_message_is_gone_at_its_second_though_the_table_still_has_it(chat_id, alice, bob):
    past = [Message.ttl.set(utc_now() - timedelta(seconds=1))]
    first = next(iter(query(keys.messages(chat_id))))["message_id"]["S"]
    change(Message, keys.message(chat_id, first), past)
    assert len(list(query(keys.messages(chat_id), with_expired=True))) == 2
    assert texts(alice, bob) == texts(bob, alice) == [WORDS]


def test_the_archive_has_nothing_of_a_message_that_ended(alice, bob, settings, tmp_path):
    own_archive(settings, tmp_path)
    worker = Worker()
    worker.drain()
    chat_id, message_id = keys.pair(alice.user_id, bob.user_id), ids.new_id()
    past = utc_now() - timedelta(days=1)
    expire(
        Message.new(
            chat_id=chat_id, message_id=message_id, author_id=alice.user_id, ttl=past, body=b"x"
        )
    )
    worker.drain()
    assert archived() == []


# The model for NoSQL Workbench.


def test_the_model_has_a_facet_of_each_type_and_none_of_the_words(chat_id):
    (model,) = export_model(scan(), name="table", sample=20)["DataModel"]
    facets = {one["FacetName"]: one for one in model["TableFacets"]}
    for name in ("Chat", "ChatEntry", "Message"):
        sealed = {one.name for one in item_types()[name].attributes if one.is_sealed}
        assert facets[name]["TableData"], name
        assert not sealed & set(facets[name]["NonKeyAttributes"]), name
    assert WORDS not in str(model)
    assert "KeptMessage" not in facets
