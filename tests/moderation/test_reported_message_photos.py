"""Photos of reported private messages: what the case keeps, who sees them, and what becomes of the copies."""

import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.people.viewer import Viewer
from chats.excerpts import Excerpt
from chats.models import Message
from chats.reads import MessageCard
from chats.writes import delete_message
from feed.publishing.writes import delete_post
from moderation.cases.chat_evidence import MOST_CHOSEN, MOST_KEPT, Chosen
from moderation.cases.erasure import let_case_end
from moderation.cases.photos import forget_copy, sweep_copies
from moderation.cases.reads import read_case
from moderation.models import CasePhoto, Keeping, MessageEvidence
from operations.reconcile import reconcile_page
from operations.workbench.exporting import export_model
from photos.files import delete_files, list_copies
from photos.models import Photo
from photos.reads import get_photos
from privacy.erasure.search import clear
from socialsite.clock import utc_now
from socialsite.table import Erase, change, ids, keys, query, transact
from socialsite.table.reading import scan
from socialsite.table.writing import TRANSACTION_LIMIT
from tests.chats.scenes import accept, texts, write
from tests.conftest import HTMX
from tests.feed.scenes import clock_at, photo, post_photos
from tests.moderation.cases import (
    about,
    broken,
    case_photos,
    copies,
    expire,
    files_in,
    logged,
    look,
    looks,
    opened,
    report,
    source_of,
    states,
)
from tests.moderation.test_evidence import case_in, exported
from tests.moderation.test_reported_messages import kept, know_each_other, reports
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

ALT = "A rude drawing"


def show(by: Viewer, to: Viewer, *descriptions: str, text: str = "") -> Message:
    """Sends a message with a photo for each description."""
    photos = get_photos(by, [photo(by) for _ in descriptions])
    said = {one.photo_id: alt for one, alt in zip(photos, descriptions, strict=True) if alt}
    message = write(by, to, text, photos=photos, descriptions=said).message
    assert message
    return message


def reported(alice: Viewer, bob: Viewer, *descriptions: str, text: str = "") -> Message:
    """A message of Bob's with photos, and Alice's report of it."""
    know_each_other(alice, bob)
    message = show(bob, alice, *descriptions or (ALT,), text=text)
    reports(alice, bob, message.message_id, rule_id="spam")
    return message


# What the case keeps


def test_photos_of_reported_messages_are_copied_and_those_beside_them_counted(
    alice, bob, drain_stream
):
    know_each_other(alice, bob)
    show(alice, bob, "Hers")
    show(bob, alice, "Not reported", text="Before")
    message = show(bob, alice, ALT, "", text="Look")
    reports(alice, bob, message.message_id)
    drain_stream()
    found = sorted(case_photos(), key=lambda one: one.number)
    assert [(one.message_id, one.alt, one.person_id) for one in found] == [
        (message.message_id, ALT, bob.user_id),
        (message.message_id, None, bob.user_id),
    ]
    assert [(one.post_id, one.width, one.height) for one in found] == [(None, 960, 720)] * 2
    assert (states(), copies(bob)) == ([Keeping.KEPT] * 2, 2)
    assert [(one.number_of_photos, one.reported) for one in kept(bob)] == [
        *((1, None), (1, None)),
        (2, "yes"),
    ]
    assert broken() == {}


def test_a_request_of_photos_alone_is_kept_though_its_reader_has_not_seen_them(
    alice, bob, drain_stream
):
    message = show(bob, alice, ALT)
    reports(alice, bob, message.message_id)
    drain_stream()
    assert (states(), copies(bob)) == ([Keeping.KEPT], 1)
    accept(alice, bob)
    assert broken() == {}


@pytest.mark.parametrize("how", ["deleted", "ended"])
def test_copies_outlive_the_message(moderator, alice, bob, drain_stream, how):
    message = reported(alice, bob)
    drain_stream()
    if how == "deleted":
        delete_message(by=bob, chat_id=message.chat_id, message_id=message.message_id)
    else:
        transact(Erase(message.key))  # as DynamoDB does after seven days
    drain_stream()
    assert get_photos(bob, [case_photos()[0].photo_id]) == []
    assert (states(), copies(bob)) == ([Keeping.KEPT], 1)
    with clock_at(utc_now() + timedelta(days=8)):
        assert texts(alice, bob) == []
        assert len(kept(bob)) == len(case_photos()) == 1
    assert moderator.get(opened(moderator, bob, drain_stream)).status_code == 200
    assert broken() == {}


