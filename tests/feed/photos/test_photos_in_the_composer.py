"""A form with photos: files and photos that were there before, four at most. What is refused keeps text and photos."""

import secrets

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from feed.composing.composer import take_photos
from feed.composing.forms import PartForm, PostForm, QuoteForm, ReplyForm
from feed.profiles.reads import list_posts
from feed.publishing.forms import POST_BYTES
from feed.publishing.writes import delete_post
from photos.reads import get_photos, list_album
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from tests.accounts.pictures import camera_jpeg
from tests.feed.photographs import photo, post_photos
from tests.kept import keep_site_rules
from tests.web.html import Html

pytestmark = pytest.mark.engines("embedded", reason="looks at forms, which no engine changes")


def file(name: str = "me.jpg", content: bytes = b"") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content or camera_jpeg())


@pytest.mark.parametrize("form", [PostForm, QuoteForm, ReplyForm, PartForm])
def test_the_bytes_of_a_text_are_counted_by_its_own_limit_and_not_by_that_of_a_photo(form):
    assert form.most_bytes == POST_BYTES < form.photo_bytes


def send(browser: Client, **form: object):
    form = {"nonce": secrets.token_urlsafe(16), "content": "Look"} | form
    return browser.post("/posts", form)


def newest(alice):
    return list_posts(alice.card, viewer=alice).items[0]


def tiles(answer) -> list[str]:
    return [tile.photo_id for tile in answer.context["form"].tiles]


def test_files_are_posted_in_their_order_with_their_descriptions(alice, log_in):
    answer = send(log_in(alice), photos=[file(), file()], descriptions=["One", "Two"])
    assert answer.status_code == 302
    assert [one.says for one in newest(alice).photos] == ["One", "Two"]


def test_photos_that_were_there_come_first_and_take_what_is_said_now(alice, log_in):
    one, other = photo(alice, "Before"), photo(alice, "Kept")
    send(
        log_in(alice),
        photo=[other, one],
        description=["Kept", "Now"],
        photos=[file()],
        descriptions=["New"],
    )
    assert [shown.says for shown in newest(alice).photos] == ["Kept", "Now", "New"]
    assert [shown.alt for shown in get_photos(alice, [one])] == ["Now"]


def test_a_photo_alone_is_a_post_and_nothing_at_all_is_none(alice, log_in):
    assert send(log_in(alice), content="", photo=[photo(alice)]).status_code == 302
    answer = send(log_in(alice), content="")
    assert answer.status_code == 422
    assert "Write something first." in answer.content.decode()


def test_a_fifth_photo_is_told_and_text_and_the_first_four_are_kept(alice, log_in):
    mine = [photo(alice) for _ in range(3)]
    answer = send(log_in(alice), photo=mine, photos=[file(), file()])
    assert answer.status_code == 422
    form = answer.context["form"]
    assert form.errors["photos"] == ["A post has room for 4 photos. We kept the first 4."]
    assert Html(answer).value("content") == "Look"
    assert tiles(answer)[:3] == mine
    assert len(tiles(answer)) == 4


def test_six_files_are_told_too_and_not_a_bad_request(alice, log_in):
    answer = send(log_in(alice), photos=[file() for _ in range(6)])
    assert answer.status_code == 422
    assert len(tiles(answer)) == 4


def test_files_stay_as_photos_when_something_else_is_refused(alice, log_in):
    answer = send(log_in(alice), content="x" * 1001, photos=[file()], descriptions=["One"])
    assert answer.status_code == 422
    (tile,) = answer.context["form"].tiles
    assert (tile.description, tile.error) == ("One", "")
    assert tile.preview_url.startswith("/pm/")
    assert [one.photo_id for one in list_album(alice).items] == [tile.photo_id]
    again = send(log_in(alice), photo=[tile.photo_id], description=["One"])
    assert again.status_code == 302


def test_a_file_that_is_no_photo_is_told_by_its_name_and_the_others_are_kept(alice, log_in):
    answer = send(log_in(alice), photos=[file("notes.txt", b"no picture"), file()])
    assert answer.status_code == 422
    assert answer.context["form"].errors["photos"][0].startswith("notes.txt: This isn’t a photo")
    assert len(tiles(answer)) == 1


def test_the_same_photo_twice_is_refused(alice, log_in):
    one = photo(alice)
    answer = send(log_in(alice), photo=[one, one])
    assert answer.status_code == 422
    assert tiles(answer) == [one]


def test_a_photo_of_someone_else_a_used_one_and_no_id_are_refused(alice, bob, log_in):
    used, free = photo(alice), photo(alice)
    post_photos(alice, used)
    for refused in (photo(bob), used, "../../etc", "0" * 26):
        answer = send(log_in(alice), photo=[free, refused])
        assert answer.status_code == 422, refused
        assert answer.context["form"].errors["photos"]
        assert tiles(answer) == [free]


def test_a_description_that_is_too_long_stays_and_says_so(alice, log_in):
    one = photo(alice, "Before")
    answer = send(log_in(alice), photo=[one], description=["x" * 2001])
    assert answer.status_code == 422
    (tile,) = answer.context["form"].tiles
    assert tile.description == "x" * 2001
    assert "2000" in tile.error
    assert get_photos(alice, [one])[0].alt == "Before"


def test_a_post_that_was_deleted_says_so_though_its_photos_are_gone(alice, log_in, drain_stream):
    one, nonce = photo(alice), secrets.token_urlsafe(16)
    send(log_in(alice), photo=[one], nonce=nonce)
    delete_post(by=alice, post_id=newest(alice).post_id)
    answer = send(log_in(alice), photo=[one], nonce=nonce)
    assert answer.status_code == 422


def test_word_filters_read_descriptions(alice, log_in):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "heron", Effect.REFUSE, "spam", ""),)))
    answer = send(log_in(alice), photo=[photo(alice)], description=["A heron"])
    assert answer.status_code == 422


def test_a_further_post_of_a_story_has_its_own_photos(alice, rf):
    one, other = photo(alice), photo(alice)
    form = PostForm(
        rf.post(
            "/", {"photo": [one], "2-photo": [other], "2-description": ["Two"], "2-content": "x"}
        ).POST,
        prefix="2",
    )
    take_photos(form, by=alice)
    assert [(tile.photo_id, tile.description) for tile in form.tiles] == [(other, "Two")]
