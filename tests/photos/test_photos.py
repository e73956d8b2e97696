"""Photos: sent, kept as files or in S3, and swept."""

import io
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from PIL import Image

from accounts.access.reads import list_signed_in
from accounts.models import UserInfo, UserSettings
from accounts.people.restrictions import FOR_EVER
from accounts.sessions import end_sign_in
from feed.publishing.changes import change_audience
from photos import reads, writes
from photos.checks import PhotoInvariants
from photos.files import (
    NAMES,
    PUBLIC,
    STORAGE,
    Place,
    copy_files,
    delete_files,
    read_file,
    save_files,
)
from photos.models import READY, Photo
from photos.reads import get_photos, list_album, picture_url, share_url
from photos.writes import (
    KEPT_UNUSED,
    NIGHTS,
    PhotoGone,
    attach,
    keep,
    make_public,
    private_place,
    sweep_photos,
    take_back,
)
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.pictures import decoding
from socialsite.pictures.limits import MOST_BYTES
from socialsite.streams.worker import bulk_load
from socialsite.table import Erase, Item, Unavailable, change, ids, keys, transact
from socialsite.table.reading import scan
from socialsite.web import limits
from tests.accounts.pictures import camera_jpeg, encode, halves, hollow_png
from tests.buckets import objects
from tests.conftest import HTMX
from tests.feed.scenes import post_photos
from tests.iam.test_iam import play_by_lambda
from tests.injected.faults import denied_bucket
from tests.looks import due_items
from tests.operations.commands.test_reconcile import applied
from tests.photos.conftest import files_in
from tests.privacy.lives import export_of
from tests.web.html import Html

HEIC = b"\x00\x00\x00\x18ftypheic" + bytes(40)


def send(browser, content: bytes | None = None, headers=None, **form):
    file = SimpleUploadedFile("me.jpg", camera_jpeg() if content is None else content)
    return browser.post("/photos", {"photo": file} | form, headers=headers)


def test_a_photo_is_made_anew_in_three_sizes_and_one_to_share(alice, upload, folder):
    photo = upload(alice, encode(halves((2400, 1200)), "JPEG", quality=95), description="Halves")
    assert (photo.width, photo.height, photo.state, photo.alt) == (1600, 800, READY, "Halves")
    sizes = {}
    for name in NAMES:
        image = Image.open(io.BytesIO(read_file("private", photo.secret, name)))
        sizes[name] = (image.format, image.size)
    assert sizes == {
        "1600.webp": ("WEBP", (1600, 800)),
        "share.jpg": ("JPEG", (1200, 600)),
        "960.webp": ("WEBP", (960, 480)),
        "480.webp": ("WEBP", (480, 240)),
    }
    assert len(photo.thumbhash) == 28
    assert photo.ttl > utc_now()


def test_it_stands_upright_and_says_nothing_about_its_camera_and_place(alice, upload):
    photo = upload(alice)
    assert (photo.width, photo.height) == (400, 600)
    for name in NAMES:
        content = read_file("private", photo.secret, name)
        image = Image.open(io.BytesIO(content))
        assert not image.getexif()
        assert not image.info.get("comment")
        assert b"SecretCam" not in content