def test_a_message_that_is_past_its_end_but_still_there_is_copied(alice, bob, drain_stream):
    message = reported(alice, bob)
    past = utc_now() - timedelta(minutes=1)
    for model, key in ((Message, message.key), (Photo, _photo_key(bob))):
        change(model, key, [model.ttl.set(past)])
    drain_stream()
    assert (states(), copies(bob)) == ([Keeping.KEPT], 1)


def test_of_a_photo_that_went_before_it_was_copied_the_case_says_so(
    moderator, alice, bob, drain_stream
):
    message = reported(alice, bob)
    (one,) = case_photos()
    transact(Erase(message.key), Erase(_photo_key(bob)))
    delete_files(source_of(one))
    drain_stream()
    assert (states(), copies(bob)) == ([Keeping.GONE], 0)
    page = Html(moderator.post(f"{about(bob).url}/messages")).one("li", class_="case-photo")
    assert "There is no copy of this photo" in page.text
    assert look(moderator, about(bob), one.photo_id).status_code == 404
    assert broken() == {}


def _photo_key(author: Viewer) -> Any:
    return keys.photo(author.user_id, case_photos()[0].photo_id)


def test_the_same_report_again_changes_nothing(alice, bob, carol, drain_stream):
    message = reported(alice, bob)
    drain_stream()
    version, before = int(read_case(about(bob)).version), case_photos()
    reports(alice, bob, message.message_id, rule_id="spam")
    assert int(read_case(about(bob)).version) == version
    assert [one.secret for one in case_photos()] == [one.secret for one in before]


def test_photos_of_a_message_that_was_reported_when_none_were_kept_join_it(
    alice, bob, drain_stream
):
    message = reported(alice, bob)
    write_off = [MessageEvidence.number_of_photos.remove()]
    change(MessageEvidence, kept(bob)[0].key, write_off)
    expire(bob)
    drain_stream()
    assert (case_photos(), copies(bob)) == ([], 0)
    reports(alice, bob, message.message_id, rule_id="spam")
    drain_stream()
    assert (states(), copies(bob), kept(bob)[0].number_of_photos) == ([Keeping.KEPT], 1, 1)
    assert read_case(about(bob)).reports == 1


@pytest.mark.parametrize(("messages", "photos"), [(20, 4), (19, 4), (20, 3), (1, 4), (5, 0)])
def test_a_report_is_one_transaction_however_many_photos_it_has(alice, bob, messages, photos):
    cards = [_card(alice, bob, number, photos) for number in range(60)]
    excerpt = Excerpt(SimpleNamespace(chat_id="chat"), cards, offered=cards)
    chosen = Chosen(excerpt, cards[5 : 2 * messages + 5 : 2])
    written = list(chosen.evidence(now="now"))
    assert len(written) <= TRANSACTION_LIMIT - 3  # case, report and trace
    said = [one for one in written if getattr(one, "model", None) is MessageEvidence]
    assert messages <= len(said) <= MOST_KEPT
    of_photos = sum(getattr(one, "model", None) is CasePhoto for one in written)
    assert of_photos == min(messages * photos, TRANSACTION_LIMIT - 4 - messages)
    assert (messages, photos) == (MOST_CHOSEN, 4) or of_photos == messages * photos


def _card(alice: Viewer, bob: Viewer, number: int, photos: int) -> MessageCard:
    enclosed = [
        {"photo_id": ids.new_id(), "secret": str(one), "width": 4, "height": 3, "thumbhash": ""}
        for one in range(photos)
    ]
    return MessageCard(
        ids.new_id(),
        bob.user_id,
        is_mine=False,
        ends=utc_now(),
        body=json.dumps({"text": str(number), "photos": enclosed}),
        number_of_photos=photos,
    )


