"""A case as a zip for authorities: with evidence, log and hashes, entered in the log, for staff with a recent proof."""

import hashlib
import io
import json
from zipfile import ZipFile

import pytest

from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.cases.export import export_case
from moderation.cases.photos import name_of
from moderation.cases.reads import OwnCase
from moderation.cases.writes import add_note
from moderation.models import ActionKind
from photos.files import open_copy
from socialsite.table import NotFound, ids
from tests.conftest import person
from tests.moderation.cases import about, about_post, decide, held_post, logged, report
from tests.moderation.reported_photos import case_photos, reported_photos
from tests.moderation.reported_pictures import give_pictures
from tests.web.html import Html


def unzipped(content: bytes) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(content)) as file:
        assert file.testzip() is None
        return {name: file.read(name) for name in file.namelist()}


def exported(by, case_id, **rest) -> dict[str, bytes]:
    with export_case(by=by, case_id=case_id, **rest) as file:
        return unzipped(file.read())


def case_in(files: dict[str, bytes]) -> dict:
    return json.loads(files["case.json"])


def test_it_holds_the_reports_the_posts_the_photos_and_the_decisions(mod, alice, bob, drain_stream):
    post_id = reported_photos(alice, bob, "The way home")
    drain_stream()
    action_id = decide(mod, about(bob), ActionKind.HIDE, post_id, text="Not here.")
    files = exported(mod, about(bob))
    case = case_in(files)
    assert case["person"]["handle"] == "bob"
    assert [one["reporter_id"] for one in case["items"]["CaseReport"]] == [alice.user_id]
    assert case["people"][alice.user_id]["handle"] == "alice"
    assert [one["post_id"] for one in case["items"]["CaseEvidence"]] == [post_id]
    assert [(one["action_id"], one["text"]) for one in case["items"]["CaseAction"]] == [
        (action_id, "Not here.")
    ]
    (name,) = case["photos"]
    assert name.startswith(f"photos/{post_id}-1-")
    (copy,) = case_photos()
    assert files[name] == open_copy(bob.user_id, name_of(copy)).read()
    assert case["is_whole"]


def test_it_holds_the_pictures_of_the_profile(mod, alice, bob, drain_stream):
    names = give_pictures(bob)
    report(alice, bob)
    drain_stream()
    files = exported(mod, about(bob))
    case = case_in(files)
    kept = {name: files[name].decode() for name in case["photos"]}
    assert sorted(kept.values()) == [
        f"RIFF {names['avatar']} 256.webp",
        f"RIFF {names['header']} 1500.webp",
    ]
    assert [name[:14] for name in sorted(kept)] == ["photos/avatar-", "photos/header-"]
    (profile,) = case["items"]["ProfileEvidence"]
    assert profile["name"] == "Bob Brandt"


def test_the_hashes_are_those_of_the_files_and_the_log_proves_them(mod, alice, bob):
    report(alice, bob)
    files = exported(mod, about(bob))
    sums = dict(reversed(line.split("  ")) for line in files["SHA256SUMS"].decode().splitlines())
    assert set(sums) == set(files) - {"SHA256SUMS", "log.json"}
    assert all(hashlib.sha256(files[name]).hexdigest() == digest for name, digest in sums.items())
    (entry,) = [one for one in logged() if one.action == "export case"]
    assert entry.detail["sha256"] == hashlib.sha256(files["SHA256SUMS"]).hexdigest()
    assert (entry.moderator_id, entry.person_id) == (mod.user_id, bob.user_id)


def test_the_log_of_the_case_and_of_no_other_is_in_it_and_ends_with_the_export(mod, alice, bob):
    report(alice, bob)
    report(bob, alice)
    decide(mod, about(alice), ActionKind.WARN)
    decide(mod, about(bob), ActionKind.WARN, keep_open=True)
    log = json.loads(exported(mod, about(bob))["log.json"])
    assert [one["action"] for one in log] == ["warn", "export case"]
    assert all(one["case"] == str(about(bob)) for one in log)
    assert [one["hash"] for one in log] == [
        one.hash for one in logged() if one.case == str(about(bob))
    ]
    assert log[1]["previous"] == log[0]["hash"]


