"""Bringing survives kills, stops when it should, fits into its items, and leaves with its person."""

import itertools
from datetime import datetime
from types import SimpleNamespace

import pytest

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from moderation.securing.writes import Securing, secure_account
from privacy.importing import lines, stream, writes
from privacy.importing.archive import read_archive
from privacy.importing.lines import pack, read_lines, write_lines
from privacy.importing.models import Stage, TransferLines, TransferReport
from privacy.importing.outcomes import FileKind, Outcome
from privacy.importing.reads import list_transfers
from privacy.importing.writes import A_DAY
from socialsite.clock import utc_now
from socialsite.due.work import AlreadyDone, do_due
from socialsite.table import (
    MOST_BYTES,
    Unavailable,
    as_model,
    ids,
    item_size,
    keys,
    query,
    write_batch,
)
from tests.looks import broken_invariants
from tests.moderation.cases import HIDDEN, restrict
from tests.notifications.told import told
from tests.privacy.lives import erase, kinds, naming
from tests.privacy.mastodon import (
    PAGE,
    following,
    imported_posts,
    newest,
    note,
    outbox,
    outcomes_of,
    planned,
    send,
    work_off,
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch) -> None:
    monkeypatch.setattr(lines, "TASKS_A_PART", 2)


ARCHIVE = outbox(*(note(number, f"<p>{number}</p>") for number in range(1, 8)))


def waiting(viewer) -> list[TransferLines]:
    partition = f"u#{viewer.user_id}#broughtline"
    return [as_model(TransferLines, raw) for raw in query(partition, consistent=True)]


def work_off_twice() -> None:
    """Each part as if two clocks took it up."""
    while found := planned():
        (due,) = found
        stream.do_next(due)
        with pytest.raises(AlreadyDone):
            stream.do_next(due)


def test_parts_done_twice_bring_each_post_once(alice, log_in, drain_stream):
    send(log_in(alice), outbox=ARCHIVE)
    work_off_twice()
    drain_stream()
    assert [one.content for one in imported_posts(alice)] == [str(n) for n in range(1, 8)]
    assert get_user_info(alice.user_id).posts == 7
    assert outcomes_of(alice) == [Outcome.POSTED] * 7
    assert (newest(alice).done, newest(alice).stage) == (7, Stage.DONE)
    assert waiting(alice) == []
    assert broken_invariants() == {}


def test_a_clock_that_dies_within_a_part_does_it_again(
    alice, bob, carol, log_in, drain_stream, monkeypatch
):
    send(log_in(alice), following_accounts=following("bob", "carol", "mod", "alice"))

    def die(*writes, **how):
        raise Unavailable("killed")

    with monkeypatch.context() as killed:
        killed.setattr(stream, "transact", die)
        do_due()  # follows, and dies before it says so
    assert get_user_info(alice.user_id).following == 2
    work_off(drain_stream)
    assert outcomes_of(alice) == [
        *(Outcome.ALREADY, Outcome.ALREADY, Outcome.NOBODY, Outcome.SELF),
    ]
    assert get_user_info(alice.user_id).following == 2
    assert told(bob) == []
    assert broken_invariants() == {}


def test_a_post_that_came_meanwhile_is_found_there(alice, log_in, drain_stream, monkeypatch):
    """The same archive was sent in two tabs, and two clocks work on it."""
    for _tab in range(2):
        send(log_in(alice), outbox=ARCHIVE)
    first, second = planned()
    whole = stream.bring_posts

    def at_once(by, some):
        done = whole(by, some)
        monkeypatch.setattr(stream, "bring_posts", whole)
        stream.do_next(second)
        return done

    monkeypatch.setattr(stream, "bring_posts", at_once)
    stream.bring_parts(first)
    work_off(drain_stream)
    assert get_user_info(alice.user_id).posts == len(imported_posts(alice)) == 7
    assert broken_invariants() == {}


def test_it_stops_when_its_person_says_so_and_keeps_what_it_brought(alice, log_in, drain_stream):
    browser = log_in(alice)
    send(browser, outbox=ARCHIVE)
    (due,) = planned()
    stream.do_next(due)
    assert len(imported_posts(alice)) == 2
    browser.post(f"{newest(alice).url}/stop")
    work_off(drain_stream)
    assert len(imported_posts(alice)) == 2
    assert newest(alice).stage == Stage.STOPPED
    assert waiting(alice) == []
    browser.post(f"{newest(alice).url}/stop")
    assert broken_invariants() == {}