def test_it_costs_what_it_says(alice, bob, measure):
    know_each_other(alice, bob)
    message = show(bob, alice, ALT, ALT)
    with measure() as spent:
        reports(alice, bob, message.message_id)
    assert spent.write_units == 7 + 2 + 2 * 2 + 2


# A browser chooses the ids of photos, so one that was deleted can come again, with another picture.


@pytest.mark.parametrize("place", ["post", "message"])
def test_a_photo_with_the_id_of_an_earlier_one_is_reported_like_any_other(
    moderator, alice, bob, drain_stream, monkeypatch, place
):
    know_each_other(alice, bob)
    first = show(bob, alice, ALT)
    (photo_id,) = first.photo_ids
    reports(alice, bob, first.message_id)
    drain_stream()
    delete_message(by=bob, chat_id=first.chat_id, message_id=first.message_id)
    drain_stream()
    monkeypatch.setattr("tests.feed.scenes.ids.new_id", lambda: photo_id)
    photo(bob, ALT)
    monkeypatch.undo()
    if place == "post":
        shown_in = post_photos(bob, photo_id)
        report(alice, bob, shown_in)
        delete_post(by=bob, post_id=shown_in)
    else:
        taken = get_photos(bob, [photo_id])
        again = write(bob, alice, "", photos=taken, descriptions={photo_id: ALT}).message
        shown_in = again.message_id
        reports(alice, bob, shown_in)
    drain_stream()
    names = {one.post_id or one.message_id: one for one in case_photos()}
    assert names.keys() == {first.message_id, shown_in}
    for of, one in names.items():
        form = {"photo": photo_id, "of": of}
        page = moderator.post(f"{about(bob).url}/photo", form)
        assert [one.secret in address for address in files_in(page)] == [True]
    assert broken() == {}


# What staff see


