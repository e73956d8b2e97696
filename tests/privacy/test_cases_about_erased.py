"""A case about someone who is erased: reports that wait still wait, with what they are about, until their term ends."""

import io
import zipfile

import pytest
from django.test import Client

from accounts.people.viewer import Viewer
from moderation.cases.reads import is_open, read_case
from moderation.cases.writes import appeal, assign_case
from moderation.models import ActionKind, Queue
from moderation.reports.reads import list_own_reports
from privacy.erasure.search import EVIDENCE
from privacy.erasure.writes import EVIDENCE_KEPT
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import URGENT
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, keys
from socialsite.table.reading import scan
from tests.conftest import HTMX, PASSWORD
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, held_post, index, waiting_sign_up
from tests.moderation.queues import QUEUE, page_of, part, report, steps
from tests.moderation.test_wave_pages import page_text
from tests.privacy.erasing import erase, search
from tests.web.html import Html

SAID, WHY = "Send me photos of your school", "He writes to a child"
GONE = "This account was deleted."


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


@pytest.fixture
def moderator(mod, log_in) -> Client:
    browser = log_in(mod)
    browser.post("/confirm", {"password": PASSWORD})
    return browser


@pytest.fixture
def reported(alice, bob, carol) -> None:
    report(bob, by=[carol])
    report(bob, by=[alice], rule="violence", severity=URGENT, text=SAID, comment=WHY)


@pytest.fixture
def erased(reported, bob, worker) -> None:
    worker.drain()
    search(erase(bob, worker), worker)


def without_end(person: Viewer) -> set[str]:
    """The types of evidence about the person that stays for ever."""
    named = [raw for raw in scan() if person.user_id in str(raw)]
    assert {raw["type"]["S"] for raw in named} <= EVIDENCE
    return {raw["type"]["S"] for raw in named if "ttl" not in raw} - {"AuditEntry", "AuditHead"}


@pytest.mark.usefixtures("erased")
def test_an_urgent_case_still_stands_first_and_names_a_deleted_account(bob, moderator, worker):
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    [row] = Html(moderator.get(f"{QUEUE}?severity=1")).all("article", class_="case-row")
    assert "Deleted account" in row.text
    assert "Urgent" in row.text
    worker.drain()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("erased")
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
@pytest.mark.usefixtures("erased")
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


@pytest.mark.usefixtures("erased")
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
    report(bob, by=[alice])
    action_id = decide(mod, about(bob), ActionKind.WARN)
    appeal(person_id=bob.user_id, action_id=action_id, text="No")
    if is_reported:
        report(bob, by=[alice], rule="violence", severity=URGENT)
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
