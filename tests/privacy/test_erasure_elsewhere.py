"""What an erasure leaves to others: reports, copies, cases, and posts that ended."""

import io
import zipfile
from contextlib import suppress
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import EmailClaim, UserInfo
from accounts.people.cards import HEADER_WIDTHS
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import EmailTaken, sign_up
from feed.likes.writes import like_post
from moderation.cases.held import KEEP_URGENT
from moderation.cases.reads import is_open, read_case
from moderation.cases.writes import appeal, assign_case
from moderation.models import ActionKind, CasePhoto, Queue
from moderation.reports.reads import list_own_reports
from photos.files import PRIVATE, PUBLIC, list_people_with_copies, list_places, list_secrets
from privacy.erasure.phases import NAMES, Progress
from privacy.erasure.search import EVIDENCE, NOBODY
from privacy.erasure.stream import take_step
from privacy.erasure.writes import EVIDENCE_KEPT, close_account
from privacy.models import Receipt, State
from relations.follows.writes import accept_follow_request, request_follow
from relations.relation import NotRelated
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.site_settings.site_setup import URGENT
from socialsite.streams.archive import STORAGE, list_files
from socialsite.streams.jobs import STEPS, Step
from socialsite.streams.models import Job, JobKind
from socialsite.table import NotFound, RawItem, as_model, change, get, keys, query
from socialsite.table.reading import scan
from tests.buckets import objects, s3
from tests.conftest import HTMX, PASSWORD
from tests.feed.scenes import clock_at, end_now, end_of, ending_post, post_photos, remove_expired
from tests.looks import broken_invariants
from tests.moderation.cases import (
    QUEUE,
    about,
    case_photos,
    copies,
    decide,
    expire,
    held_post,
    index,
    page_of,
    part,
    report_by_each,
    reported_photos,
    restrict,
    steps,
    waiting_sign_up,
)
from tests.moderation.test_bulk_decision_pages import page_text
from tests.privacy.lives import AFTER_THE_SEARCH, erase, kinds, lead_a_life, naming, search
from tests.relations.scenes import lock
from tests.streams.records import archived, entry, own_archive
from tests.streams.records import expire as expired_expire
from tests.web.html import Html


def test_the_address_of_a_suspended_person_stays_barred(alice, worker):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    receipt = search(erase(alice, worker), worker)
    assert "address" in dict(receipt.kept)
    with pytest.raises(EmailTaken):
        sign_up(
            handle="alice2", name="A", email="alice@example.org", password=PASSWORD, confirmed=True
        )
    (claim,) = [as_model(EmailClaim, raw) for raw in scan() if is_barred(raw)]
    assert claim.ttl < utc_now() + timedelta(days=366)
    assert broken_invariants() == {}


def test_an_address_that_was_never_confirmed_holds_nothing_up(worker):
    details = {"handle": "zoe", "name": "Zoe", "email": "zoe@example.org", "password": PASSWORD}
    zoe = Viewer(sign_up(**details, confirmed=False))
    assert search(erase(zoe, worker), worker).state == State.SEARCHED
    assert naming(zoe.user_id) == []
    assert broken_invariants() == {}


def is_barred(raw: RawItem) -> bool:
    return raw["type"]["S"] == EmailClaim.__name__ and "user_id" not in raw


def test_staff_leave_their_desk_to_the_others(alice, bob, carol, mod, worker):
    lead_a_life(alice, bob, carol, mod, worker)
    case_id = about(bob)
    assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    search(erase(mod, worker), worker)
    case = read_case(case_id)
    assert (case.assigned_to, case.escalated_to) == (None, keys.queue(case.queue))
    assert kinds(naming(mod.user_id)) <= EVIDENCE
    assert broken_invariants() == {}


def test_each_step_may_be_taken_twice(alice, bob, carol, mod, worker, monkeypatch):
    lead_a_life(alice, bob, carol, mod, worker)
    taken: list[str] = []

    def twice(job: Job) -> Step:
        take_step(job)
        taken.append(job.cursor)
        return take_step(job)

    monkeypatch.setitem(STEPS, JobKind.ERASE, twice)
    erase(alice, worker)
    assert len(taken) > len(NAMES)
    assert broken_invariants() == {}


@pytest.mark.parametrize("leaving", ["asking", "asked"])
def test_a_follow_that_is_accepted_meanwhile_goes_on_both_sides_and_is_counted_off(
    alice, bob, worker, monkeypatch, leaving
):
    """Found by `make simulate SEED=11.2`: the last phase deleted one edge, and the other stayed with its count."""
    lock(bob)
    request_follow(by=alice, user_id=bob.user_id)

    def accepted_before(job: Job) -> Step:
        if Progress.from_cursor(str(job.cursor)).phase == NAMES.index("relations"):
            with suppress(NotRelated):  # the request is gone with the person
                accept_follow_request(by=bob, user_id=alice.user_id)
        return take_step(job)

    monkeypatch.setitem(STEPS, JobKind.ERASE, accepted_before)
    erase(alice if leaving == "asking" else bob, worker)
    assert not [*query(keys.followings(alice.user_id)), *query(keys.followers(bob.user_id))]
    assert broken_invariants() == {}


