"""Pictures that nobody may upload are known by their hashes: exactly, or as good as the same."""

import io
import random
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageEnhance, ImageOps

from accounts.people.cards import Kind
from accounts.profile.writes import BadImage, change_pictures
from photos.models import Photo
from photos.writes import upload_photo
from socialsite.blocked_pictures.models import BlockedBand, BlockedPicture
from socialsite.blocked_pictures.reads import Hashes, HashKind, bands_of, is_blocked, list_blocked
from socialsite.blocked_pictures.stream import settle
from socialsite.blocked_pictures.writes import blocked, let_go
from socialsite.pictures.decoding import BLOCKED, PictureRefused, make_pictures
from socialsite.pictures.pdq import NEAR, distance, pdq
from socialsite.table import as_model, fetch, transact
from socialsite.table.reading import scan
from tests.looks import broken_invariants

PHOTOS = Path("operations/demo/data/photos")
# As the authors' own program makes them of these files (pdqhash 0.2.8).
REFERENCE = {
    "bicycle": "6c332ce192cc7bcc79ce99b1c631c64b3999b1eec4e4399bc719c42543393ac5",
    "lake": "d0da372337334ceccdecf09370931670846ee1ee3d113d11965ad2dae0e6e0e6",
    "night": "989826e2e5959c6073188ce633f087f0e5f2a3b8ccee731c9cc62ca733199ce7",
    "sea": "e3981c66e38dc6391cc67139c60e38f131cec71e1c7671f1c71e8c7171c9638e",
    "town": "16a1c78bbd6b6576d20946d6d4d6dab65304adfd2d292d692d294d6850d4d296",
}


def picture(name: str = "lake") -> Image.Image:
    return Image.open(PHOTOS / f"{name}.jpg").convert("RGB")


def as_file(image: Image.Image, **how) -> SimpleUploadedFile:
    out = io.BytesIO()
    image.save(out, "JPEG", **({"quality": 90} | how))
    return SimpleUploadedFile("me.jpg", out.getvalue())


def block(kind: HashKind, value: str, holder: str = "list a") -> None:
    transact(blocked(kind, value, holder=holder))


def items(model: type) -> list[dict]:
    return [raw for raw in scan() if raw["type"]["S"] == model.__name__]


@pytest.mark.parametrize("name", REFERENCE)
def test_the_perceptual_hash_is_near_that_of_its_authors(name):
    assert distance(pdq(picture(name))[0], REFERENCE[name]) <= 12


CHANGES = {
    "smaller": lambda image: image.resize((480, 320)),
    "saved badly": lambda image: Image.open(as_file(image, quality=25)),
    "brighter": lambda image: ImageEnhance.Brightness(image).enhance(1.3),
    "with a frame": lambda image: ImageOps.expand(image, 6, "white"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_picture_that_was_changed_a_little_is_near(change):
    changed = pdq(CHANGES[change](picture()))[0]
    assert distance(changed, pdq(picture())[0]) <= NEAR


def test_other_pictures_are_far_away():
    known = [pdq(picture(name))[0] for name in REFERENCE]
    apart = [distance(one, other) for one in known for other in known if one < other]
    assert min(apart) > 2 * NEAR


def test_a_picture_with_nothing_in_it_has_no_perceptual_hash():
    assert make_pictures(as_file(Image.new("RGB", (600, 400), "white")), "photo").pdq == ()


@pytest.mark.parametrize("kind", [HashKind.SHA256, HashKind.MD5])
def test_the_same_file_is_refused(alice, kind):
    import hashlib

    content = as_file(picture()).read()
    block(kind, hashlib.new(str(kind), content).hexdigest())
    with pytest.raises(PictureRefused) as refusal:
        upload_photo(by=alice, upload=SimpleUploadedFile("me.jpg", content))
    assert refusal.value.reason == BLOCKED
    assert not items(Photo)


def test_a_near_picture_is_refused_once_the_worker_entered_it(alice, drain_stream, measure):
    block(HashKind.PDQ, pdq(picture())[0])
    drain_stream()
    drain_stream()
    with pytest.raises(PictureRefused), measure() as meter:
        upload_photo(by=alice, upload=as_file(picture().resize((700, 466))))
    (look,) = [call for call in meter.calls if call.operation == "BatchGetItem"]
    assert look.units == 9
    upload_photo(by=alice, upload=as_file(picture("town")))


@pytest.mark.parametrize("kind", list(Kind))
def test_it_is_refused_as_a_picture_of_a_profile_too(alice, drain_stream, kind):
    block(HashKind.PDQ, pdq(picture())[0])
    drain_stream()
    with pytest.raises(BadImage) as refusal:
        change_pictures(by=alice, uploads={kind: as_file(picture())})
    assert refusal.value.is_blocked


def test_the_sentence_tells_nothing_of_why(alice, log_in, drain_stream):
    block(HashKind.PDQ, pdq(picture())[0])
    drain_stream()
    answer = log_in(alice).post("/photos", {"photo": as_file(picture())})
    assert answer.status_code == 422
    assert "This photo can’t be used here. Choose another one." in answer.content.decode()
    assert not items(Photo)


def test_a_hash_stays_while_anything_holds_it(drain_stream):
    value = pdq(picture())[0]
    mine = Hashes(pdq=(value,))
    block(HashKind.PDQ, value, "list a")
    block(HashKind.PDQ, value, "list b")
    drain_stream()
    transact(let_go(HashKind.PDQ, value, holder="list a"))
    drain_stream()
    assert is_blocked(mine)
    transact(let_go(HashKind.PDQ, value, holder="list b"))
    drain_stream()
    assert not is_blocked(mine)
    assert not items(BlockedPicture)
    assert not any(raw.get("hashes") for raw in items(BlockedBand))
    assert not broken_invariants()


def test_letting_go_of_what_is_gone_leaves_nothing(drain_stream):
    transact(let_go(HashKind.SHA256, "0" * 64, holder="list a"))
    drain_stream()
    assert not items(BlockedPicture)
    assert list(list_blocked()) == []


def shares_a_band(bits: int, rng: random.Random) -> bool:
    one = rng.getrandbits(256)
    flipped = sum(1 << place for place in rng.sample(range(256), bits))
    names = (bands_of(f"{value:064x}") for value in (one, one ^ flipped))
    return bool(set(next(names)) & set(next(names)))


@pytest.mark.parametrize(("bits", "found"), [(15, 1000), (24, 970), (31, 850)])
def test_how_many_near_pictures_the_bands_find(bits, found):
    rng = random.Random(bits)
    assert sum(shares_a_band(bits, rng) for _ in range(1000)) >= found


@pytest.mark.parametrize("is_held_now", [False, True])
def test_a_worker_that_wakes_up_late_writes_what_holds_now(drain_stream, monkeypatch, is_held_now):
    value = REFERENCE["lake"]
    change = let_go if is_held_now else blocked
    block(HashKind.PDQ, value)
    transact(change(HashKind.PDQ, value, holder="list a"))
    entry = as_model(BlockedPicture, items(BlockedPicture)[0])
    reads = []

    def late(*args, **rest):
        found = fetch(*args, **rest)
        reads.append(found)
        if len(reads) == 1:  # then it freezes, and others go on
            transact((blocked if is_held_now else let_go)(HashKind.PDQ, value, holder="list a"))
            drain_stream()
        return found

    monkeypatch.setattr("socialsite.blocked_pictures.stream.fetch", late)
    settle(entry)
    assert is_blocked(Hashes(pdq=(value,))) is is_held_now
    assert bool(list(list_blocked())) is is_held_now