def test_a_part_that_is_stopped_in_the_middle_changes_nothing(alice, log_in, monkeypatch):
    browser = log_in(alice)
    send(browser, outbox=ARCHIVE)
    whole = stream.bring_posts

    def meanwhile(by, some):
        browser.post(f"{newest(alice).url}/stop")
        return whole(by, some)

    monkeypatch.setattr(stream, "bring_posts", meanwhile)
    do_due()
    assert imported_posts(alice) == []
    assert (newest(alice).done, newest(alice).stage) == (0, Stage.STOPPED)
    assert planned() == []


def test_a_look_does_some_parts_and_leaves_the_rest_for_the_next(alice, log_in, monkeypatch):
    monkeypatch.setattr(stream, "PARTS_A_LOOK", 2)
    send(log_in(alice), outbox=ARCHIVE)
    now = utc_now()
    do_due(now)
    assert newest(alice).done == 4
    do_due()
    assert newest(alice).stage == Stage.DONE


def test_files_have_a_share_of_the_clock_so_that_letters_do_not_wait(
    alice, log_in, drain_stream, monkeypatch
):
    monkeypatch.setattr(stream, "SHARE", 0.000_001)
    for _tab in range(3):
        send(log_in(alice), outbox=ARCHIVE)
    do_due()
    stages = [one.stage for one in list_transfers(alice)]
    assert sorted(stages) == [Stage.DONE, Stage.WORKING, Stage.WORKING]
    assert all(datetime.fromisoformat(one.moment) > utc_now() for one in planned())
    work_off(drain_stream)
    assert broken_invariants() == {}
    assert {one.stage for one in list_transfers(alice)} == {Stage.DONE}