# An erased person's photos are gone at once, but for the copies of reported ones, which go with their case.


def test_copies_stay_for_their_term_and_the_receipt_says_so(alice, bob, drain_stream):
    reported_photos(alice, bob)
    post_photos(bob)
    drain_stream()
    receipt_id = close_account(by=bob, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + timedelta(days=4))  # the search, and the sweeps
    drain_stream()
    assert list(list_places(bob.user_id)) == []
    assert list_secrets(PRIVATE) | list_secrets(PUBLIC) == set()
    assert copies(bob) == 1
    named = {raw["type"]["S"] for raw in scan() if bob.user_id in str(raw)}
    assert named <= EVIDENCE
    assert CasePhoto.__name__ in named
    kept = dict(get(Receipt, keys.receipt(receipt_id), consistent=True).kept)
    (one,) = case_photos()
    assert one.ttl.isoformat(timespec="seconds") == kept["evidence"]
    assert broken_invariants() == {}
    expire(bob)
    drain_stream()
    assert list_people_with_copies() == []
    assert broken_invariants() == {}


# The search in an archive and the picture in a bucket: as in folders.

PICTURE, HEADER = "avatars/hers.webp", "headers/hers"


@pytest.fixture
def bucket(in_bucket) -> str:
    """The bucket of the pictures. The archive has one too."""
    in_bucket(STORAGE)
    return in_bucket("default")


def test_lines_and_pictures_go_from_buckets_too(alice, bob, bucket, drain_stream):
    for name in (PICTURE, *(f"{HEADER}-{width}.webp" for width in HEADER_WIDTHS)):
        s3().put_object(Bucket=bucket, Key=name, Body=b"x")
    pictures = [UserInfo.avatar.set(PICTURE), UserInfo.header.set(HEADER)]
    change(UserInfo, keys.user_info(alice.user_id), pictures)
    expired_expire(entry(alice))
    drain_stream()
    of_bob = entry(bob)
    of_bob.note = f"by {alice.user_id}"
    expired_expire(entry(alice), of_bob)
    drain_stream()
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + AFTER_THE_SEARCH)
    (line,) = archived()
    assert (line["pk"], line["item"]["note"]["S"]) == (of_bob.pk, f"by {NOBODY}")
    assert len(list(list_files())) == 1
    assert objects(bucket) == []


# A case about someone who is erased: reports that wait still wait, with what they are about, until their term
# ends.

SAID, WHY = "Send me photos of your school", "He writes to a child"
GONE = "This account was deleted."


@pytest.fixture
def moderator(mod, log_in) -> Client:
    browser = log_in(mod)
    browser.post("/confirm", {"password": PASSWORD})
    return browser


@pytest.fixture
def reported(alice, bob, carol) -> None:
    report_by_each(bob, by=[carol])
    report_by_each(bob, by=[alice], rule="violence", severity=URGENT, text=SAID, comment=WHY)


@pytest.fixture
def erased_with_cases(reported, bob, worker) -> None:
    worker.drain()
    search(erase(bob, worker), worker)


def without_end(person: Viewer) -> set[str]:
    """The types of evidence about the person that stays for ever. The clock's note to look again at an urgent case goes
    when it has looked."""
    named = [raw for raw in scan() if person.user_id in str(raw) and KEEP_URGENT not in str(raw)]
    assert {raw["type"]["S"] for raw in named} <= EVIDENCE
    return {raw["type"]["S"] for raw in named if "ttl" not in raw} - {"AuditEntry", "AuditHead"}


@pytest.mark.usefixtures("erased_with_cases")
def test_an_urgent_case_still_stands_first_and_names_a_deleted_account(bob, moderator, worker):
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    [row] = Html(moderator.get(f"{QUEUE}?severity=1")).all("article", class_="case-row")
    assert "Deleted account" in row.text
    assert "Urgent" in row.text
    worker.drain()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("erased_with_cases")
def test_its_page_shows_what_was_reported_and_offers_only_what_works(bob, moderator):
    page = page_of(moderator, bob)
    assert SAID in part(page, "case-evidence")
    assert WHY in part(page, "case-reasons")
    assert GONE in page.one("p", role="note").text
    assert f"{(utc_now() + EVIDENCE_KEPT).year}" in page.one("p", role="note").text
    assert steps(page) == [ActionKind.DISMISS, ActionKind.CLOSE]
    assert "Since changed" not in part(page, "case-profile")
    assert not page.all("input", name="posts")
    export = moderator.post(f"{about(bob).url}/export")
    files = zipfile.ZipFile(io.BytesIO(b"".join(export)))
    assert any(SAID in files.read(name).decode(errors="ignore") for name in files.namelist())