def test_sent_again_with_the_same_id_it_is_the_same_photo(alice, log_in, folder):
    browser, photo_id = log_in(alice), ids.new_id()
    answers = [send(browser, photo_id=photo_id, headers=HTMX) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    for answer in answers:
        assert Html(answer).value("photo") == photo_id
    assert len(files_in(folder)) == len(NAMES) + 1


def test_a_different_file_never_takes_the_place_of_a_photo(alice, upload):
    photo_id = ids.new_id()
    first = upload(alice, photo_id=photo_id)
    before = read_file("private", first.secret, "480.webp")
    upload(alice, encode(halves((50, 50)), "PNG"), photo_id=photo_id)
    assert read_file("private", first.secret, "480.webp") == before


def test_a_sending_that_was_cut_off_goes_on_under_the_same_secret(alice, upload, monkeypatch):
    photo_id = ids.new_id()

    def fail(*_: object) -> None:
        raise Unavailable("the storage is gone")

    with monkeypatch.context() as broken:
        broken.setattr(writes, "save_files", fail)
        with pytest.raises(Unavailable):
            upload(alice, photo_id=photo_id)
    assert get_photos(alice, [photo_id]) == []
    photo = upload(alice, photo_id=photo_id)
    assert [one.secret for one in get_photos(alice, [photo_id])] == [photo.secret]
    assert read_file("private", photo.secret, "960.webp")


@pytest.mark.parametrize(
    "photo_id", ["", "x", "00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]
)
def test_an_id_that_no_browser_made_just_now_is_replaced(alice, upload, photo_id):
    assert upload(alice, photo_id=photo_id).photo_id != photo_id


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (HEIC, "HEIC"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "JPEG, PNG, WebP or GIF"),
        (camera_jpeg()[:600], "damaged"),
        (hollow_png(20_000, 20_000), "40 million"),
        (encode(Image.new("L", (1, 30)), "PNG"), "40 million"),
        (b"", "damaged"),
        (bytes(MOST_BYTES + 1), "larger than 20 MB"),
    ],
    ids=["heic", "svg", "cut off", "bomb", "too long", "empty", "too large"],
)
@pytest.mark.parametrize("headers", [None, HTMX], ids=["page", "htmx"])
def test_what_cannot_be_used_is_refused_with_a_sentence(
    alice, log_in, folder, content, sentence, headers
):
    answer = send(log_in(alice), content, headers=headers, description="my words")
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    if headers is None:
        assert "my words" in answer.content.decode()
    assert files_in(folder) == []


def test_no_file_is_refused_beside_the_field(alice, log_in):
    answer = log_in(alice).post("/photos", {"description": "words"})
    assert answer.status_code == 422
    assert "Choose a photo." in answer.content.decode()


def test_when_both_slots_are_taken_the_page_says_come_back(alice, log_in, folder, monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 0.0)
    with decoding.slot(), decoding.slot():
        answer = send(log_in(alice))
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert send(log_in(alice)).status_code == 302


def test_uploads_are_limited(alice, log_in, folder, monkeypatch):
    monkeypatch.setattr("photos.views.PHOTOS", limits.Limit("photos", 1, 10 * 365 * 86_400))
    browser = log_in(alice)
    assert send(browser).status_code == 302
    assert send(browser).status_code == 429


# Photos' files: everyone's at `/m/`, a viewer's own address at `/pm/`, and nothing in any other way.


def status(browser, url: str) -> int:
    return browser.get(url).status_code


def own(viewer, photo_id):
    (photo,) = get_photos(viewer, [photo_id])
    return photo


def shift_hours(monkeypatch, hours: int) -> None:
    real = reads.time.time
    monkeypatch.setattr(reads.time, "time", lambda: real() + hours * 3600)


def test_a_new_photo_is_shown_to_its_owner_alone(alice, bob, log_in, upload):
    photo = upload(alice)
    url = picture_url(photo.secret, 480, viewer_id=alice.user_id)
    answer = log_in(alice).get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp"
    assert answer["Cache-Control"].startswith("private, max-age=")
    assert "sandbox" in answer["Content-Security-Policy"]
    assert [status(browser, url) for browser in (log_in(bob), Client())] == [404, 404]
    assert status(log_in(alice), f"/m/{photo.secret}/480.webp") == 404


def test_a_signed_address_costs_one_call(alice, log_in, upload, measure):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser = log_in(alice)
    with measure() as measured:
        assert status(browser, url) == 200
    assert [call.operation for call in measured.calls] == ["BatchGetItem"]
    assert measured.read_units == 1.5


def signed_out(browser, viewer) -> None:
    browser.post("/logout")


def ended_elsewhere(browser, viewer) -> None:
    for one in list_signed_in(viewer).browsers:
        end_sign_in(by=viewer, secret_hash=one.secret_hash)


def suspended(browser, viewer) -> None:
    change(UserInfo, keys.user_info(viewer.user_id), [UserInfo.suspended_until.set(FOR_EVER)])


def closed(browser, viewer) -> None:
    close_account(by=viewer)


