"""Commands of operators: archive, createadmin, erase, recommend, redrive."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from accounts.credentials.forms import HandleField
from accounts.credentials.second_factor import get_second_factor
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.permissions import list_staff
from feed.saved.models import SavedPost
from operations.management.command_errors import site_place
from privacy.erasure.writes import keep_account
from relations import lambda_handler
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, fetch, get, keys, write_batch
from tests.accounts.scenes import check_credentials, with_second_factor
from tests.conftest import PASSWORD, post
from tests.operations.commands.test_reconcile import applied
from tests.streams.crowd import home
from tests.streams.records import broken_post, entry, everything, expire, own_archive

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def own_folder(settings, tmp_path: Path) -> None:
    own_archive(settings, tmp_path)


@pytest.fixture
def gone(alice, bob):
    """Two expired entries of Alice and one of Bob, archived."""
    items = expire(entry(alice), entry(alice), entry(bob))
    Worker().drain()
    return items


def said(capsys, *arguments: str) -> list[str]:
    call_command("archive", *arguments)
    return capsys.readouterr().out.splitlines()


@pytest.mark.usefixtures("own_folder")
def test_list_names_the_files_of_all_days_or_one(gone, capsys):
    today = utc_now().date().isoformat()
    (name,) = said(capsys, "list")
    assert name.startswith(f"archive/date={today}/")
    assert said(capsys, "list", "--day", today) == [name]
    assert said(capsys, "list", "--day", "2020-01-01") in ([], [""])


@pytest.mark.usefixtures("own_folder")
def test_an_empty_archive_lists_nothing(table, capsys):
    assert said(capsys, "list") in ([], [""])


@pytest.mark.usefixtures("own_folder")
def test_show_prints_a_json_line_for_each_removal(gone, capsys):
    lines = [json.loads(line) for line in said(capsys, "show")]
    assert [line["item"] for line in lines] == [item.serialize() for item in gone]


@pytest.mark.usefixtures("own_folder")
def test_show_can_be_held_to_a_partition(gone, bob, capsys):
    lines = [json.loads(line) for line in said(capsys, "show", "--pk", gone[2].pk)]
    assert [line["sk"] for line in lines] == [gone[2].sk]


@pytest.mark.usefixtures("own_folder")
def test_restore_creates_a_partitions_items_again_without_an_end(gone, capsys):
    assert said(capsys, "restore", "--pk", gone[0].pk) == ["2 items restored."]
    for item in gone[:2]:
        restored = get(SavedPost, item.key)
        assert restored.ttl is None
        assert restored.post_id == item.post_id
    assert str(gone[2].key) not in everything()


@pytest.mark.usefixtures("own_folder")
def test_restore_leaves_alone_what_is_there(gone, capsys):
    said(capsys, "restore", "--pk", gone[0].pk)
    before = everything()
    said(capsys, "restore", "--pk", gone[0].pk)
    assert everything() == before


@pytest.mark.usefixtures("own_folder")
def test_restoring_again_tells_that_nothing_was_restored(gone, capsys):
    said(capsys, "restore", "--pk", gone[0].pk)
    assert said(capsys, "restore", "--pk", gone[0].pk) == ["0 items restored."]


@pytest.mark.usefixtures("own_folder")
def test_restore_wants_to_know_the_partition(gone):
    with pytest.raises(CommandError, match="--pk"):
        call_command("archive", "restore")


# Making administrators on the command line.


def test_each_administrator_of_the_documents_has_a_handle_that_can_be_had():
    """`createadmin you` is refused, and a newcomer types what stands there."""
    files = [ROOT / "README.md", ROOT / "operations/installation/install.py"]
    text = "\n".join(file.read_text() for file in [*files, *(ROOT / "docs").glob("*.md")])
    handles = re.findall(r"(?:createadmin |\bADMIN=)([a-z]\w*)", text)
    assert len(handles) > 5
    for handle in set(handles):
        HandleField().clean(handle)


def test_an_existing_person_becomes_administrator(alice):
    call_command("createadmin", "@Alice")
    assert get_user_info(alice.user_id).role == "admin"


def test_the_command_says_when_the_second_factor_is_set_up(alice, capsys):
    call_command("createadmin", "alice")
    assert (
        "second factor is set up at the first visit of a moderation page" in capsys.readouterr().out
    )


def test_administrators_are_listed_among_the_staff(alice, monkeypatch):
    for _ in range(2):
        call_command("createadmin", "alice")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    call_command("createadmin", "root_of_us", email="root@example.org", password_stdin=True)
    assert [person.handle for person in list_staff()] == ["alice", "root_of_us"]


def test_a_lost_second_factor_is_taken_off_and_the_role_stays(mod, log_in):
    with_second_factor(mod)
    browser = log_in(mod)
    call_command("createadmin", "@moddy", reset_second_factor=True)
    assert not get_second_factor(mod.user_id).is_on
    assert browser.get("/settings/profile").status_code == 302
    assert get_user_info(mod.user_id).role == "moderator"


def test_an_account_is_signed_out_everywhere_and_no_other(alice, bob, log_in, capsys):
    hers, his = [log_in(alice), log_in(alice)], log_in(bob)
    call_command("createadmin", "@alice", sign_out=True)
    assert "@alice is signed out everywhere: 2 sign-ins ended." in capsys.readouterr().out
    assert [browser.get("/settings/profile").status_code for browser in hers] == [302, 302]
    assert his.get("/settings/profile").status_code == 200
    assert not get_user_info(alice.user_id).role
    with pytest.raises(CommandError, match="No account has the handle nobody"):
        call_command("createadmin", "nobody", sign_out=True)


def test_a_second_factor_of_nobody_is_not_taken_off(table):
    with pytest.raises(CommandError, match="No account has the handle"):
        call_command("createadmin", "nobody_yet", reset_second_factor=True)


def test_a_new_administrator_can_sign_in(table, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    call_command("createadmin", "root_of_us", email="root@example.org", password_stdin=True)
    account = check_credentials(account="root@example.org", password=PASSWORD)
    assert get_user_info(account.user_id).role == "admin"


def test_a_new_handle_needs_an_email_address(table):
    with pytest.raises(CommandError, match="--email"):
        call_command("createadmin", "nobody_yet")


def test_a_weak_password_is_refused_and_nothing_is_created(table, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("12345\n"))
    with pytest.raises(CommandError, match="password"):
        call_command("createadmin", "weak_one", email="weak@example.org", password_stdin=True)
    with pytest.raises(Exception, match="HandleClaim"):
        find_user_by_handle("weak_one")


def test_each_answer_says_which_site_it_was(alice, capsys):
    """Without its DATA_DIR a command works on another one, and says the same."""
    for options in ({}, {"sign_out": True}, {"reset_second_factor": True}):
        call_command("createadmin", "alice", **options)
        assert f"This is the site in {site_place()}." in capsys.readouterr().out
    with pytest.raises(CommandError, match=re.escape(site_place())):
        call_command("createadmin", "nobody_yet")
    with pytest.raises(CommandError, match=re.escape(site_place())):
        call_command("createadmin", "nobody_yet", sign_out=True)


def test_a_site_is_named_by_its_folder_or_its_table(settings):
    settings.DYNAMODB_ENGINE = "embedded"
    assert site_place() == f"the data folder {settings.DATA_DIR}"
    settings.DYNAMODB_ENGINE, settings.DYNAMODB_REGION = "amazon", "eu-central-1"
    assert site_place().endswith("in eu-central-1")


# `manage.py erase`: for requests that come by letter.


def test_it_closes_the_account_and_names_the_receipt(alice, capsys):
    call_command("erase", "@Alice")
    address = capsys.readouterr().out.split()[-1]
    assert Client().get(address).status_code == 200
    assert Client().get("/@alice").status_code == 404
    assert keep_account(by=alice)


def test_now_is_at_once(alice, drain_stream):
    call_command("erase", "alice", "--now")
    do_due()
    drain_stream()
    with pytest.raises(CommandError, match="Nobody has the handle alice"):
        call_command("erase", "alice")


def test_it_says_why_it_does_nothing(alice, admin):
    call_command("erase", "alice")
    with pytest.raises(CommandError, match="closing already"):
        call_command("erase", "alice")
    with pytest.raises(CommandError, match="last administrator"):
        call_command("erase", "addy")
    with pytest.raises(CommandError, match="Nobody has the handle nobody"):
        call_command("erase", "nobody")


def recommended(capsys, *arguments: str) -> str:
    call_command("recommend", *arguments)
    return capsys.readouterr().out


# `manage.py recommend`: whom someone may know, why, and what it cost.


def rows(text: str) -> list[list[str]]:
    """The rows of its tables."""
    return [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in text.splitlines()
        if line.startswith("│")
    ]


@pytest.fixture
def knows_carol(alice, bob, carol) -> None:
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


@pytest.mark.parametrize("handle", ["alice", "@alice", "ALICE"])
def test_it_prints_who_why_and_how_well_they_fit(knows_carol, capsys, handle):
    first = rows(recommended(capsys, handle))[0]
    assert first == ["carol", "Carol 陈", "Followed by Bob Brandt", "1", "2"]


def test_it_prints_each_kind_of_call_with_its_number_and_the_sum(knows_carol, capsys):
    _, *costs = rows(recommended(capsys, "alice"))
    assert [row[:3] for row in costs] == [
        ["recommend_people", "Query", "4"],
        ["recommend_people", "BatchGetItem", "1"],
        ["list_suggestions", "BatchGetItem", "1"],
        ["all", "", "6"],
    ]


def test_it_prints_no_more_than_asked_for(alice, bob, carol, mod, capsys):
    follow(by=alice, user_id=bob.user_id)
    for one in (carol, mod):
        follow(by=bob, user_id=one.user_id)
    assert "moddy" in recommended(capsys, "alice")
    assert "moddy" not in recommended(capsys, "alice", "--size", "1")


def test_it_leaves_out_whom_the_pages_leave_out(alice, knows_carol, carol, capsys):
    block(by=alice, user_id=carol.user_id)
    assert "Nobody to recommend to alice." in recommended(capsys, "alice")


def test_it_keeps_nothing(alice, knows_carol, capsys):
    recommended(capsys, "alice")
    assert not fetch([keys.suggestions(alice.user_id)])


def test_as_json_it_answers_both_levels_with_their_cost(knows_carol, alice, bob, carol, capsys):
    answer = json.loads(recommended(capsys, "alice", "--json"))
    assert [(one["id"], one["types"]) for one in answer["level_1"]] == [(bob.user_id, ["follows"])]
    (second,) = answer["level_2"]
    assert (
        second.items()
        >= {
            "id": carol.user_id,
            "handle": "carol",
            "reason": "followed",
            "sentence": "Followed by Bob Brandt",
            "via": {"id": bob.user_id, "handle": "bob"},
            "score": 2,
        }.items()
    )
    assert answer["cost"]["calls"] == 8
    assert answer["cost"]["read_units"] > 0


def test_as_json_it_answers_what_the_function_does(knows_carol, capsys):
    of_function = lambda_handler.handle({"operation": "levels", "user": "alice"})
    of_command = json.loads(recommended(capsys, "@Alice", "--json"))
    for answer in (of_function, of_command):
        del answer["cost"]  # the function looks up the handle as well
    assert of_command == of_function


def test_nobody_is_one_sentence(table):
    with pytest.raises(CommandError, match="No account has the handle not_there"):
        call_command("recommend", "not_there")


# `manage.py redrive`: parked records are tried again, or given up.


@pytest.fixture
def parked(alice, bob, settings) -> Item:
    """A post that is parked as its author's info is away: that info."""
    settings.PULL_ABOVE = 0
    follow(by=bob, user_id=alice.user_id)
    key = keys.user_info(alice.user_id)
    info = Item.from_raw_data(fetch([key])[key])
    write_batch(deletes=[key])
    post(alice)
    applied()
    return info


