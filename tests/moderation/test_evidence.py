"""What a case keeps: copies of photos and profiles, covered, swept, and exported for authorities."""

import hashlib
import io
import json
from datetime import UTC, datetime, timedelta
from zipfile import ZipFile

import pytest

from accounts.models import UserInfo
from accounts.people.cards import Kind
from accounts.profile.writes import edit_profile
from feed.posts.content_checks import judge_post
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.changes import describe_photos
from feed.publishing.writes import delete_post, publish_post
from moderation.cases import photos
from moderation.cases.changes import begin_case
from moderation.cases.erasure import let_case_end
from moderation.cases.export import export_case
from moderation.cases.lists import get_case
from moderation.cases.photos import NIGHTS, CannotCopy, copy_photo, name_of, sweep_copies
from moderation.cases.reads import OwnCase
from moderation.cases.writes import add_note, reveal_evidence
from moderation.models import ActionKind, CasePhoto, ProfileEvidence, Queue
from moderation.rules.writes import save_settings
from operations.reconcile import reconcile_page
from photos.files import EVIDENCE, delete_files, keep_copy, list_copies, list_places, open_copy
from photos.models import Photo
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.streams.status import list_dead_letters
from socialsite.table import (
    NotFound,
    Unavailable,
    as_model,
    change,
    fetch,
    ids,
    keys,
    query,
    transact,
    write_batch,
)
from socialsite.table.reading import scan
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer, photo, post_photos
from tests.kept import keep_site_rules
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import (
    about,
    about_post,
    case_photos,
    copies,
    decide,
    expire,
    give_pictures,
    held_post,
    logged,
    private_post,
    report,
    report_by_each,
    reported_photos,
    source_of,
    states,
)
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

# The photos of a reported post stay for moderators: copied once, whatever becomes of the post, and gone with the
# case.


def test_a_report_keeps_each_photo_with_its_description(alice, bob, drain_stream):
    long = "A long way. " * 150
    reported_photos(alice, bob, long, "")
    assert states() == ["coming"] * 2
    drain_stream()
    kept = sorted(case_photos(), key=lambda one: one.number)
    assert [one.state for one in kept] == ["kept"] * 2
    assert [one.alt for one in kept] == [long, None]
    assert [(one.width, one.height) for one in kept] == [(960, 720)] * 2
    for one in kept:
        with open_copy(bob.user_id, name_of(one)) as file:
            content = file.read()
        assert content == b"RIFF 960.webp"
        assert one.bytes == len(content)
        assert one.secret not in (one.source, "")
    assert broken_invariants() == {}