def renewed_password(browser, viewer) -> None:
    """All sign-ins of the account are of an earlier epoch now."""
    change(UserSettings, keys.user_settings(viewer.user_id), [UserSettings.epoch.set(7)])


@pytest.mark.parametrize("end", [signed_out, ended_elsewhere, suspended, closed, renewed_password])
def test_no_copy_of_a_cookie_opens_a_photo_once_its_sign_in_has_ended(alice, log_in, upload, end):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    assert status(thief, url) == 200
    end(browser, alice)
    assert status(thief, url) == 404


@pytest.mark.parametrize(
    "end",
    [lambda a, b: block(by=a, user_id=b.user_id), lambda a, b: block(by=b, user_id=a.user_id)],
    ids=["owner", "viewer"],
)
def test_a_block_ends_the_addresses_of_the_others_photos(alice, bob, log_in, upload, measure, end):
    photo = upload(alice)
    url = picture_url(photo.secret, 480, viewer_id=bob.user_id, owner_id=alice.user_id)
    hers = picture_url(photo.secret, 480, viewer_id=alice.user_id, owner_id=alice.user_id)
    browser = log_in(bob)
    with measure() as measured:
        assert status(browser, url) == 200
    assert [call.operation for call in measured.calls] == ["BatchGetItem"]
    assert measured.read_units <= 2  # DynamoDB Local counts nothing for what is not there
    end(alice, bob)
    assert status(browser, url) == 404
    assert status(browser, url.partition("&o=")[0]) == 404
    assert status(browser, f"{url.partition('&o=')[0]}&o={bob.user_id}") == 404
    assert status(log_in(alice), hers) == 200


def test_a_signed_address_dies_within_two_hours(alice, log_in, upload, monkeypatch):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    browser = log_in(alice)
    shift_hours(monkeypatch, 1)
    assert status(browser, url) == 200
    shift_hours(monkeypatch, 1)
    assert status(browser, url) == 404


@pytest.mark.parametrize(
    "change",
    [
        lambda url: url.replace("480", "960"),  # the signature is for the photo, in each size
        lambda url: url[:-1] + ("A" if url[-1] != "A" else "B"),
        lambda url: url.partition("?")[0],
        lambda url: url.replace("e=", "e=9"),
        lambda url: url.replace("480.webp", "481.webp"),
        lambda url: url.replace("480.webp", "..%2F..%2Fowners"),
    ],
    ids=["size", "signature", "none", "hour", "no such size", "path"],
)
def test_an_altered_address_shows_nothing_else(alice, log_in, upload, change):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    altered = change(url)
    assert status(log_in(alice), altered) == (200 if "960.webp" in altered else 404)


def test_for_everyone_there_is_a_copy_under_another_secret(alice, log_in, upload):
    photo = upload(alice)
    public = make_public(photo)
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id(), public_secret=public))
    answer = Client().get(picture_url(public, 960))
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "public, max-age=86400, immutable"
    assert "Vary" not in answer or "Cookie" not in answer["Vary"]
    assert Client().get(share_url(public))["Content-Type"] == "image/jpeg"
    assert public != photo.secret
    assert status(Client(), f"/m/{photo.secret}/960.webp") == 404
    assert status(log_in(alice), picture_url(public, 960, viewer_id=alice.user_id)) == 404


def test_taken_back_it_is_gone_and_never_comes_back_under_that_address(alice, upload, drain_stream):
    photo = upload(alice)
    first = make_public(photo)
    post_id = ids.new_id()
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=post_id, public_secret=first))
    transact(take_back(alice.user_id, photo.photo_id))
    drain_stream()
    assert status(Client(), picture_url(first, 480)) == 404
    second = make_public(own(alice, photo.photo_id))
    drain_stream()
    assert status(Client(), picture_url(second, 480)) == 200
    assert status(Client(), picture_url(first, 480)) == 404


def test_a_copy_for_a_post_that_never_came_is_deleted(alice, upload, folder, drain_stream):
    photo = upload(alice)
    public = make_public(photo)
    drain_stream()
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))
    drain_stream()
    assert status(Client(), picture_url(public, 480)) == 404
    assert [name for name in files_in(folder) if "public" in name] == []


