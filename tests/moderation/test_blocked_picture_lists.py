"""The list of blocked pictures as staff import, export and change it, the command beside it, and what to do about an
illegal picture in each country."""

import io
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from accounts.permissions import Permission, save_role
from moderation.cases.reads import read_case
from moderation.models import ActionKind
from moderation.pictures.reads import BUILT_IN, EVERYWHERE, list_procedures
from photos.models import Photo
from socialsite.blocked_pictures.lists import BadList, hash_of, read_list, write_list
from socialsite.blocked_pictures.reads import HashKind, list_blocked
from socialsite.blocked_pictures.writes import blocked
from socialsite.site_settings.site_setup import CHILD, URGENT
from socialsite.table import NotFound, change, keys, transact
from tests.conftest import person
from tests.feed.scenes import post_photos
from tests.looks import broken_invariants
from tests.moderation.cases import about, case_photos, decide, look
from tests.moderation.staff import logged
from tests.moderation.test_illegal_pictures import remove, sends
from tests.web.html import Html

PAGE, PROCEDURES = "/moderation/pictures", "/moderation/procedures"
SHA, MD5, PDQ = "a" * 64, "b" * 32, "c" * 64
LIST = f"Comment,SHA256,pdq,md5\nx,{SHA.upper()},,{MD5}\n,,{PDQ},\n"