def test_a_second_report_makes_no_second_copy(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    before = case_photos()[0].serialize()
    report(carol, bob, post_id)
    drain_stream()
    assert [one.serialize() for one in case_photos()] == [before]
    assert copies(bob) == 1


def test_other_words_about_a_photo_are_kept_beside_those_of_before(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob, "Awful")
    (one,) = case_photos()
    describe_photos(by=bob, post_id=post_id, descriptions={one.photo_id: "Lovely"})
    report(carol, bob, post_id)
    drain_stream()
    assert sorted(str(one.alt) for one in case_photos()) == ["Awful", "Lovely"]
    assert broken_invariants() == {}


@pytest.mark.parametrize("audience", [Audience.EVERYONE, Audience.FRIENDS])
def test_what_the_author_deletes_stays_with_the_case(alice, bob, drain_stream, audience):
    reported_photos(alice, bob, audience=audience)
    drain_stream()
    delete_post(by=bob, post_id=case_photos()[0].post_id)
    drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert (states(), copies(bob)) == (["kept"], 1)
    assert broken_invariants() == {}


def test_a_post_that_is_deleted_before_the_worker_hears_of_the_report_is_still_copied(
    alice, bob, drain_stream
):
    post_id = reported_photos(alice, bob)
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert (states(), copies(bob)) == (["kept"], 1)


def test_a_photo_whose_files_went_first_is_noted_as_gone(alice, bob, drain_stream):
    reported_photos(alice, bob)
    (one,) = case_photos()
    write_batch(deletes=[keys.photo(bob.user_id, one.photo_id)])
    delete_files(source_of(one))
    drain_stream()
    assert (states(), copies(bob)) == (["gone"], 0)
    assert list_dead_letters() == []


def test_a_file_that_cannot_be_read_is_not_taken_for_a_deleted_one(alice, bob, drain_stream):
    reported_photos(alice, bob)
    (one,) = case_photos()
    delete_files(source_of(one))
    with pytest.raises(CannotCopy):
        copy_photo(one.key)
    drain_stream()
    assert states() == ["coming"]
    assert len(list_dead_letters()) == 1


def test_the_worker_may_hear_of_it_twice(alice, bob):
    reported_photos(alice, bob)
    records = unread()
    handle_all(records)
    done, files = everything(), list_copies(bob.user_id)
    handle_all(records)
    assert (everything(), list_copies(bob.user_id)) == (done, files)
    expire(bob)
    removals = unread()
    handle_all(removals)
    handle_all(records)
    handle_all(removals)
    assert copies(bob) == 0


def test_a_try_that_was_killed_after_the_file_finds_it_even_if_the_photo_is_gone(
    alice, bob, drain_stream
):
    reported_photos(alice, bob)
    (one,) = case_photos()
    keep_copy(source_of(one), bob.user_id, name_of(one))  # and then it was killed
    write_batch(deletes=[keys.photo(bob.user_id, one.photo_id)])
    delete_files(source_of(one))
    drain_stream()
    assert (states(), copies(bob)) == (["kept"], 1)


def test_a_copy_for_a_case_that_ends_meanwhile_goes_at_once(alice, bob, monkeypatch):
    reported_photos(alice, bob)
    (one,) = case_photos()

    def keep_and_lose(*args: object) -> int:
        size = keep_copy(*args)
        expire(bob)
        return size

    monkeypatch.setattr(photos, "keep_copy", keep_and_lose)
    copy_photo(one.key)
    assert copies(bob) == 0


def test_copies_go_with_the_case_of_an_erased_person(alice, bob, drain_stream):
    reported_photos(alice, bob, "One", "Two")
    drain_stream()
    let_case_end(about(bob), until=utc_now() + timedelta(days=180))
    drain_stream()
    assert all(one.ttl for one in case_photos())
    assert copies(bob) == 2
    expire(bob)
    drain_stream()
    assert list_copies(bob.user_id) == []


def test_while_the_storage_is_away_the_record_waits(alice, bob, monkeypatch):
    reported_photos(alice, bob)

    def away(*args: object) -> int:
        raise Unavailable("no storage")

    monkeypatch.setattr(photos, "keep_copy", away)
    with pytest.raises(Unavailable):
        handle_all(unread())
    assert states() == ["coming"]


def test_a_post_without_photos_costs_nothing_more(alice, bob):
    photo(bob)
    report(alice, bob, post_photos(bob, photo(bob)))
    report(alice, bob)
    assert len(case_photos()) == 1
    assert EVIDENCE not in {place.folder for place in list_places(bob.user_id)}


def test_a_photo_without_its_item_is_kept_as_the_post_shows_it(alice, bob, drain_stream):
    post_id = post_photos(bob, one := photo(bob, "The way home"))
    change(Photo, keys.photo(bob.user_id, one), [Photo.alt.remove()])
    report(alice, bob, post_id)
    drain_stream()
    assert [kept.alt for kept in case_photos()] == ["The way home"]
    key = case_photos()[0].key
    assert as_model(CasePhoto, fetch([key])[key]).state == "kept"


def test_photos_of_a_post_that_met_a_word_filter_are_copied_too(bob, drain_stream):
    keep_site_rules(SiteRules(words=(Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),)))
    verdict = judge_post(by=bob, content="So cheap", audience="")
    post_photos(bob, content="So cheap", verdict=verdict)
    drain_stream()
    drain_stream()
    keep_site_rules(SiteRules())
    assert states() == ["kept"]
    assert broken_invariants() == {}


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_report_of_photos_costs_one_read_and_their_items_more(alice, bob, requests_of):
    post_id = post_photos(bob, photo(bob), photo(bob))
    with requests_of() as requests:
        report(alice, bob, post_id)
    assert requests.operations[:3] == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert requests.units[:3] == [7, 2, 15]
    (one, _) = case_photos()
    with requests_of() as requests:
        copy_photo(one.key)
    assert requests.operations == ["GetItem", "UpdateItem"]
    assert requests.units == [1, 1]


# No copy of a reported photo stays without its case, and none is missing, whatever was interrupted.


def test_the_sweep_deletes_what_no_case_names_and_nothing_else(alice, carol, bob, drain_stream):
    reported_photos(alice, bob)
    reported_photos(bob, alice)
    drain_stream()
    (one,) = (one for one in case_photos() if one.person_id == bob.user_id)
    earlier = f"{one.photo_id}.{one.version}.{'z' * 22}"
    lost = f"{'0' * 26}.{one.version}.{'y' * 22}"
    for name in (earlier, lost):
        keep_copy(source_of(one), bob.user_id, name)
    assert len(broken_invariants()["no file of a reported photo is without its item"]) == 2
    assert sweep_copies(bob.user_id) == 2
    assert sweep_copies(bob.user_id) == 0
    assert (copies(bob), copies(alice)) == (1, 1)
    assert broken_invariants() == {}