def test_a_look_takes_a_second_of_a_file(alice, log_in, drain_stream, monkeypatch):
    send(log_in(alice), outbox=ARCHIVE)
    seconds = itertools.count()
    monkeypatch.setattr(stream, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    (due,) = planned()
    stream.bring_parts(due)
    monkeypatch.undo()
    assert newest(alice).done == 2
    assert newest(alice).stage == Stage.WORKING
    work_off(drain_stream)
    assert newest(alice).stage == Stage.DONE


@pytest.mark.parametrize("restriction", [Restriction.FROZEN, Restriction.SUSPENDED])
def test_it_stops_for_people_who_may_not_speak_any_more(alice, log_in, drain_stream, restriction):
    send(log_in(alice), outbox=ARCHIVE)
    restrict(alice, restriction)
    work_off(drain_stream)
    assert imported_posts(alice) == []
    assert newest(alice).stage == Stage.STOPPED
    assert planned() == []


def test_it_stops_when_staff_secure_the_account(alice, mod, log_in):
    send(log_in(alice), outbox=ARCHIVE)
    secure_account(by=mod, user_id=alice.user_id, wish=Securing(ids.new_id()))
    do_due()
    assert (imported_posts(alice), planned()) == ([], [])
    assert newest(alice).stage == Stage.STOPPED


def test_it_ends_when_the_account_closes(alice, log_in, drain_stream):
    send(log_in(alice), outbox=ARCHIVE)
    HIDDEN["closing"](alice)
    work_off(drain_stream)
    assert imported_posts(alice) == []
    assert planned() == []


def test_lines_that_are_gone_end_it(alice, log_in, drain_stream):
    send(log_in(alice), outbox=ARCHIVE)
    write_batch(deletes=[one.key for one in waiting(alice)])
    work_off(drain_stream)
    assert newest(alice).stage == Stage.STOPPED
    assert planned() == []


@pytest.mark.parametrize("sign", ["x", "\n", '"', "\\", "é", "猫", "👩‍👩‍👧‍👦"])
def test_parts_and_reports_fit_into_their_items(alice, monkeypatch, sign):
    monkeypatch.setattr(lines, "TASKS_A_PART", 10)
    words = f"a{sign}" * 1_200
    activities = [
        note(number, f"<p>{words[: 3400 // len(sign.encode())]}</p>", summary=words)
        for number in range(1, 30)
    ]
    read = read_archive(outbox(*activities), user_id=alice.user_id)
    parts = list(pack(read))
    assert [one for part in parts for one in part] == read
    for number, part in enumerate(parts):
        assert [*read_lines(write_lines(part))] == part
        item = TransferLines.new(
            user_id=alice.user_id,
            transfer_id=alice.user_id,
            number=number,
            waiting_lines=write_lines(part),
            ttl=None,
        )
        assert item_size(item.serialize()) <= TransferLines.most_bytes
        done = [one.became(Outcome.ALREADY, post_id=alice.user_id) for one in part]
        report = TransferReport.new(
            user_id=alice.user_id,
            transfer_id=alice.user_id,
            number=number,
            done_lines=write_lines(done),
            ttl=None,
        )
        assert item_size(report.serialize()) <= MOST_BYTES


def test_the_report_is_read_downloaded_and_deleted(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    send(browser, following_accounts=following("bob", "=cmd@evil.example"))
    work_off(drain_stream)
    found = newest(alice)
    page = browser.get(found.url).content.decode()
    assert "You follow them now." in page
    assert "Not here: the address is of another site." in page
    text = b"".join(browser.get(f"{found.url}/file").streaming_content).decode()
    assert "2,bob,You follow them now.," in text
    assert ",'=cmd@evil.example," in text
    assert log_in(bob).get(found.url).status_code == 404
    assert log_in(bob).get(f"{found.url}/file").status_code == 404
    assert log_in(bob).post(f"{found.url}/delete").status_code == 404
    assert browser.post(f"{found.url}/delete").status_code == 302
    assert browser.get(found.url).status_code == 404
    assert [*query(keys.transfer_reports(alice.user_id), consistent=True)] == []
    assert get_user_info(alice.user_id).following == 1


def test_a_long_report_has_pages(alice, log_in, drain_stream, monkeypatch):
    browser = log_in(alice)
    send(browser, blocked_accounts="\n".join(f"nobody{n}" for n in range(30)).encode())
    work_off(drain_stream)
    first = browser.get(newest(alice).url).content.decode()
    assert "nobody9<" in first
    assert "nobody10<" not in first
    assert "?from=5" in first
    assert "nobody10<" in browser.get(f"{newest(alice).url}?from=5").content.decode()
    assert "Nothing yet." in browser.get(f"{newest(alice).url}?from=99999").content.decode()
    for odd in ("-1", "x", "9" * 30, "²"):
        assert browser.get(f"{newest(alice).url}?from={odd}").status_code == 400


def test_the_page_says_how_far_it_is_and_asks_again_meanwhile(alice, log_in, drain_stream):
    browser = log_in(alice)
    send(browser, outbox=ARCHIVE)
    page = browser.get(PAGE).content.decode()
    assert "0 of 7 lines so far." in page
    assert 'hx-trigger="every 3s"' in page
    work_off(drain_stream)
    page = browser.get(PAGE).content.decode()
    assert "7 of 7 lines were brought." in page
    assert 'hx-trigger="every 3s"' not in page


def test_ten_forms_a_day(alice, log_in):
    browser = log_in(alice)
    for _ in range(A_DAY.hits):
        assert send(browser, blocked_accounts=b"bob").status_code == 302
    assert send(browser, blocked_accounts=b"bob").status_code == 429


def test_nothing_is_left_of_it_when_the_account_is_erased(alice, bob, log_in, worker):
    browser = log_in(alice)
    send(browser, following_accounts=following("bob"))
    work_off(worker.drain)
    send(browser, outbox=ARCHIVE)
    (due,) = planned()
    stream.do_next(due)
    assert waiting(alice)
    erase(alice, worker)
    do_due()
    worker.drain()
    assert not {"Transfer", "TransferLines", "TransferReport", "Post", "Due"} & kinds(
        naming(alice.user_id)
    )
    assert get_user_info(bob.user_id).followers == 0
    assert broken_invariants() == {}


def test_a_kill_before_the_file_is_written_leaves_lines_that_expire(alice, monkeypatch):
    """The form is sent again then, and is another file."""
    monkeypatch.setattr(writes, "transact", lambda *_: (_ for _ in ()).throw(Unavailable("killed")))
    read = read_archive(ARCHIVE, user_id=alice.user_id)
    with pytest.raises(Unavailable):
        writes.bring(by=alice, file_kind=FileKind.POSTS, lines=read, host="testserver")
    assert list_transfers(alice) == []
    assert all(one.ttl for one in waiting(alice))


def test_a_part_of_ten_posts_costs_what_its_docstrings_say(alice, log_in, measure, monkeypatch):
    monkeypatch.setattr(lines, "TASKS_A_PART", 10)
    send(log_in(alice), outbox=outbox(*(note(number) for number in range(1, 11))))
    (due,) = planned()
    with measure() as meter:
        stream.do_next(due)
    assert (meter.read_units, meter.write_units) == (25, 72)