@pytest.mark.parametrize("end", ["dismiss", "close"])
@pytest.mark.usefixtures("erased_with_cases")
def test_it_can_be_noted_assigned_and_closed_and_its_reporter_is_told(
    bob, alice, mod, moderator, worker, end
):
    assert [one.outcome for one in list_own_reports(viewer=alice)] == [""]
    moderator.post(f"{about(bob).url}/note", {"text": "Sent to the police"})
    moderator.post(f"{about(bob).url}/assign", {"moderator": mod.user_id})
    assert "Deleted account" in page_text(moderator.get(f"{QUEUE}?queue=mine"))
    address = f"{about(bob).url}/decide?action={end}"
    assert "Deleted account" in Html(moderator.get(address)).one("form", class_="decide").text
    sent = {"action": end, "version": read_case(about(bob)).version}
    moderator.post(address, sent)
    assert not is_open(read_case(about(bob)))
    assert [one.outcome for one in list_own_reports(viewer=alice)] == [end]
    worker.drain()
    assert without_end(bob) == set()
    assert broken_invariants() == {}
    assert "Deleted account" in page_text(moderator.get(f"{QUEUE}?queue=closed"))
    moderator.post(f"{about(bob).url}/undo", {"action_id": read_case(about(bob)).decision})
    assert is_open(read_case(about(bob)))
    worker.drain()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("erased_with_cases")
def test_nothing_can_be_done_to_someone_who_was_erased(bob, mod, moderator):
    with pytest.raises(NotFound):
        decide(mod, about(bob), ActionKind.WARN)
    sent = {"action": "suspend", "end": "7", "version": read_case(about(bob)).version}
    for headers in ({}, HTMX):  # from a page that was open before
        answer = moderator.post(f"{about(bob).url}/decide", sent, headers=headers)
        assert answer.status_code == 409
        assert "This account was deleted meanwhile." in answer.content.decode()
    assert is_open(read_case(about(bob)))


def test_a_case_on_a_desk_stays_there(reported, bob, mod, worker):
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    search(erase(bob, worker), worker)
    assert index(mod) == {keys.desk(mod.user_id): [about(bob)]}
    assert broken_invariants() == {}


@pytest.mark.parametrize("is_reported", [False, True])
def test_an_appeal_ends_and_reports_beside_it_wait(alice, bob, mod, worker, is_reported):
    report_by_each(bob, by=[alice])
    action_id = decide(mod, about(bob), ActionKind.WARN)
    appeal(person_id=bob.user_id, action_id=action_id, text="No")
    if is_reported:
        report_by_each(bob, by=[alice], rule="violence", severity=URGENT)
    search(erase(bob, worker), worker)
    queue = {keys.queue(Queue.REPORTS): [about(bob)]}
    assert index(mod) == (queue if is_reported else {})
    case = read_case(about(bob))
    assert case.appealed is None
    assert int(case.severity) == (URGENT if is_reported else case.severity)
    assert broken_invariants() == {}


def test_held_posts_and_sign_ups_close_and_say_why(bob, moderator, worker):
    post_id = held_post(bob)
    sign_up = waiting_sign_up(bob)
    search(erase(bob, worker), worker)
    assert index() == {}
    assert "The account was deleted" in page_text(moderator.get(sign_up.url))
    assert moderator.get(f"/moderation/cases/post/{post_id}").status_code == 200


# Posts that ended by themselves, where someone leaves, and in the archive.


@pytest.fixture
def own_folder(settings, tmp_path) -> None:
    own_archive(settings, tmp_path)


@pytest.mark.usefixtures("own_folder")
def test_an_erased_person_leaves_no_post_that_ended_and_is_still_stored(alice, bob, drain_stream):
    over, alive = ending_post(alice, "over"), ending_post(alice, "not yet")
    like_post(by=bob, post_id=over, author_id=alice.user_id)
    drain_stream()
    end_now(alice.user_id, over)
    drain_stream()
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + timedelta(days=3))
    drain_stream()
    left = str(list(scan()))
    assert over not in left
    assert alive not in left
    assert broken_invariants() == {}


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("kept", [False, True])
def test_the_archive_keeps_it_only_where_the_site_is_set_to(alice, settings, drain_stream, kept):
    settings.ARCHIVE_EXPIRED_POSTS = kept
    post_id = ending_post(alice)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        remove_expired()
        drain_stream()
    lines = {line["type"] for line in archived() if post_id in str(line)}
    assert lines == ({"Post", "LikeCount"} if kept else set())