def test_a_report_plans_one_sweep_a_night(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    report(carol, bob, post_id)
    assert len(due_items("sweep-evidence")) == 1
    drain_stream()
    expire(bob)  # and the record of the removal is lost
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert copies(bob) == 0


def test_a_sweep_of_photos_leaves_copies_alone(alice, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert copies(bob) == 1


def test_a_copy_whose_record_was_lost_is_made_when_the_table_is_mended(alice, bob):
    reported_photos(alice, bob)
    for _ in range(2):
        list(reconcile_page(list(scan()), begun="2026"))
    assert (states(), copies(bob)) == (["kept"], 1)


def test_the_audit_sees_a_missing_copy_and_a_photo_without_its_post(alice, bob, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    photos.forget_copy(one)
    version = next(raw for raw in scan() if raw["type"]["S"] == "CaseEvidence")
    write_batch(deletes=[keys.Key(version["PK"]["S"], version["SK"]["S"])])
    assert sorted(broken_invariants()) == [
        "every reported photo belongs to a post, a message or a profile that was kept",
        "every reported photo that was kept has its file",
    ]


# What a case keeps of a reported profile: as it was, whatever the person makes of it afterwards.


def kept(person) -> list[ProfileEvidence]:
    rows = query(about(person).key.pk, consistent=True)
    return [as_model(ProfileEvidence, raw) for raw in rows if raw["type"]["S"] == "ProfileEvidence"]


def test_a_reported_profile_stays_as_it_was(alice, bob, drain_stream):
    names = give_pictures(alice)
    edit_profile(by=alice, name="Cheap pills", bio="Buy at @bob’s", location="Everywhere")
    report(bob, alice, rule_id="spam")
    edit_profile(by=alice, name="Alice", bio="", location="")
    (one,) = kept(alice)
    said = (one.handle, one.name, one.bio, one.location)
    assert said == ("alice", "Cheap pills", "Buy at @bob’s", "Everywhere")
    assert (one.avatar, one.header) == (names["avatar"], names["header"])
    drain_stream()
    assert broken_invariants() == {}


def test_the_same_profile_is_kept_once_and_each_other_one_too(alice, bob, carol, mod):
    report(bob, alice, rule_id="spam")
    first = kept(alice)
    report(carol, alice, rule_id="spam")
    assert [one.kept_at for one in kept(alice)] == [one.kept_at for one in first]
    edit_profile(by=alice, name="Another", bio="", location="")
    report(mod, alice, rule_id="spam")
    assert {one.name for one in kept(alice)} == {"Alice Archer", "Another"}


def test_a_report_of_a_post_keeps_the_post_alone(alice, bob):
    report(bob, alice, post(alice), rule_id="spam")
    assert kept(alice) == []


def test_someone_who_reported_a_post_may_report_the_profile_in_the_same_round(alice, bob):
    report(bob, alice, post(alice), rule_id="spam")
    before = report(bob, alice, rule_id="hate", comment="The name too")
    (one,) = kept(alice)
    assert (one.name, before.reports, before.rules) == ("Alice Archer", 1, {"spam", "hate"})
    assert report(bob, alice).version == before.version
    edit_profile(by=alice, name="Worse", bio="", location="")
    assert report(bob, alice).version == before.version + 1
    assert {one.name for one in kept(alice)} == {"Alice Archer", "Worse"}
    (card,) = get_case(about(alice)).reports
    assert (card.comment, len(card.posts)) == ("The name too", 1)


def test_the_page_shows_it_and_what_has_changed(alice, bob, mod, log_in):
    give_pictures(alice)
    said = {"bio": "Buy here", "location": "Everywhere"}
    edit_profile(by=alice, name="Cheap pills", gender="pills/pills", **said)
    report(bob, alice, rule_id="spam")
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ()
    edit_profile(by=alice, name="Alice", gender="she/her", **said)
    give_pictures(alice, Kind.AVATAR)
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ("Display name", "Pronouns", "Picture")
    text = Html(log_in(mod).get(about(alice).url)).one("main").text
    for said in ("Cheap pills", "pills/pills", "Buy here", "Since changed: Display name"):
        assert said in text


def test_evidence_from_before_pronouns_were_kept_says_nothing_of_them(alice, bob):
    edit_profile(by=alice, name="Cheap pills", bio="", gender="she/her")
    report(bob, alice, rule_id="spam")
    (one,) = kept(alice)
    change(ProfileEvidence, one.key, [ProfileEvidence.gender.remove()])
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ()


# Reported posts that were not for everyone stay covered until a moderator asks, and the log says who looked.

SECRET = "Between friends"


@pytest.fixture
def private(bob, carol) -> str:
    """Bob's post for friends, which Carol reported."""
    return report_by_each(bob, by=[carol], post_id=private_post(bob, SECRET))


def looks(private: str) -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view private post"]


def test_it_is_covered(moderator, bob, private):
    for path in ("", f"/decide?action=hide&posts={private}"):
        page = moderator.get(f"{about(bob).url}{path}")
        assert page.status_code == 200
        assert SECRET not in page.content.decode()
    assert not logged()


def test_a_post_of_a_locked_archive_is_covered_too(moderator, bob, carol):
    post_id = post(bob, SECRET)
    lock = ids.last_id_before(datetime.now(UTC) + timedelta(hours=1))
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.archived_before.set(lock)])
    report_by_each(bob, by=[carol], post_id=post_id)
    assert SECRET not in moderator.get(about(bob).url).content.decode()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_it_shows_for_this_once_and_is_logged(moderator, bob, private, headers):
    shown = moderator.post(f"{about(bob).url}/reveal", headers=headers)
    assert shown.status_code == 200
    assert SECRET in Html(shown).one(id="evidence").text
    assert shown["Cache-Control"] == "no-store"
    assert looks(private) == [{"posts": [private]}]
    assert SECRET not in moderator.get(about(bob).url).content.decode()


def test_every_look_is_logged(moderator, bob, private):
    for _ in range(2):
        moderator.post(f"{about(bob).url}/reveal")
    assert len(looks(private)) == 2


def test_what_was_for_everyone_needs_no_looking(moderator, bob, carol):
    report_by_each(bob, by=[carol], text="For all")
    assert "For all" in moderator.get(about(bob).url).content.decode()
    assert moderator.post(f"{about(bob).url}/reveal").status_code == 404
    assert not logged()


def test_a_held_post_for_some_is_covered_too(moderator, bob):
    post_id = private_post(bob, SECRET)
    change(Post, keys.post(bob.user_id, post_id), [Post.withheld.set(Withheld.HELD)])
    case = about_post(post_id)
    transact(begin_case(case, person_id=bob.user_id, queue=Queue.HELD, severity=3))
    assert SECRET not in moderator.get(case.url).content.decode()
    assert SECRET in moderator.post(f"{case.url}/reveal").content.decode()
    assert looks(post_id) == [{"posts": [post_id]}]


def test_a_case_that_is_not_there_is_not_looked_into(mod, bob):
    with pytest.raises(NotFound):
        reveal_evidence(by=mod, case_id=about(bob), posts=["p"])
    assert not logged()


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_look_writes_four_units(mod, bob, private, requests_of):
    reveal_evidence(by=mod, case_id=about(bob), posts=[private])
    with requests_of() as requests:
        reveal_evidence(by=mod, case_id=about(bob), posts=[private])
    assert requests.operations == ["GetItem", "GetItem", "TransactWriteItems"]
    assert requests.units[-1] == 4


# A case as a zip for authorities: with evidence, log and hashes, entered in the log, for staff with a recent
# proof.


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


def test_a_reply_is_no_more_for_everyone_than_its_thread(mod, alice, bob, carol, log_in, admin):
    save_settings(by=admin, values={"translate_url": "https://t.example/?q={text}&to={to}"})
    root = publish_post(by=carol, content="Root", nonce=ids.new_id())
    reply_id = answer(bob, carol, root, "Nur unter uns")
    change(Post, keys.post(bob.user_id, reply_id), [Post.lang.set("de")])
    locked = ids.last_id_before(utc_now() + timedelta(hours=1))
    change(UserInfo, keys.user_info(carol.user_id), [UserInfo.archived_before.set(locked)])
    assert not report(alice, bob, reply_id).line
    browser = log_in(mod)
    for page in ("/moderation/queue?queue=reports", about(bob).url):
        text = browser.get(page).content.decode()
        assert "unter uns" not in text
        assert "t.example" not in text
    opened = browser.post(f"{about(bob).url}/reveal", {"posts": [reply_id]})
    assert "unter uns" in opened.content.decode()
    assert [one.action for one in logged()][-1] == "view private post"


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
