"""Photos of reported posts: covered until asked for, at addresses for one moderator, also in buckets."""

import time

import pytest
from django.core.management import call_command

from feed.posts.content_checks import Verdict
from feed.posts.models import Audience, Post, Withheld
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post
from feed.threads.writes import reply
from moderation.cases.changes import begin_case
from moderation.cases.effects import undo_action
from moderation.cases.photos import copy_url, name_of
from moderation.cases.writes import look_at_photo
from moderation.models import ActionKind, CasePhoto, Keeping, Queue
from photos import reads
from photos.files import EVIDENCE, PUBLIC, STORAGE
from socialsite.table import NotFound, change, get, ids, keys, transact, write_batch
from tests.buckets import objects
from tests.conftest import HTMX
from tests.feed.scenes import photo, post_photos
from tests.iam.test_iam import play_by_lambda
from tests.moderation.cases import (
    about,
    about_post,
    case_photos,
    contents,
    decide,
    files_in,
    give_pictures,
    info,
    logged,
    look,
    looks,
    opened,
    report,
    reported_photos,
    steps,
)
from tests.web.html import Html


def test_the_page_of_the_case_shows_covers_of_the_right_size_and_no_picture(
    moderator, alice, bob, drain_stream
):
    post_id = reported_photos(alice, bob, "The way home", "")
    drain_stream()
    page = moderator.get(about(bob).url)
    assert files_in(page) == []
    html = Html(page)
    covers = html.all("svg", class_="case-photo-cover")
    assert [(one["width"], one["height"]) for one in covers] == [("560", "420")] * 2
    assert all(one["data-hash"] for one in covers)
    words = [one.text for one in html.all("li", class_="case-photo")]
    assert "The way home" in words[0]
    assert "This photo has no description." in words[1]
    assert "Show photo 2 (this is logged)" in words[1]
    assert f'value="{post_id}"' in page.content.decode()
    assert not logged()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_photo_shows_for_this_once_and_is_logged(
    moderator, alice, bob, mod, drain_stream, headers
):
    post_id = reported_photos(alice, bob, "One", "Two")
    drain_stream()
    second = max(case_photos(), key=lambda one: one.number)
    answer = look(moderator, about(bob), second.photo_id, **headers)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    (address,) = files_in(answer)
    assert Html(answer).one("img", src=address)["alt"] == "Two"
    picture = moderator.get(address)
    assert b"".join(picture.streaming_content) == b"RIFF 960.webp"
    assert picture["Content-Type"] == "image/webp"
    assert picture["Cache-Control"].startswith("private, max-age=")
    assert picture["Content-Security-Policy"] == "default-src 'none'; sandbox"
    (entry,) = [one for one in logged() if one.action == "view photo"]
    assert entry.detail == {"posts": [post_id], "photo": second.photo_id}
    assert (entry.moderator_id, entry.person_id) == (mod.user_id, bob.user_id)
    assert files_in(moderator.get(about(bob).url)) == []


def test_every_look_is_logged_and_the_log_says_at_which_photo(
    moderator, admin, log_in, alice, bob, drain_stream
):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    for _ in range(2):
        look(moderator, about(bob), one.photo_id)
    assert len(looks()) == 2
    page = log_in(admin).get("/moderation/log")
    assert "viewed a photo by @bob" in Html(page).one("main").text
    assert one.photo_id in Html(page).one("main").text