def test_notes_of_moderators_and_the_way_to_files_stay_inside(mod, alice, bob, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    add_note(by=mod, case_id=about(bob), text="I know this one.")
    text = exported(mod, about(bob))["case.json"].decode()
    for inside in ("I know this one.", "CaseNote", '"secret"', '"source"', '"pk"', "case#person"):
        assert inside not in text


def test_notes_leave_the_site_if_that_is_chosen_and_the_log_says_so(mod, alice, bob, log_in):
    report(alice, bob)
    browser, address = log_in(mod), about(bob).url
    assert 'name="notes"' not in browser.get(address).content.decode()  # there are none
    add_note(by=mod, case_id=about(bob), text="I know this one.")
    assert 'name="notes"' in browser.get(address).content.decode()
    answer = browser.post(f"{address}/export", {"notes": "1"})
    case = case_in(unzipped(b"".join(answer.streaming_content)))
    assert [one["text"] for one in case["items"]["CaseNote"]] == ["I know this one."]
    assert (case["with_notes"], case["people"][mod.user_id]["handle"]) == (True, mod.handle)
    exported(mod, about(bob))
    entries = [one for one in logged() if one.action == "export case"]
    assert [one.detail.get("notes") for one in entries] == ["yes", None]
    assert "With notes" in log_in(mod).get("/moderation/log").content.decode()


def test_what_was_not_for_everyone_is_in_it_and_named_in_the_log(mod, alice, bob):
    post_id = publish_post(
        by=bob, content="Among friends", nonce=ids.new_id(), audience=Audience.FOLLOWERS
    )
    report(alice, bob, post_id)
    assert "Among friends" in exported(mod, about(bob))["case.json"].decode()
    assert [one.detail["posts"] for one in logged() if one.action == "export case"] == [[post_id]]


def test_the_page_of_the_log_says_what_it_opened_without_a_look_before(
    mod, alice, bob, log_in, drain_stream
):
    reported_photos(alice, bob)
    report(alice, bob, publish_post(by=bob, content="For all", nonce=ids.new_id()))
    friends = publish_post(
        by=bob, content="Among friends", nonce=ids.new_id(), audience=Audience.FOLLOWERS
    )
    report(alice, bob, friends)
    drain_stream()
    exported(mod, about(bob))
    assert {one.action for one in logged()} == {"export case"}  # nobody asked to see anything
    page = Html(log_in(mod).get("/moderation/log")).one("main").text
    for said in ("Posts 3", "Private posts opened 1", "Photos opened 1"):
        assert said in " ".join(page.split())


def test_a_held_post_is_its_own_evidence(mod, alice):
    post_id = held_post(alice, "Hold this")
    case = case_in(exported(mod, about_post(post_id)))
    assert case["held_post"]["content"] == "Hold this"
    assert case["person"]["handle"] == "alice"


def test_a_photo_that_is_not_there_is_named_as_missing(mod, alice, bob):
    reported_photos(alice, bob)  # the worker has not copied it
    case = case_in(exported(mod, about(bob)))
    assert (case["photos"], len(case["photos_missing"]), case["is_whole"]) == ([], 1, False)


def test_the_page_offers_it_and_answers_with_a_file(mod, alice, bob, log_in):
    report(alice, bob)
    browser, address = log_in(mod), f"{about(bob).url}/export"
    assert f'action="{address}"' in browser.get(about(bob).url).content.decode()
    assert browser.get(address).status_code == 405
    for _ in range(2):
        answer = browser.post(address)
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"].startswith('attachment; filename="case-person-')
        assert answer["Cache-Control"] == "no-store"
        assert "case.json" in unzipped(b"".join(answer.streaming_content))
    assert len([one for one in logged() if one.action == "export case"]) == 2


def test_it_needs_a_recent_proof(mod, alice, bob, log_in, settings):
    report(alice, bob)
    settings.STAFF_SECOND_FACTOR = True
    answer = log_in(mod).post(f"{about(bob).url}/export")
    assert answer.status_code == 302
    assert logged() == []


def test_nobody_exports_a_case_about_themselves_or_one_that_is_not_there(mod, alice, log_in):
    report(alice, mod)
    with pytest.raises(OwnCase):
        export_case(by=mod, case_id=about(mod))
    post_id = held_post(mod)
    assert log_in(mod).post(f"{about_post(post_id).url}/export").status_code == 403
    with pytest.raises(NotFound):
        export_case(by=mod, case_id=about(person("carol")))
    assert log_in(alice).post(f"{about(mod).url}/export").status_code == 404
    assert logged() == []