def redriven(capsys, *options: str) -> list[str]:
    call_command("redrive", *options)
    return capsys.readouterr().out.splitlines()


def test_without_dead_letters_there_is_nothing_to_do(table, capsys):
    assert redriven(capsys) == ["0 applied, 0 still failing."]


def test_what_still_fails_stays_and_is_named(parked, capsys):
    (letter,) = list_dead_letters()
    first, second = redriven(capsys)
    assert first == "0 applied, 1 still failing."
    assert letter.sequence in second
    assert list_dead_letters()


def test_what_succeeds_is_applied_and_gone(parked, bob, capsys):
    write_batch(puts=[parked])
    assert redriven(capsys) == ["1 applied, 0 still failing."]
    assert not list_dead_letters()
    assert len(home(bob)) == 1


def test_one_that_fails_does_not_stop_the_others(parked, carol, capsys):
    write_batch(puts=[broken_post(carol)])
    applied()
    assert len(list_dead_letters()) == 2
    write_batch(puts=[parked])
    assert redriven(capsys)[0] == "1 applied, 1 still failing."
    assert len(list_dead_letters()) == 1


def test_discard_deletes_them_unapplied_and_names_each(parked, bob, capsys):
    (letter,) = list_dead_letters()
    named, counted, advice = redriven(capsys, "--discard")
    assert letter.sequence in named
    assert counted == "1 discarded."
    assert "manage.py reconcile" in advice
    assert not list_dead_letters()
    write_batch(puts=[parked])
    assert redriven(capsys) == ["0 applied, 0 still failing."]


def test_discarding_nothing_is_harmless(table, capsys):
    assert redriven(capsys, "--discard") == ["0 discarded."]