def test_nothing_of_a_photo_shows_before_the_moderator_asks(moderator, alice, bob, drain_stream):
    reported(alice, bob)
    drain_stream()
    page = moderator.get(about(bob).url)
    assert files_in(page) == []
    assert ALT not in page.content.decode()
    said = Html(page).one(id="said")
    assert "Not shown: this message was private." in said.text
    assert "data-hash" not in Html(page).one("svg", class_="case-photo-cover").attributes
    assert not logged()
    shown = moderator.post(f"{about(bob).url}/messages", headers=HTMX)
    assert ALT in shown.content.decode()
    assert files_in(shown) == []
    assert "data-hash" in Html(shown).one("svg", class_="case-photo-cover").attributes
    assert [entry.action for entry in logged()] == ["view messages"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_message_of_photos_alone_can_be_judged(moderator, mod, alice, bob, drain_stream, headers):
    reported(alice, bob, "One", ALT)
    drain_stream()
    second = max(case_photos(), key=lambda one: one.number)
    for turn in (1, 2):
        answer = look(moderator, about(bob), second.photo_id, **headers)
        assert answer["Cache-Control"] == "no-store"
        (address,) = files_in(answer)
        assert Html(answer).one("img", src=address)["alt"] == ALT
        assert looks() == [{"messages": 1, "photo": second.photo_id}] * turn
    picture = moderator.get(address)
    assert b"".join(picture.streaming_content) == b"RIFF 960.webp"
    assert picture["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert picture["Cache-Control"].startswith("private, max-age=")
    assert files_in(moderator.get(about(bob).url)) == []
    assert {(one.moderator_id, one.person_id) for one in logged()} == {(mod.user_id, bob.user_id)}


def test_photos_of_messages_beside_are_counted_and_not_there(moderator, alice, bob, drain_stream):
    know_each_other(alice, bob)
    show(alice, bob, "Hers", "Hers too")
    message = show(bob, alice, ALT)
    reports(alice, bob, message.message_id)
    drain_stream()
    shown = moderator.post(f"{about(bob).url}/messages")
    assert "2 photos, which are not part of this case" in Html(shown).one(id="said").text
    assert "Hers" not in shown.content.decode()
    assert len(Html(shown).all("li", class_="case-photo")) == 1
    assert "not part of this case" not in Html(moderator.get(about(bob).url)).one(id="said").text


def test_nobody_without_the_right_opens_a_photo(moderator, alice, bob, viewers, drain_stream):
    reported(alice, bob)
    address = opened(moderator, bob, drain_stream)
    assert moderator.get(address).status_code == 200
    (one,) = case_photos()
    before = len(looks())
    for kind, browser in viewers.items():
        assert browser.get(address).status_code == 404, kind
        if kind != "another moderator":
            assert look(browser, about(bob), one.photo_id).status_code == 404, kind
    assert len(looks()) == before


def test_the_reporter_reads_that_photos_go_along(alice, bob, log_in):
    know_each_other(alice, bob)
    message = show(bob, alice, ALT)
    browser, address = log_in(alice), f"/messages/@{bob.handle}/report"
    page = Html(browser.get(address)).one("form", class_="report").text
    assert "the messages that you choose with their photos" in page
    form = {"messages": [message.message_id], "reason": "spam", "comment": ""}
    assert browser.post(address, form).status_code == 302
    assert len(case_photos()) == 1


# What becomes of the copies


def test_the_zip_holds_them_and_the_log_says_so(mod, alice, bob, drain_stream):
    message = reported(alice, bob)
    drain_stream()
    files = exported(mod, about(bob))
    case, (one,) = case_in(files), case_photos()
    name = f"photos/{message.message_id}-1-{one.version}.webp"
    assert (case["photos"], case["photos_missing"]) == ([name], [])
    assert files[name] == b"RIFF 960.webp"
    assert case["items"]["CasePhoto"][0]["alt"] == ALT
    (entry,) = [entry.detail for entry in logged() if entry.action == "export case"]
    assert (entry["messages"], entry["photos"]) == (1, 1)


def test_they_go_with_the_case_of_an_erased_person_and_not_before(alice, bob, drain_stream):
    reported(alice, bob)
    drain_stream()
    let_case_end(about(bob), until=utc_now() + timedelta(days=180))
    assert all(one.ttl for one in case_photos())
    transact(*(Erase(one.key) for one in (*kept(bob), *case_photos())))
    drain_stream()
    assert list_copies(bob.user_id) == []


def test_the_search_for_the_erased_leaves_them_to_the_term(alice, bob, drain_stream):
    reported(alice, bob)
    drain_stream()
    rows = list(query(about(bob).key.pk, between=keys.case_bounds(), consistent=True))
    photos = [raw for raw in rows if raw["type"]["S"] == CasePhoto.__name__]
    assert [clear(raw, [bob.user_id, alice.user_id]) for raw in photos] == [False]
    assert not any(alice.user_id in str(raw) for raw in photos)
    assert (states(), copies(bob)) == ([Keeping.KEPT], 1)


def test_the_worker_may_hear_of_it_twice(alice, bob):
    reported(alice, bob)
    records = unread()
    handle_all(records)
    done, files = everything(), list_copies(bob.user_id)
    handle_all(records)
    assert (everything(), list_copies(bob.user_id)) == (done, files)
    assert len(files) == 1
    expire(bob)
    removals = unread()
    for again in (removals, records, removals):
        handle_all(again)
    assert copies(bob) == 0


def test_a_copy_whose_record_was_lost_is_made_when_the_table_is_mended(alice, bob):
    reported(alice, bob)
    for _ in range(2):
        list(reconcile_page(list(scan()), begun="2026"))
    assert (states(), copies(bob), sweep_copies(bob.user_id)) == ([Keeping.KEPT], 1, 0)


def test_the_audit_sees_a_missing_copy_and_a_photo_without_its_message(alice, bob, drain_stream):
    reported(alice, bob)
    drain_stream()
    forget_copy(case_photos()[0])
    transact(Erase(kept(bob)[0].key))
    assert sorted(broken()) == [
        "every reported photo belongs to a post, a message or a profile that was kept",
        "every reported photo that was kept has its file",
    ]


def test_no_model_for_workbench_says_what_is_on_them(alice, bob):
    reported(alice, bob)
    report(alice, bob, post_photos(bob, photo(bob, "Of a post")))
    model = json.dumps(export_model(scan(), name="site", sample=100, tell=print), default=str)
    assert ALT not in model
    assert "Of a post" in model