def as_csv(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("list.csv", text.encode())


def listed() -> set[tuple[str, str]]:
    return {(str(one.kind), one.value) for one in list_blocked()}


# Files


def test_a_list_is_read_by_the_names_of_its_columns():
    assert set(read_list(LIST.encode(), most=10)) == {
        (HashKind.SHA256, SHA),
        (HashKind.MD5, MD5),
        (HashKind.PDQ, PDQ),
    }
    assert read_list(b"\xef\xbb\xbfmd5\r\n" + MD5.encode() + b"\r\n\r\n", most=10) == [
        (HashKind.MD5, MD5)
    ]


BAD = {
    "no column": (b"name,size\nx,1\n", "names no column"),
    "empty": (b"", "names no column"),
    "no hash": (f"md5\n{MD5}\nnope\n".encode(), "Line 3 has something"),
    "another length": (f"sha256\n{MD5}\n".encode(), "Line 2 has something"),
    "too long": (("md5\n" + f"{MD5}\n" * 11).encode(), "too long"),
    "no text": (b"md5\n\xff\xfe", "no text in UTF-8"),
    "a long cell": (b"md5\n" + b"x" * 20_000, "can’t be read"),
    "a quote": (b'md5\n"' + b"x\n" * 9000, "can’t be read"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_list_is_refused_whole_with_its_line(name):
    content, told = BAD[name]
    with pytest.raises(BadList, match=told):
        read_list(content, most=10)


def test_what_is_exported_can_be_imported(drain_stream):
    for kind, value in ((HashKind.SHA256, SHA), (HashKind.MD5, MD5), (HashKind.PDQ, PDQ)):
        transact(blocked(kind, value, holder="list a"))
    text = "".join(write_list(list_blocked()))
    assert text.splitlines()[0] == "sha256,md5,pdq,added_at"
    assert {(str(kind), value) for kind, value in read_list(text.encode(), most=10)} == listed()


def test_a_hash_of_64_digits_may_be_either():
    assert {kind for kind, _ in hash_of(f" {SHA.upper()} ")} == {HashKind.SHA256, HashKind.PDQ}
    assert hash_of("xyz") == hash_of("") == hash_of("a" * 63) == []


# The page


def test_an_import_is_logged_and_the_same_again_adds_nothing(admin, log_in, drain_stream):
    browser = log_in(admin)
    for _ in range(2):
        answer = browser.post(PAGE, {"file": as_csv(LIST)}, follow=True)
        assert "3 hashes are on the list." in answer.content.decode()
    drain_stream()
    assert listed() == {("sha256", SHA), ("md5", MD5), ("pdq", PDQ)}
    assert {len(one.holders) for one in list_blocked()} == {1}
    entries = [(action, detail) for _, action, detail in logged() if "import" in action]
    assert [detail["hashes"] for _, detail in entries] == [3, 3]
    assert not broken_invariants()


@pytest.mark.parametrize("text", ["name\nx\n", "md5\nnope\n", ""])
def test_a_bad_file_is_told_beside_the_field(admin, log_in, text):
    answer = log_in(admin).post(PAGE, {"file": as_csv(text)})
    assert answer.status_code == 422
    assert Html(answer).all(class_="field-error")
    assert listed() == set()


def test_an_export_is_logged(admin, log_in):
    transact(blocked(HashKind.MD5, MD5, holder="list a"))
    answer = log_in(admin).post(f"{PAGE}/export")
    assert MD5 in b"".join(answer.streaming_content).decode()
    assert answer["Content-Disposition"].startswith('attachment; filename="blocked-pictures-')
    assert answer["Cache-Control"] == "no-store"
    assert [action for _, action, _ in logged()] == ["export blocked pictures"]


def test_a_hash_taken_off_is_free_whatever_held_it(admin, log_in, drain_stream):
    for holder in ("list a", "list b"):
        transact(blocked(HashKind.PDQ, PDQ, holder=holder))
    drain_stream()
    browser = log_in(admin)
    assert browser.post(f"{PAGE}/remove", {"value": PDQ.upper()}).status_code == 302
    drain_stream()
    assert listed() == set()
    answer = browser.post(f"{PAGE}/remove", {"value": PDQ})
    assert answer.status_code == 422
    assert "This hash is not on the list." in answer.content.decode()
    assert browser.post(f"{PAGE}/remove", {"value": "x"}).status_code == 422
    assert not broken_invariants()


# The command


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("blocked_pictures", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_imports_and_exports(alice, tmp_path: Path):
    file, out = tmp_path / "in.csv", tmp_path / "out.csv"
    file.write_text(LIST)
    assert "3 hashes" in run("import", str(file), "--dry-run")
    assert listed() == set()
    assert "3 hashes are on the list" in run("import", str(file))
    assert "3 hashes" in run("export", str(out))
    assert out.stat().st_mode & 0o077 == 0
    assert len(read_list(out.read_bytes(), most=10)) == 3
    for bad in (["export", str(out)], ["import", str(tmp_path / "none.csv")]):
        with pytest.raises(CommandError):
            run(*bad)


@pytest.fixture
def old_photos(bob, carol, drain_stream) -> dict[str, str]:
    """One that Bob posted, one that Carol only uploaded, and one of another picture. Then it came on the list."""
    posted, loose = sends(bob), sends(carol)
    post_id = post_photos(bob, posted.photo_id)
    sends(carol, "town")
    transact(blocked(HashKind.SHA256, posted.sha256, holder="list a"))
    drain_stream()
    return {"post": post_id, "loose": loose.photo_id}


def test_photos_that_were_here_before_are_found_and_reported_once(
    old_photos, bob, carol, mod, moderator, drain_stream
):
    assert "3 photos looked at, 2 are on the list, 0 reported" in run("find", "--dry-run")
    with pytest.raises(NotFound):
        read_case(about(bob))
    assert "2 reported" in run("find")
    assert "0 reported" in run("find")
    drain_stream()
    for someone in (bob, carol):
        case = read_case(about(someone))
        assert (case.severity, case.rules, case.reports) == (URGENT, {CHILD}, 1)
    assert {one.post_id for one in case_photos()} == {old_photos["post"], None}
    # The one that stands nowhere can be looked at and removed as well.
    page = Html(moderator.get(about(carol).url))
    assert len(page.all("li", class_="case-photo")) == 1
    assert look(moderator, about(carol), old_photos["loose"]).status_code == 200
    decided = moderator.get(f"{about(carol).url}/decide", {"action": "remove"})
    assert "Photo that the site found" in decided.content.decode()
    named = [f"{one.photo_id}.{one.version}" for one in case_photos() if not one.post_id]
    remove(mod, carol, *named)
    assert not broken_invariants()


def test_those_that_were_judged_are_not_reported_again(old_photos, bob, mod, drain_stream):
    run("find")
    drain_stream()
    decide(mod, about(bob), ActionKind.DISMISS)
    run("find")
    assert read_case(about(bob)).closed_at


def test_photos_without_a_hash_take_a_look_at_their_files(bob, carol, drain_stream):
    photo = sends(bob)
    transact(blocked(HashKind.PDQ, photo.pdq, holder="list a"))
    drain_stream()
    without = [Photo.pdq.remove()]
    change(Photo, keys.photo(bob.user_id, photo.photo_id), without)
    assert "0 are on the list" in run("find", "--dry-run")
    assert "1 are on the list" in run("find", "--dry-run", "--decode")


# What to do in each country


def test_moderators_read_what_to_do_where_they_are_first(mod, log_in):
    browser = log_in(mod)
    browser.cookies["time_zone"] = "Europe/Berlin"
    page = Html(browser.get(PROCEDURES))
    assert [one.text for one in page.all("h2", class_="section-title")][:2] == [
        "In every country",
        "Germany",
    ]
    assert page.all("a", href="https://www.inhope.org")
    assert "Edit" not in page.one("main").text
    assert browser.post(PROCEDURES, {"country": "FR"}).status_code == 404
    assert browser.get(f"{PROCEDURES}/DE").status_code == 404


def test_those_who_set_the_site_up_write_it_themselves(admin, log_in):
    browser = log_in(admin)
    assert browser.post(PROCEDURES, {"country": "fr"})["Location"] == f"{PROCEDURES}/FR"
    browser.post(f"{PROCEDURES}/FR", {"text": "Call 17."})
    browser.post(f"{PROCEDURES}/-", {"text": "Stay calm."})
    own = {one.country: one.text for one in list_procedures() if one.is_own}
    assert own == {"FR": "Call 17.", EVERYWHERE: "Stay calm."}
    browser.post(f"{PROCEDURES}/-", {"text": ""})
    (everywhere,) = [one for one in list_procedures() if one.country == EVERYWHERE]
    assert (everywhere.text, everywhere.is_own) == (str(BUILT_IN[EVERYWHERE]), False)
    assert [action for _, action, _ in logged()] == ["change procedure"] * 3


@pytest.mark.parametrize("country", ["", "X", "ZZZ", "11", "é", "--"])
def test_a_country_that_is_none_is_told(admin, log_in, country):
    browser = log_in(admin)
    assert browser.post(PROCEDURES, {"country": country}).status_code == 422
    assert browser.get(f"{PROCEDURES}/{country or 'x'}").status_code == 404


def test_a_case_about_an_illegal_picture_leads_there(moderator, alice, bob, log_in):
    log_in(alice).post("/@bob/report", {"reason": CHILD})
    page = Html(moderator.get(about(bob).url))
    assert page.all("a", href=PROCEDURES)


def test_a_role_with_cases_alone_reads_it(admin, log_in):
    save_role(by=admin, name="junior", title="Junior", permissions={Permission.CASES})
    browser = log_in(person("junior", role="junior"))
    assert browser.get(PROCEDURES).status_code == 200
    assert browser.get(PAGE).status_code == 404
