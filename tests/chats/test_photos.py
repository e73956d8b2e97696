"""Photos in private messages: sent with a message or alone, seen by its readers until it ends, and gone with it."""

import json
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.encryption.person_keys import _open
from chats.kept import list_kept
from chats.models import Message
from chats.photos.cards import photos_of, without_photos
from chats.photos.checks import MessagePhotoInvariants, clear_photos_of_gone_messages
from chats.writes import CannotWrite, delete_message, send_message, sending_keys
from feed.composing.composer import free_photos
from feed.publishing.photos import CannotAttach
from feed.publishing.writes import publish_post
from photos.checks import PhotoInvariants
from photos.models import Photo
from photos.reads import get_photos, picture_url
from photos.writes import PhotoInUse, keep, remove_photo
from relations.blocks.writes import block
from socialsite.streams.worker import Worker
from socialsite.table import Erase, Item, fetch, get, ids, keys, query, transact
from socialsite.table.reading import scan
from tests.accounts.pictures import camera_jpeg
from tests.chats.scenes import accept, knows, seen_by, texts, write
from tests.conftest import HTMX
from tests.feed.conftest import requests_of
from tests.feed.scenes import photo as photo_of
from tests.photos.conftest import files_in, folder, upload
from tests.privacy.conftest import exports_folder
from tests.privacy.lives import erase, export_of
from tests.web.html import Html

__all__ = ["exports_folder", "folder", "requests_of", "upload"]  # fixtures

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
ADDRESS = "/messages/@bob"


def photos_by_id(by, *photo_ids: str) -> list[Photo]:
    return get_photos(by, photo_ids)


def show(by, to, *photos: Photo, text: str = "", **said: str) -> Message:
    """Sends photos as the form of a page does."""
    message = write(by, to, text, photos=photos, descriptions=said).message
    assert message
    return message


def sent(browser: Client, to, text: str = "", headers=None, **form):
    """Posts the form of the conversation with bob."""
    typed = {"content": text, "nonce": ids.new_id(), "to": to.user_id} | form
    return browser.post(ADDRESS, typed, headers=headers)