def test_a_photo_of_a_deleted_post_can_still_be_judged(moderator, alice, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    address = opened(moderator, bob, drain_stream)
    assert moderator.get(address).status_code == 200
    assert moderator.get(about(bob).url).status_code == 200


def test_a_photo_of_a_hidden_post_can_still_be_judged(moderator, mod, alice, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    decide(mod, about(bob), ActionKind.HIDE, post_id)
    assert moderator.get(opened(moderator, bob, drain_stream)).status_code == 200


def test_nobody_else_can_ask_for_one(alice, bob, viewers, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    answers = {kind: look(browser, about(bob), one.photo_id) for kind, browser in viewers.items()}
    assert answers.pop("another moderator").status_code == 200
    assert {one.status_code for one in answers.values()} == {404}
    assert len(looks()) == 1


def test_moderators_cannot_open_photos_of_a_case_about_themselves(
    mod, moderator, alice, drain_stream
):
    reported_photos(alice, mod)
    drain_stream()
    (one,) = case_photos()
    assert look(moderator, about(mod), one.photo_id).status_code == 403
    address = copy_url(about(mod), name_of(one), viewer_id=mod.user_id)
    assert moderator.get(address).status_code == 403
    assert not looks()


def test_what_was_not_public_shows_nothing_of_its_photos_before_it_is_asked_for(
    moderator, alice, bob, drain_stream
):
    reported_photos(alice, bob, "The way home", audience=Audience.FRIENDS, content="")
    drain_stream()
    page = moderator.get(about(bob).url)
    assert "The way home" not in page.content.decode()
    assert "data-hash" not in Html(page).one("svg", class_="case-photo-cover").attributes
    assert "Not shown: this post was not public." in Html(page).one(id="evidence").text
    revealed = moderator.post(f"{about(bob).url}/reveal")
    assert "The way home" in revealed.content.decode()
    assert files_in(revealed) == []
    assert "Not shown" not in Html(revealed).one(id="evidence").text


def test_a_post_of_photos_alone_is_no_private_post(moderator, alice, bob, drain_stream):
    reported_photos(alice, bob, content="")
    drain_stream()
    page = Html(moderator.get(about(bob).url))
    assert "Not shown" not in page.one(id="evidence").text
    assert steps(page)
    (post,) = {one.post_id for one in case_photos()}
    choice = Html(moderator.get(f"{about(bob).url}/decide?action=hide&posts={post}"))
    assert "A post with photos" in [one.text for one in choice.all("span", dir="auto")]


@pytest.mark.parametrize(
    ("state", "says"), [(Keeping.COMING, "still making a copy"), (Keeping.GONE, "no copy")]
)
def test_the_page_says_why_there_is_no_picture(moderator, alice, bob, drain_stream, state, says):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    change(CasePhoto, one.key, [CasePhoto.state.set(state)])
    page = Html(moderator.get(about(bob).url))
    assert says in page.one("li", class_="case-photo").text
    assert not page.all("button", name="photo")
    assert look(moderator, about(bob), one.photo_id).status_code == 404
    assert not looks()


def test_photos_of_a_held_post_show_in_the_same_way(moderator, mod, bob, viewers):
    verdict = Verdict(withheld=Withheld.HELD)
    post_id = post_photos(bob, photo(bob, "The way home"), verdict=verdict)
    case = about_post(post_id)
    transact(begin_case(case, person_id=bob.user_id, queue=Queue.HELD, severity=3))
    page = moderator.get(case.url)
    assert files_in(page) == []
    assert "The way home" in page.content.decode()
    stored = get(Post, keys.post(bob.user_id, post_id)).photos[0]
    (address,) = files_in(look(moderator, case, stored.photo_id))
    assert address.startswith(f"/pm/{stored.secret}/960.webp?")
    assert moderator.get(address).status_code == 200
    assert {browser.get(address).status_code for browser in viewers.values()} == {404}
    assert looks() == [{"posts": [post_id], "photo": stored.photo_id}]


def test_a_photo_of_another_case_is_not_there(moderator, alice, bob, carol, drain_stream):
    reported_photos(alice, bob)
    report(alice, carol)
    drain_stream()
    (one,) = case_photos()
    assert look(moderator, about(carol), one.photo_id).status_code == 404
    assert look(moderator, about(bob), ids.new_id()).status_code == 404
    assert look(moderator, about(bob), "").status_code == 404
    assert not looks()


def test_a_case_that_is_not_there_is_not_looked_into(mod, bob):
    with pytest.raises(NotFound):
        look_at_photo(by=mod, case_id=about(bob), post_id="p", photo_id="ph")
    assert not logged()


def test_people_read_that_a_decision_is_about_a_post_of_photos(
    mod, alice, bob, log_in, drain_stream
):
    post_id = reported_photos(alice, bob, "One", "Two", content="")
    drain_stream()
    action_id = decide(mod, about(bob), ActionKind.HIDE, post_id, text="No")
    page = Html(log_in(bob).get(f"/standing/{action_id}")).one(id="strike").text
    assert "2 photos" in page
    assert "no longer exists" not in page


def test_photos_of_a_reported_reply_stay_and_those_of_what_it_answers_are_counted(
    moderator, alice, bob, carol, drain_stream
):
    root = post_photos(alice, photo(alice), photo(alice), content="")
    above = answer_with_photos(carol, alice, root, photo(carol, "Not this one"))
    post_id = answer_with_photos(bob, carol, above, photo(bob, "Ruder"))
    report(carol, bob, post_id)
    drain_stream()
    (one,) = case_photos()
    assert (one.post_id, one.state) == (post_id, Keeping.KEPT)
    page = Html(moderator.get(about(bob).url)).one(id="evidence").text
    for said in ("Ruder", "2 photos", "1 photo"):
        assert said in page
    for unsaid in ("Not shown", "Not this one"):
        assert unsaid not in page
    assert len(files_in(look(moderator, about(bob), one.photo_id))) == 1


def answer_with_photos(by, to, post_id: str, *photos: str) -> str:
    """A reply of photos alone."""
    where = Pointer(post_id, to.user_id)
    return reply(by=by, to=where, content="", nonce=ids.new_id(), photos=photos)


# The address of a copy works for one moderator, for a while, and no other address leads to it.


def test_an_address_works_for_the_moderator_who_asked_and_for_nobody_else(
    moderator, alice, bob, viewers, drain_stream
):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    assert moderator.get(address).status_code == 200
    answers = {kind: browser.get(address).status_code for kind, browser in viewers.items()}
    assert answers == dict.fromkeys(viewers, 404)


def test_no_address_of_photos_leads_to_a_copy(moderator, mod, alice, bob, viewers, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    signed = reads.signed_for(mod.user_id, one.secret)
    named = [
        f"/m/{one.secret}/960.webp",
        f"/pm/{one.secret}/960.webp?{signed}",
        f"/m/{bob.user_id}/{name_of(one)}.webp",
        f"/pm/{bob.user_id}/{name_of(one)}.webp?{signed}",
        f"{about(bob).url}/photo/file?n={name_of(one)}&{signed}",
        f"{about(bob).url}/photo/file?n={name_of(one)}",
    ]
    for browser in (moderator, *viewers.values()):
        assert [browser.get(address).status_code for address in named] == [404] * len(named)


@pytest.mark.parametrize("hours", [2, -1])
def test_an_address_works_for_two_hours(moderator, alice, bob, drain_stream, monkeypatch, hours):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    later = time.time() + hours * reads.HOUR
    monkeypatch.setattr(reads.time, "time", lambda: later)
    assert moderator.get(address).status_code == 404


def test_an_address_is_for_one_copy(moderator, alice, bob, drain_stream):
    reported_photos(alice, bob, "One", "Two")
    drain_stream()
    first, second = case_photos()
    (address,) = files_in(look(moderator, about(bob), first.photo_id))
    other = address.replace(name_of(first), name_of(second))
    assert other != address
    assert moderator.get(other).status_code == 404


def test_a_moderator_without_their_role_any_more_cannot_use_it(
    moderator, admin, mod, alice, bob, log_in, drain_stream
):
    reported_photos(alice, bob)
    address = opened(moderator, bob, drain_stream)
    log_in(admin).post("/moderation/roles/take", {"person": mod.user_id})
    assert moderator.get(address).status_code == 404


# With buckets, copies of reported photos and pictures go there and come from there, whoever plays the stream.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


def of(folder: str, bucket: str) -> list[str]:
    return [name for name in objects(bucket) if name.startswith(f"{folder}/")]


@pytest.fixture(params=["worker", "lambda", "command"])
def play(request, drain_stream):
    """Whatever plays the stream."""
    command = lambda: call_command("reconcile")  # noqa: E731
    return {"worker": drain_stream, "lambda": play_by_lambda, "command": command}[request.param]


@not_on_moto
def test_copies_are_in_the_bucket_and_shown_through_the_site(alice, bob, mod, log_in, bucket, play):
    reported_photos(alice, bob)
    play()
    (one,) = case_photos()
    assert of(EVIDENCE, bucket) == [f"{EVIDENCE}/{bob.user_id}/{name_of(one)}.webp"]
    browser = log_in(mod)
    page = Html(browser.post(f"{about(bob).url}/photo", {"photo": one.photo_id}))
    (picture,) = (img for img in page.all("img") if "photo/file" in img["src"])
    assert browser.get(picture["src"]).status_code == 200


@not_on_moto
def test_a_post_that_is_opened_again_gets_its_public_copies(alice, bucket, play):
    post_id = post_photos(alice, photo(alice), audience=Audience.ONLY_ME)
    play()
    change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)
    play()
    assert len(of(PUBLIC, bucket)) == 4


@not_on_moto
def test_pictures_go_from_one_bucket_into_the_other_and_back(
    alice, bob, mod, bucket, in_bucket, play
):
    media = in_bucket("default")
    give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.RESET)
    assert len(objects(media)) == 3
    play()
    assert (len(objects(media)), len(of(EVIDENCE, bucket))) == (0, 3)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    play()
    assert len(contents(info(bob).header)) == 2
    assert len(objects(media)) == 3


@not_on_moto
def test_an_undo_before_the_stream_is_played_copies_them_itself(alice, bob, mod, bucket, in_bucket):
    media = in_bucket("default")
    give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.RESET)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (len(objects(media)), len(of(EVIDENCE, bucket))) == (6, 3)


@not_on_moto
def test_copies_go_with_their_items(alice, bob, bucket, play):
    reported_photos(alice, bob)
    play()
    assert len(of(EVIDENCE, bucket)) == 1
    write_batch(deletes=[one.key for one in case_photos()])
    play()
    assert of(EVIDENCE, bucket) == []