def test_a_photo_is_attached_once_and_by_its_owner_alone(alice, bob, upload):
    photo = upload(alice)
    with pytest.raises(PhotoGone):
        transact(attach(by=bob, photo_id=photo.photo_id, post_id=ids.new_id()))
    transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))
    assert own(alice, photo.photo_id).ttl is None
    with pytest.raises(PhotoGone):
        transact(attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id()))


def test_a_public_copy_that_is_not_the_photos_is_not_attached(alice, upload):
    photo = upload(alice)
    make_public(photo)
    with pytest.raises(PhotoGone):
        transact(
            attach(by=alice, photo_id=photo.photo_id, post_id=ids.new_id(), public_secret="x" * 22)
        )


def test_htmx_does_not_get_a_picture_of_somebody_else(alice, bob, log_in, upload):
    url = picture_url(upload(alice).secret, 480, viewer_id=alice.user_id)
    assert log_in(bob).get(url, headers=HTMX).status_code == 404


# With a bucket for photos, files go there and come from there, through the site alone.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


def send_photo(browser, **form: str) -> None:
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    assert browser.post("/photos", {"photo": picture} | form).status_code == 302


@not_on_moto
def test_files_are_in_the_bucket_and_shown_through_the_site(alice, log_in, bucket):
    browser = log_in(alice)
    send_photo(browser)
    (photo,) = list_album(alice).items
    assert len(objects(bucket)) == len(NAMES) + 1
    url = picture_url(photo.secret, 480, viewer_id=alice.user_id)
    assert browser.get(url).status_code == 200
    public = make_public(photo)
    assert Client().get(picture_url(public, 960)).status_code == 200
    assert Client().get(picture_url("x" * 22, 960)).status_code == 404


@not_on_moto
def test_what_the_bucket_will_not_say_is_not_there(alice, log_in, bucket):
    send_photo(log_in(alice))
    (photo,) = list_album(alice).items
    public = make_public(photo)
    with denied_bucket(storages[STORAGE]):
        assert Client().get(picture_url(public, 960)).status_code == 404


@not_on_moto
@pytest.mark.parametrize("played_by", ["worker", "lambda", "command"])
def test_files_go_with_the_photo(alice, log_in, bucket, drain_stream, played_by):
    send_photo(log_in(alice))
    (photo,) = list_album(alice).items
    make_public(photo)
    transact(Erase(keys.photo(alice.user_id, photo.photo_id)))
    command = lambda: call_command("reconcile")  # noqa: E731
    {"worker": drain_stream, "lambda": play_by_lambda, "command": command}[played_by]()
    assert objects(bucket) == []


@not_on_moto
def test_files_of_a_photo_that_was_deleted_while_it_came_go_at_once(
    alice, log_in, bucket, monkeypatch
):
    photo_id = ids.new_id()
    save = writes.save_files

    def save_and_lose(place, files) -> None:
        save(place, files)
        transact(Erase(keys.photo(alice.user_id, photo_id)))

    monkeypatch.setattr(writes, "save_files", save_and_lose)
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    answer = log_in(alice).post("/photos", {"photo": picture, "photo_id": photo_id})
    assert answer.status_code == 404
    assert objects(bucket) == []
    assert get_photos(alice, [photo_id]) == []


@not_on_moto
def test_the_sweep_lists_the_bucket(alice, log_in, bucket, drain_stream):
    send_photo(log_in(alice))
    (photo,) = list_album(alice).items
    save_files(Place(alice.user_id, ids.new_id(), PUBLIC, "x" * 22), dict.fromkeys(NAMES, b"x"))
    transact(keep(photo, holder="draft"))
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert len(objects(bucket)) == len(NAMES) + 1


@not_on_moto
def test_an_audit_lists_the_bucket_and_an_export_reads_it(alice, log_in, bucket, drain_stream):
    browser = log_in(alice)
    send_photo(browser, description="The way home")
    (photo,) = list_album(alice).items
    drain_stream()
    call_command("audit")
    unpacked = export_of(alice, drain_stream, browser)
    (exported,) = unpacked.items("photos")
    assert exported["description"] == "The way home"
    assert unpacked.bytes(exported["file"]).startswith(b"RIFF")
    assert exported["file"] == f"media/photos/{photo.photo_id}.webp"


