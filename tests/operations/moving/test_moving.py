"""A site moves between two engines with all it has."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from feed.likes.models import Like
from feed.likes.writes import like_post
from feed.posts.models import Post
from feed.publishing.writes import delete_post
from moderation.maintenance.writes import end_read_only, plan_read_only
from operations.moving import move as moving
from operations.moving.items import AT_THE_END, STAY, Size, digest_of, read_there
from operations.moving.place import keep_secrets, named_by
from socialsite.clock import utc_now
from socialsite.site_settings import site_setup
from socialsite.site_settings.models import SiteMaintenance
from socialsite.site_settings.read_only import read_only_now
from socialsite.streams.hosts import Host, give_stream_to
from socialsite.streams.worker import Worker, hold_stream
from socialsite.table import keys, row
from socialsite.table.connection import connection, disconnect
from socialsite.table.data_state import WrongData
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire
from tests.conftest import person, post
from tests.injected.faults import share
from tests.looks import broken_invariants
from tests.operations.moving.places import living_at

pytestmark = pytest.mark.engines("embedded", "dynamodb-local", reason="moto is no second place")


def everything() -> dict[tuple[str, str], dict]:
    return {
        (raw["PK"]["S"], raw["SK"]["S"]): raw
        for raw in scan()
        if raw["type"]["S"] not in STAY | AT_THE_END
    }


def posts_here() -> set[str]:
    return {raw["post_id"]["S"] for raw in scan() if raw["type"]["S"] == Post.__name__}


def likes_here() -> set[tuple[str, str]]:
    found = (raw for raw in scan() if raw["type"]["S"] == Like.__name__)
    return {(raw["user_id"]["S"], raw["post_id"]["S"]) for raw in found}


# Again and again, and killed.


def test_a_copy_that_is_repeated_writes_only_what_differs(old, nowhere, alice, bob, capsys):
    post(alice)
    call_command("move", to=nowhere.file)
    post(bob)
    call_command("move", to=nowhere.file)
    first, _, again = (
        line
        for line in capsys.readouterr().err.splitlines()
        if "Pass 1" in line or "Making" in line
    )
    assert "Making" in first
    assert number_before("items written", again) < 20


def number_before(words: str, text: str) -> int:
    return int(text.partition(f" {words}")[0].split()[-1].replace(",", ""))


KILLED_IN = ["_copy", "_last_passes", "_leave", "arrive"]


@pytest.mark.parametrize("killed_in", share(KILLED_IN, one_of=2, salt="killed moves"))
def test_killed_anywhere_the_same_command_goes_on(
    killed_in, old, new, alice, monkeypatch, drain_stream
):
    """As by SIGKILL: nothing is done after it, also not what an error would do."""
    post(alice)
    before = posts_here()
    with monkeypatch.context() as patch:
        patch.setattr(moving, "end_read_only", lambda by: None)
        patch.setattr(moving.Move, killed_in, _die)
        with pytest.raises(Killed):
            call_command("move", to=new.file, finish=True, no_audit=True)
    disconnect()
    call_command("move", to=new.file, finish=True, no_audit=True)
    with living_at(new):
        assert posts_here() == before
        call_command("read_only", "off")
        like_post(by=person("dora"), post_id=before.pop(), author_id=alice.user_id)
        Worker().drain()
        assert broken_invariants() == {}


class Killed(BaseException):
    pass


def _die(*_: object, **__: object) -> None:
    raise Killed


def test_what_the_old_place_lost_or_changed_is_so_at_the_new_one(old, new, alice, bob):
    gone = post(alice)
    call_command("move", to=new.file)
    delete_post(by=alice, post_id=gone)
    Worker().drain()
    call_command("move", to=new.file, finish=True, no_audit=True)
    here = everything()
    with living_at(new):
        there = everything()
    assert there == here


def test_a_fault_in_the_end_lets_people_write_again(old, new, alice, monkeypatch):
    monkeypatch.setattr(moving.Checkpoints, "write", _fail)
    with pytest.raises(CommandError, match="no room"):
        call_command("move", to=new.file, finish=True, no_audit=True)
    assert read_only_now() is None
    post(alice)


def _fail(*_: object) -> None:
    raise OSError("no room")


def test_a_site_does_not_leave_if_someone_lets_people_write_meanwhile(old, new, alice, monkeypatch):
    monkeypatch.setattr(moving.Checkpoints, "write", lambda _: end_read_only(by=alice.user_id))
    with pytest.raises(CommandError, match="has let people write"):
        call_command("move", to=new.file, finish=True, no_audit=True)
    post(alice)
    disconnect()
    assert connection()


def test_the_end_of_an_earlier_plan_does_not_come_in_the_middle(old, new, alice):
    """And what it says to people stays."""
    plan_read_only(by=alice.user_id, ends=utc_now() + timedelta(minutes=5), message="Moving!")
    call_command("move", to=new.file, finish=True, no_audit=True)
    (plan,) = new.place.get([keys.site_maintenance()]).values()
    assert row(SiteMaintenance, plan).ends > (utc_now() + timedelta(hours=19)).isoformat()
    assert row(SiteMaintenance, plan).message == "Moving!"


def test_what_a_page_writes_that_was_held_up_comes_along(old, new, alice, bob, monkeypatch):
    """It began before the site was only read, and writes while both are compared: with all that follows from it."""
    late = []

    def write_late(place, *, on_items):
        if len(late) < 1 and read_only_now():
            late.append(post(alice, "Held up"))
            like_post(by=bob, post_id=late[0], author_id=alice.user_id)
        return read_there(place, on_items=on_items)

    monkeypatch.setattr(moving, "read_there", write_late)
    call_command("move", to=new.file, finish=True, no_audit=True)
    with living_at(new):
        assert set(late) <= posts_here()
        assert broken_invariants() == {}


def test_what_is_written_even_later_is_named(old, new, alice, monkeypatch, capsys):
    monkeypatch.setattr(moving.Move, "arrive", lambda _: post(alice, "Too late"))
    with pytest.raises(CommandError, match="written here after the copy had ended"):
        call_command("move", to=new.file, finish=True, no_audit=True)
    assert f"u#{alice.user_id}#post" in capsys.readouterr().err


# One place at most is a site.


def test_who_still_runs_at_a_place_that_was_left_reads_alone_while_the_site_comes_back(
    old, new, alice
):
    call_command("move", to=new.file, finish=True, no_audit=True)
    with living_at(new):
        call_command("read_only", "off")
        call_command("move", to=old.file)
    (told,) = old.place.get([keys.site_maintenance()]).values()
    assert row(SiteMaintenance, told).ends == moving.FOR_EVER


def test_no_process_starts_on_half_a_site(old, new, alice):
    call_command("move", to=new.file)
    with pytest.raises(WrongData, match="moving into"), living_at(new):
        connection()


def test_no_process_starts_where_the_site_left(old, new, alice):
    call_command("move", to=new.file, finish=True, no_audit=True)
    disconnect()
    with pytest.raises(WrongData, match=f"moved from .* to the table {new.table}"):
        connection()


def test_who_still_runs_at_the_old_place_writes_nothing_however_late(old, new, alice, monkeypatch):
    call_command("move", to=new.file, finish=True, no_audit=True)
    late = (utc_now() + timedelta(days=365)).isoformat()
    monkeypatch.setattr(site_setup, "utc_now_iso", lambda: late)
    assert read_only_now()


def test_a_site_may_stay_after_all(old, new, alice):
    call_command("move", to=new.file, finish=True, no_audit=True)
    call_command("move", stay=True)
    disconnect()
    assert connection()
    assert read_only_now() is None
    with living_at(new), pytest.raises(CommandError, match="has people"):
        call_command("move", to=old.file)


def test_a_site_that_never_left_has_nothing_to_stay_for(old, alice):
    with pytest.raises(CommandError, match="has not left"):
        call_command("move", stay=True)


# What is refused before anything is written.


def test_a_place_with_people_is_refused(old, new, alice, monkeypatch):
    call_command("move", to=new.file, finish=True, no_audit=True)
    call_command("move", stay=True)
    with pytest.raises(CommandError, match="has people"):
        call_command("move", to=new.file)


def test_another_table_than_a_sites_is_refused(old, new, alice):
    call_command("move", to=new.file)
    place = new.place
    place.put({"PK": {"S": "a"}, "SK": {"S": "b"}, "type": {"S": "Invoice"}})
    place.client.delete_item(TableName=new.table, Key=wire(keys.data_state()))
    with pytest.raises(CommandError, match="has other data"):
        call_command("move", to=new.file)


def test_files_of_something_else_are_refused(old, new, alice):
    folder = new.data_dir / "photos"
    folder.mkdir(parents=True)
    (folder / "holiday.jpg").write_bytes(b"mine")
    with pytest.raises(CommandError, match=r"holiday\.jpg"):
        call_command("move", to=new.file)
    assert (folder / "holiday.jpg").exists()


def test_the_place_where_the_site_is_is_refused(old, alice):
    with pytest.raises(CommandError, match="is where the site is"):
        call_command("move", to=old.file)


def test_another_data_key_is_refused(old, new, alice):
    new.file.write_text(new.file.read_text().replace("DATA_KEY=", "DATA_KEY=another"))
    with pytest.raises(CommandError, match=r"DATA_KEY in .* is another one"):
        call_command("move", to=new.file)


def test_a_stream_under_lambda_is_refused(old, new, alice):
    with hold_stream():
        pass
    give_stream_to(Host.LAMBDA)
    with pytest.raises(CommandError, match="hand_over worker"):
        call_command("move", to=new.file)


def test_a_place_where_a_worker_is_at_work_is_refused(old, new, alice):
    with (
        living_at(new),
        hold_stream(),
        living_at(old),
        pytest.raises(CommandError, match="A worker is at work"),
    ):
        call_command("move", to=new.file)


# What is said beforehand.


def test_a_dry_run_says_what_it_would_do_and_costs_and_writes_nothing(old, nowhere, alice, capsys):
    before = everything()
    call_command("move", to=nowhere.file, dry_run=True)
    said = capsys.readouterr().out
    assert f"{len(before):,} items" in said.replace(
        f"{len(before) + 1:,} items", f"{len(before):,} items"
    )
    assert "write units" in said
    assert "only read for" in said
    assert not nowhere.place.has_table()
    assert everything() == before


def test_units_count_each_index_that_an_item_is_in():
    size = Size()
    size.add({"PK": {"S": "a"}, "SK": {"S": "b"}, "type": {"S": "x"}, "content": {"S": "c" * 1500}})
    assert size.write_units == 2
    size.add(
        {
            "PK": {"S": "a"},
            "SK": {"S": "c"},
            "type": {"S": "x"},
            "relation_target": {"S": "d"},
            "update_time": {"S": "e"},
        }
    )
    assert size.write_units == 2 + 2


def test_two_engines_may_write_a_value_differently():
    one = {"PK": {"S": "a"}, "SK": {"S": "b"}, "n": {"N": "10"}, "s": {"SS": ["x", "y"]}}
    other = {"SK": {"S": "b"}, "s": {"SS": ["y", "x"]}, "n": {"N": "1E+1"}, "PK": {"S": "a"}}
    assert digest_of(one) == digest_of(other)
    assert digest_of(one) != digest_of(one | {"n": {"N": "11"}})


def test_a_data_folder_gets_the_keys_that_its_settings_do_not_name(old, tmp_path, alice, settings):
    folder, file = tmp_path / "own", tmp_path / "own.env"
    file.write_text(f"DATA_DIR={folder}\nSECRET_KEY={settings.SECRET_KEY}\n")
    place = named_by(file)
    assert not place.has_table()
    assert not folder.exists()  # a dry run leaves nothing there either
    keep_secrets(place)
    assert [one.name for one in folder.iterdir()] == ["data_key.txt"]
    assert (folder / "data_key.txt").read_text() == settings.DATA_KEY
    assert named_by(file).key_ids() == place.key_ids()


def test_a_data_folder_with_another_key_is_refused(old, tmp_path):
    (tmp_path / "data_key.txt").write_text("another")
    file = tmp_path / "own.env"
    file.write_text(f"DATA_DIR={tmp_path}\n")
    with pytest.raises(CommandError, match="is another one"):
        call_command("move", to=file)