def jpeg(name: str = "me.jpg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, camera_jpeg())


def status(browser: Client, url: str) -> int:
    return browser.get(url).status_code


def address_for(viewer, other, width: int = 480) -> str:
    """Returns the address of the first photo that a page shows to the viewer."""
    (photo, *_others) = seen_by(viewer, other).messages[-1].photos
    return photo._address(width)


@pytest.fixture
def friends(alice, bob) -> None:
    knows(bob, alice)
    knows(alice, bob)


# Sending


@pytest.mark.parametrize("headers", [None, HTMX], ids=["page", "htmx"])
def test_photos_are_sent_with_words_or_alone_and_described(
    alice, bob, log_in, upload, friends, headers
):
    first, second = upload(alice), upload(alice)
    named = {"photo": [first.photo_id, second.photo_id], "description": ["A lake", ""]}
    answer = sent(log_in(alice), bob, headers=headers, **named)
    assert answer.status_code == (200 if headers else 302)
    (message,) = seen_by(bob, alice).messages
    assert [one.alt for one in message.photos] == ["A lake", ""]
    assert message.text == ""
    page = Html(log_in(bob).get("/messages/@alice"))
    images = page.all("img", alt="A lake")
    assert images[0]["data-hash"] == first.thumbhash
    assert status(log_in(bob), images[0]["src"]) == 200


def test_without_a_script_files_come_with_the_message(alice, bob, log_in, folder, friends):
    browser = log_in(alice)
    assert Html(browser.get(ADDRESS)).all("form", enctype="multipart/form-data")
    files = {"photos": [jpeg("a.jpg"), jpeg("b.jpg")], "descriptions": ["One", "Two"]}
    assert sent(browser, bob, "Look", **files).status_code == 302
    (message,) = seen_by(bob, alice).messages
    assert (message.text, [one.alt for one in message.photos]) == ("Look", ["One", "Two"])


def test_what_was_chosen_stays_when_the_form_comes_back(alice, bob, log_in, folder, friends):
    browser, too_long = log_in(alice), "x" * 2_001
    files = {"photos": [jpeg()], "descriptions": ["A lake"]}
    refused = sent(browser, bob, too_long, **files)
    assert refused.status_code == 422
    page = Html(refused)
    assert "A lake" in refused.content.decode()
    again = {"photo": page.value("photo"), "description": "A lake"}
    assert sent(browser, bob, "Shorter", **again).status_code == 302
    assert [one.alt for one in seen_by(bob, alice).messages[0].photos] == ["A lake"]


def test_without_a_script_a_photo_is_taken_out_again(alice, bob, log_in, upload, friends):
    one, other = upload(alice), upload(alice)
    named = {"photo": [one.photo_id, other.photo_id], "description": ["", ""]}
    answer = sent(log_in(alice), bob, "Hi", arrange=f"remove {one.photo_id}", **named)
    assert answer.status_code == 200
    assert [
        tile["value"]
        for tile in Html(answer).all("input", name="photo")
        if "value" in tile.attributes
    ] == [other.photo_id]
    assert texts(bob, alice) == []


def test_a_message_has_words_or_photos_and_at_most_four(alice, bob, log_in, upload, friends):
    browser = log_in(alice)
    assert "Write something first." in sent(browser, bob).content.decode()
    five = [upload(alice).photo_id for _ in range(5)]
    answer = sent(browser, bob, photo=five)
    assert "A message has room for 4 photos." in answer.content.decode()
    assert texts(bob, alice) == []


def test_the_same_form_sends_its_photos_once(alice, bob, log_in, upload, friends):
    photo, nonce, browser = upload(alice), ids.new_id(), log_in(alice)
    for _ in range(2):
        assert sent(browser, bob, nonce=nonce, photo=photo.photo_id).status_code == 302
    for _ in range(2):  # files that come again, as a browser repeats them
        sent(browser, bob, "Files", nonce=nonce, photos=[jpeg()])
    assert [len(one.photos) for one in seen_by(bob, alice).messages] == [1, 1]


def test_two_windows_with_the_same_form_send_its_photos_once(alice, bob, upload, friends):
    photo, chat_id = upload(alice), keys.pair(alice.user_id, bob.user_id)
    write(alice, bob, "Before")
    asked = sending_keys(alice.user_id, chat_id)
    known = {**dict.fromkeys(asked), **fetch(asked, consistent=True)}  # as both windows read it
    form = {"text": "Look", "nonce": ids.new_id(), "photos": [photo], "known": known}
    assert send_message(by=alice, chat_id=chat_id, **form).message
    assert send_message(by=alice, chat_id=chat_id, **form).message is None
    assert texts(bob, alice) == ["Before", "Look"]


def test_a_photo_is_the_senders_and_in_one_message_or_post_alone(
    alice, bob, log_in, upload, friends
):
    photo, hers, drafted = upload(alice), upload(bob), upload(alice)
    transact(keep(drafted, holder="draft"))
    show(alice, bob, photo)
    (taken,) = photos_by_id(alice, photo.photo_id)
    for wrong in (taken, hers, drafted):
        with pytest.raises(CannotAttach):
            show(alice, bob, wrong)
    with pytest.raises(CannotAttach):
        publish_post(by=alice, content="Hi", photos=[photo.photo_id], nonce="n" * 22)
    assert free_photos(alice, [photo.photo_id]) == []
    (after,) = photos_by_id(alice, photo.photo_id)
    assert (after.public_secret, after.post_id) == (None, None)
    answer = sent(log_in(alice), bob, "Again", photo=photo.photo_id)
    assert answer.status_code == 422
    assert "A photo is no longer there" in answer.content.decode()
    assert len(seen_by(bob, alice).messages) == 1


# Storing


def test_what_a_photo_shows_is_sealed_and_stands_nowhere_else(alice, bob, upload, friends):
    photo = upload(alice, description="Secret words")
    message = show(alice, bob, photo, **{photo.photo_id: "Secret words"})
    raws = fetch([message.key, photo.key])
    assert photo.secret.encode() not in repr(raws[message.key]).encode()
    assert "Secret words" not in repr(raws)
    (stored,) = photos_by_id(alice, photo.photo_id)
    assert (stored.message_id, stored.ttl) == (message.message_id, get(Message, message.key).ttl)


@pytest.mark.parametrize("how", ["deleted", "expired"])
def test_a_photo_goes_with_its_message(alice, bob, upload, folder, drain_stream, friends, how):
    photo, other = upload(alice), upload(alice)
    message = show(alice, bob, photo)
    show(alice, bob, other)
    drain_stream()
    if how == "deleted":
        delete_message(by=alice, chat_id=message.chat_id, message_id=message.message_id)
    else:
        transact(Erase(message.key))
    drain_stream()
    assert photos_by_id(alice, photo.photo_id) == []
    private = {name.split("/")[1] for name in files_in(folder) if "private/" in name}
    assert private == {other.secret}


def test_an_address_stops_with_the_message_at_the_second(alice, bob, log_in, upload, friends):
    photo, browser = upload(alice), log_in(bob)
    message = show(alice, bob, photo)
    ends = int(message.ttl.timestamp())
    assert f"&u={ends}" in address_for(bob, alice)
    made = {"viewer_id": bob.user_id, "owner_id": alice.user_id}
    now = int(time.time())
    assert status(browser, picture_url(photo.secret, 480, **made, until=now)) == 404
    soon = picture_url(photo.secret, 480, **made, until=now + 60)
    kept_for = browser.get(soon)["Cache-Control"].split("max-age=")[1].split(",")[0]
    assert int(kept_for) <= 60
    for other in ("", f"&u={now + 99}", f"%20{now + 60}"):
        assert status(browser, soon.replace(f"&u={now + 60}", other)) == 404


# Reading


def test_nobody_else_opens_a_photo_nor_its_page(alice, bob, carol, log_in, upload, friends):
    message = show(alice, bob, upload(alice))
    url = address_for(bob, alice)
    page = f"/messages/@alice/{message.message_id}/photos/1"
    assert status(log_in(bob), url) == status(log_in(bob), page) == 200
    for browser in (log_in(carol), log_in(alice), Client()):
        assert status(browser, url) == 404
    assert status(log_in(carol), page) == 404
    assert status(Client(), page) == 302
    assert status(log_in(bob), page.replace("/1", "/2")) == 404


def test_a_block_acts_on_the_picture_at_once(alice, bob, log_in, upload, friends):
    message = show(alice, bob, upload(alice))
    url, browser = address_for(bob, alice), log_in(bob)
    block(by=alice, user_id=bob.user_id)
    assert status(browser, url) == 404
    assert status(browser, f"/messages/@alice/{message.message_id}/photos/1") == 404


def test_the_pages_of_photos_lead_to_each_other(alice, bob, log_in, upload, friends):
    one, two = upload(alice), upload(alice)
    message = show(alice, bob, one, two, **{two.photo_id: "The sea"})
    address, browser = f"/messages/@alice/{message.message_id}/photos", log_in(bob)
    page = Html(browser.get(f"{address}/1"))
    assert page.all("a", rel="next")[0]["href"] == f"{address}/2"
    assert "The sea" in browser.get(f"{address}/2").content.decode()
    viewer = Html(browser.get(f"{address}/1", headers=HTMX))
    assert [one["data-url"] for one in viewer.all("li")] == [f"{address}/1", f"{address}/2"]


def test_photos_of_a_request_are_hidden_until_it_is_accepted(alice, bob, log_in, upload):
    message = show(alice, bob, upload(alice), upload(alice), text="We met.")
    browser = log_in(bob)
    page = browser.get("/messages/@alice").content.decode()
    assert "2 photos, hidden until you accept" in page
    assert "/pm/" not in page
    assert status(browser, f"/messages/@alice/{message.message_id}/photos/1") == 404
    assert len(seen_by(alice, bob).messages[0].photos) == 2
    accept(bob, alice)
    assert len(seen_by(bob, alice).messages[0].photos) == 2


def test_word_filters_look_at_descriptions_of_first_words_too(alice, bob, upload, monkeypatch):
    monkeypatch.setattr(
        "socialsite.site_settings.site_rules.SiteRules.refusal",
        lambda _self, text, **_effects: "No." if "casino" in text else "",
        raising=False,
    )
    photo = upload(alice)
    with pytest.raises(CannotWrite):
        show(alice, bob, photo, **{photo.photo_id: "casino"})


def test_the_list_says_photo_in_short(alice, bob, log_in, upload, drain_stream, friends):
    show(alice, bob, upload(alice))
    drain_stream()
    (row,) = Html(log_in(bob).get("/messages")).all("a", class_="chat-row")
    assert "Photo" in row.text


def test_a_kept_message_keeps_the_words_and_says_that_there_were_photos(
    alice, bob, log_in, upload, friends
):
    photo = upload(alice)
    both, alone = show(alice, bob, photo, text="The lake"), show(alice, bob, upload(alice))
    browser = log_in(bob)
    assert browser.post(f"/messages/@alice/{both.message_id}/keep").status_code == 302
    assert browser.post(f"/messages/@alice/{alone.message_id}/keep").status_code == 404
    assert photo.secret not in without_photos(seen_by(bob, alice).messages[0].body)
    (kept,) = list_kept(bob).items
    assert (kept.text, kept.number_of_photos) == ("The lake", 1)
    assert "1 photo, which went with the message" in browser.get("/messages/kept").content.decode()


def test_photos_without_words_can_be_chosen_for_a_report(alice, bob, log_in, upload, friends):
    show(alice, bob, upload(alice), upload(alice))
    page = Html(log_in(bob).get("/messages/@alice/report"))
    assert "2 photos" in page.one("fieldset", id="id_messages").text


def test_evidence_finds_the_photos_of_an_unsealed_body(alice, bob, upload, friends):
    photo = upload(alice)
    show(alice, bob, photo, **{photo.photo_id: "The lake"})
    (found,) = photos_of(seen_by(bob, alice).messages[0].body)
    assert (found.photo_id, found.secret, found.alt) == (photo.photo_id, photo.secret, "The lake")
    assert photos_of("") == photos_of(json.dumps({"text": "Hi"})) == []


# The album, leaving, and what must hold


def test_the_album_says_that_a_message_has_it_and_it_stays_there(
    alice, bob, log_in, upload, friends
):
    photo, browser = upload(alice), log_in(alice)
    message = show(alice, bob, photo)
    page = browser.get("/photos").content.decode()
    assert "In a message until" in page
    assert f"/photos/{photo.photo_id}/delete" not in page
    answer = browser.post(f"/photos/{photo.photo_id}/delete")
    assert answer.status_code == 409
    assert "A message shows this photo." in answer.content.decode()
    assert (
        browser.post(f"/photos/{photo.photo_id}/description", {"description": "x"}).status_code
        == 409
    )
    with pytest.raises(PhotoInUse):
        remove_photo(by=alice, photo_id=photo.photo_id)
    assert len(seen_by(bob, alice).messages[0].photos) == 1
    assert message.photo_ids == {photo.photo_id}


def test_who_leaves_takes_their_photos_along(alice, bob, log_in, upload, folder, table, friends):
    photo, browser = upload(alice), log_in(bob)
    show(alice, bob, photo)
    url = address_for(bob, alice)
    assert status(browser, url) == 200
    worker = Worker()
    erase(alice, worker)
    worker.drain()
    assert get_photos(alice, [photo.photo_id]) == []
    assert files_in(folder) == []
    assert status(browser, url) == 404


def test_an_export_has_the_photos_of_own_messages(
    alice, bob, log_in, upload, drain_stream, friends
):
    photo = upload(alice)
    message = show(alice, bob, photo, **{photo.photo_id: "The lake"})
    unpacked = export_of(alice, drain_stream, log_in(alice))
    (record,) = unpacked.items("photos")
    assert (record["id"], record["message_id"]) == (photo.photo_id, message.message_id)
    assert record["file"] in unpacked.names
    assert unpacked.items("messages")[0]["photos"] == [
        {"id": photo.photo_id, "description": "The lake"}
    ]


def found_by(*invariants) -> list[str]:
    for raw in scan():
        for one in invariants:
            one.add(Item.from_raw_data(raw))
    return [place for one in invariants for wrong in one.results().values() for place in wrong]


def test_the_audit_finds_lost_and_orphaned_photos_and_reconcile_clears(
    alice, bob, upload, drain_stream, friends
):
    lost, orphan = upload(alice), upload(alice)
    show(alice, bob, lost)
    message = show(alice, bob, orphan)
    assert found_by(MessagePhotoInvariants(), PhotoInvariants()) == []
    drain_stream()
    transact(Erase(lost.key), Erase(message.key))  # and the records are lost
    assert found_by(MessagePhotoInvariants()) == [lost.photo_id, orphan.photo_id]
    raws = list(query(keys.photos(alice.user_id)))
    for _ in range(2):
        clear_photos_of_gone_messages(raws)
    assert photos_by_id(alice, orphan.photo_id) == []
    assert found_by(MessagePhotoInvariants()) == [lost.photo_id]


def test_reconcile_leaves_photos_of_messages_that_live(alice, bob, upload, friends):
    photo, unused = upload(alice), upload(alice)
    show(alice, bob, photo)
    clear_photos_of_gone_messages(list(query(keys.photos(alice.user_id))))
    assert len(photos_by_id(alice, photo.photo_id, unused.photo_id)) == 2


# What it costs


@capacity
def test_a_photo_is_one_read_call_and_two_units_more(alice, bob, log_in, requests_of, friends):
    write(alice, bob, "Before")
    browser, photo_ids = log_in(alice), [photo_of(alice), photo_of(alice)]
    _open.forget_all()
    with requests_of() as requests:
        assert sent(browser, bob, "Two", headers=HTMX, photo=photo_ids).status_code == 200
    assert requests.operations == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert requests.units[2] <= 8 + 2 * 2


@capacity
def test_a_conversation_of_fifty_messages_of_which_twenty_have_photos(
    alice, bob, log_in, requests_of, friends
):
    for number in range(50):
        photo = [photo_of(alice)] if number % 5 < 2 else []
        found = photos_by_id(alice, *photo)
        said = {one.photo_id: "The lake in the morning, with fog and two boats." for one in found}
        write(alice, bob, "As people write them. " * 5, photos=found, descriptions=said)
        transact(Erase(keys.chat_entry(alice.user_id, keys.pair(alice.user_id, bob.user_id))))
    browser = log_in(bob)
    _open.forget_all()
    with requests_of() as requests:
        page = Html(browser.get("/messages/@alice"))
    assert len(page.all("div", class_="bubble")) == 50
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert sum(requests.units) <= 12, requests.units