@not_on_moto
@pytest.mark.parametrize("played_by", ["worker", "lambda"])
def test_a_post_that_is_opened_gets_its_copy_in_the_bucket(alice, bucket, drain_stream, played_by):
    post_id = post_photos(alice, audience="friends")
    change_audience(by=alice, post_id=post_id, audience="")
    {"worker": drain_stream, "lambda": play_by_lambda}[played_by]()
    (photo,) = list_album(alice).items
    assert Client().get(picture_url(photo.public_secret, 960)).status_code == 200
    assert len(objects(bucket)) == 2 * (len(NAMES) + 1)


@not_on_moto
def test_a_reconcile_makes_the_copy_that_a_lost_record_left_out(alice, bucket):
    post_id = post_photos(alice, audience="friends")
    applied()
    with bulk_load():
        change_audience(by=alice, post_id=post_id, audience="")
    call_command("reconcile")
    (photo,) = list_album(alice).items
    assert photo.public_secret
    assert len(objects(bucket)) == 2 * (len(NAMES) + 1)


# No file stays without its photo, whatever was interrupted: the sweep, the expiry, the audit and the erasure.


def broken() -> list[str]:
    invariants = PhotoInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return [f"{name}: {one}" for name, found in invariants.results().items() for one in found]


def planned() -> int:
    return len(due_items("sweep-photos"))


def test_a_sweep_is_planned_once_a_night_before_any_file_is_written(alice, upload):
    upload(alice)
    make_public(upload(alice))
    assert planned() == 1
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert planned() == 0


def test_the_sweep_deletes_what_no_photo_names_and_nothing_else(alice, bob, upload, folder):
    photo = upload(alice)
    public = make_public(photo)
    other = upload(bob)
    kept = files_in(folder)
    lost = Place(alice.user_id, ids.new_id(), "private", "y" * 22)
    earlier = Place(alice.user_id, photo.photo_id, PUBLIC, "z" * 22)
    for place in (lost, earlier):
        save_files(place, dict.fromkeys(NAMES, b"x"))
    assert len(broken()) == 2
    assert sweep_photos(alice.user_id) == 2
    assert sweep_photos(alice.user_id) == 0
    assert files_in(folder) == kept
    assert {photo.secret, public, other.secret} <= {name.split("/")[1] for name in kept}
    assert broken() == []


def test_a_copy_that_was_interrupted_is_found(alice, upload, folder, drain_stream, monkeypatch):
    photo = upload(alice)

    def copy_for_a_photo_that_goes(source, target) -> None:
        copy_files(source, target)
        transact(Erase(keys.photo(alice.user_id, photo.photo_id)))
        drain_stream()
        save_files(target, dict.fromkeys(NAMES, b"late"))
        raise Unavailable("the process was killed")

    monkeypatch.setattr(writes, "copy_files", copy_for_a_photo_that_goes)
    with pytest.raises(Unavailable):
        make_public(photo)
    assert files_in(folder) != []
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert files_in(folder) == []


def test_the_audit_sees_missing_files_and_a_used_photo_that_would_expire(alice, upload):
    photo, used = upload(alice), upload(alice)
    transact(attach(by=alice, photo_id=used.photo_id, post_id=ids.new_id()))
    assert broken() == []
    delete_files(private_place(photo))
    change(Photo, used.key, [Photo.ttl.set(utc_now() + KEPT_UNUSED)])
    assert [one.partition(":")[0] for one in broken()] == [
        "every photo has its files",
        "a photo is in a post, or held by a draft, or expires",
    ]


def test_an_unused_photo_expires_with_its_files(alice, upload, folder, drain_stream):
    photo = upload(alice)
    change(Photo, photo.key, [Photo.ttl.set(utc_now() - timedelta(seconds=1))])
    assert get_photos(alice, [photo.photo_id]) == []
    transact(Erase(keys.photo(alice.user_id, photo.photo_id)))  # as DynamoDB does some time later
    drain_stream()
    assert files_in(folder) == []
