"""tools/install-service says what it would do and changes nothing, does it with --yes, and takes it off again. An
upgrade that cannot work says so before it changes anything."""

import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from operations.installation import services, switch
from operations.installation import upgrade as upgrading
from operations.installation.install import (
    Wish,
    _write_env,
    command_text,
    go,
    steps_to_install,
    timers_of,
    write_nginx,
)
from operations.installation.places import Places, State, other
from operations.installation.services import InstallationError, read_env
from operations.installation.switch import Switch
from operations.installation.versions import data_version, make_version
from tests.operations.installation.machine import machine
from tests.operations.serving.served import ROOT


def test_a_dry_run_names_every_step_and_changes_nothing(tmp_path, capsys):
    places = Places(tmp_path)
    go(steps_to_install(Wish(places, "social.example")), is_meant=False)
    said = capsys.readouterr().out
    for part in (
        "etc/socialsite/env",
        "slot-a",
        "versions",
        "site.pem",
        "nginx.conf",
        "socialsite-worker.service",
    ):
        assert part in said
    assert "now:" not in said
    assert list(tmp_path.iterdir()) == []


def test_the_site_needs_a_domain_and_the_command_says_so(tmp_path):
    with machine(tmp_path) as site:
        done = site.run("install")
        assert done.returncode == 1
        assert "--domain example.org" in done.stderr
        assert "Traceback" not in done.stderr


def test_the_file_of_nginx_leads_to_a_slot_and_reads_requests_as_another_user(tmp_path):
    places = Places(tmp_path)
    places.settings.mkdir(parents=True)
    places.env.write_text("ALLOWED_HOSTS=social.example,www.social.example\nWEB_CONCURRENCY=2\n")
    for slot, port in (("a", 8000), ("b", 8010)):
        write_nginx(places, slot=slot)
        text = places.nginx.read_text()
        assert f"server 127.0.0.1:{port};" in text
        assert f"http://127.0.0.1:{port + 1};" in text
        assert "listen 80;" in text
        assert f"root {places.acme};" in text
        assert r"social\.example|www\.social\.example" in text
        # What the operator adds, as for the domain of before, outlives upgrades.
        assert text.endswith(f"    include {places.settings}/nginx.d/*.conf;\n}}\n")


def test_behind_a_balancer_the_file_of_nginx_believes_it_alone(tmp_path):
    places = Places(tmp_path)
    places.settings.mkdir(parents=True)
    places.env.write_text("ALLOWED_HOSTS=social.example\nTRUSTED_NETWORKS=10.0.0.0/8\n")
    write_nginx(places)
    assert "set_real_ip_from 10.0.0.0/8;" in places.nginx.read_text()
    places.env.write_text("ALLOWED_HOSTS=social.example\nTRUSTED_NETWORKS=everything\n")
    with pytest.raises(InstallationError, match="TRUSTED_NETWORKS"):
        write_nginx(places)


def test_settings_that_are_given_take_the_place_of_those_of_the_example(tmp_path):
    places, given = Places(tmp_path), tmp_path / "machine.env"
    places.settings.mkdir(parents=True)
    told = {"DATA_KEY": 'of "the" stack', "AWS_REGION": "eu-central-1", "OWN": r"a\b$c"}
    given.write_text("DATA_KEY='of \"the\" stack'\nAWS_REGION=eu-central-1\nOWN='a\\b$c'\n")
    _write_env(places, "social.example", given)
    found = read_env(places.env)
    assert {name: found[name] for name in told} == told
    assert found["ALLOWED_HOSTS"] == "social.example"
    assert len(found["SECRET_KEY"]) > 40  # what nobody gave is made
    # The table is elsewhere, so there is nothing here to back up.
    assert "socialsite-backup.timer" not in timers_of(places)
    places.env.write_text("ALLOWED_HOSTS=social.example\n")
    assert "socialsite-backup.timer" in timers_of(places)


def test_commands_run_in_the_version_that_runs():
    text = command_text(Places(Path("/")))
    assert (
        "cd /srv/socialsite/current && exec .venv/bin/python -m operations.installation manage"
        in text
    )


def test_a_version_that_gets_no_packages_is_never_taken_for_one(tmp_path):
    places = Places(tmp_path)
    for setup, sentence in (
        ("sh -c 'echo no network >&2; false'", "no network"),
        ("true", "made no .venv"),
    ):
        with pytest.raises(InstallationError, match=sentence):
            make_version(places, ROOT, "HEAD", setup)
    with pytest.raises(InstallationError, match="has no commit"):
        make_version(places, ROOT, "no-such-tag")


def test_the_data_version_is_read_and_not_run():
    assert data_version(ROOT) >= 2
    assert data_version(ROOT / "docs") == 0


@pytest.fixture
def service(tmp_path):
    places = Places(tmp_path)
    for folder in (places.versions, places.settings, places.data, places.backups):
        folder.mkdir(parents=True)
    places.env.write_text("ALLOWED_HOSTS=social.example\n")
    places.write_state(State(slot="a", current="old"))
    (places.data / "dynoxide.sqlite").write_bytes(b"x" * 1000)
    return places


def test_a_disk_that_is_nearly_full_is_said_before_anything_is_written(service, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(0, 0, 900))
    before = sorted(service.root.rglob("*"))
    with pytest.raises(InstallationError, match=r"has 0\.0 GB left, and the upgrade needs"):
        upgrading.upgrade(upgrading.Wish(service))
    lock = service.home / "upgrade.lock"
    assert sorted(service.root.rglob("*")) == sorted([*before, lock])


def test_a_rehearsal_reaches_no_bucket_and_not_the_data(service, tmp_path):
    with service.env.open("a") as file:
        file.write("PHOTO_BUCKET=photos-of-people\nSECRET_KEY=secret\n")
    python = tmp_path / "version/.venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nenv >> {tmp_path}/asked\necho "The data are up to date."\n')
    python.chmod(0o755)
    assert upgrading.rehearse(service, tmp_path / "version", tmp_path / "backup") is False
    asked = (tmp_path / "asked").read_text()
    assert "SECRET_KEY=secret" in asked
    assert "photos-of-people" not in asked
    assert f"DATA_DIR={service.data}\n" not in asked
    assert list(service.data.parent.iterdir()) == [service.data]


def test_data_that_were_brought_up_at_amazon_are_restored_there(service):
    (service.versions / "older").mkdir()
    service.write_state(State("a", "newer", "older", "", migrated=True))
    for restore in (False, True):
        with pytest.raises(InstallationError, match="restore the table to a moment before"):
            upgrading.roll_back(upgrading.Wish(service), restore=restore)


def test_two_upgrades_at_once_are_one(service):
    wish = upgrading.Wish(service)
    with upgrading.alone(service):
        for act in (upgrading.upgrade, upgrading.roll_back):
            with pytest.raises(
                InstallationError, match="Another upgrade or roll-back is under way"
            ):
                act(wish)
    with upgrading.alone(service):
        pass


def test_there_is_no_way_back_from_the_first_version(service):
    with pytest.raises(InstallationError, match="There is no version before this one"):
        upgrading.roll_back(upgrading.Wish(service))


def test_links_turn_in_one_step(service):
    service.point(service.current, "old")
    service.point(service.current, "new")
    assert service.current.readlink() == Path("versions/new")
    assert other(other("a")) == "a"


@pytest.fixture
def units(tmp_path, monkeypatch):
    """What systemd was asked, in order. It fails for the verb in the file `refused`."""
    own, asked, refused = tmp_path / "bin", tmp_path / "units", tmp_path / "refused"
    own.mkdir()
    (own / "systemctl").write_text(
        f'#!/bin/sh\necho "$*" >> {asked}\ntest ! -e {refused} || test "$1" != "$(cat {refused})"\n'
    )
    (own / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", f"{own}:{os.environ['PATH']}")
    return lambda: asked.read_text().splitlines() if asked.exists() else []


@pytest.fixture
def steps(service, tmp_path):
    """What commands of the old and the new version were called. To bring data up fails."""
    asked = tmp_path / "asked"
    for name in ("old", "new"):
        python = service.versions / name / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\necho {name} $2 $3 >> {asked}\ntest "$2" != upgrade\n')
        python.chmod(0o755)
    return lambda: [line.split()[:2] for line in asked.read_text().splitlines()]


def test_while_the_site_is_closed_no_timer_works_and_afterwards_they_go_on(service, steps, units):
    with pytest.raises(InstallationError):
        Switch(service, "new", seconds=0).closed(
            lambda version: upgrading._bring_up(service, version)
        )
    asked = units()
    for name in ("socialsite-alarms", "socialsite-backup"):
        assert asked.index(f"stop {name}.timer") < asked.index(f"stop {name}.service")
        assert asked.index(f"stop {name}.service") < asked.index("stop socialsite-engine")
        assert asked[-2:].count(f"start {name}.timer") == 1


def test_a_timer_that_a_version_brings_is_started_and_one_that_was_stopped_is_not(
    service, units, monkeypatch
):
    monkeypatch.setattr(switch, "wait_until_ready", lambda *_, **__: "")
    monkeypatch.setattr(switch, "SETTLES", 0)
    service.units.mkdir(parents=True)
    (service.units / "socialsite-backup.timer").touch()
    Switch(service, "new").open()
    for verb in ("enable", "start"):
        assert f"{verb} socialsite-alarms.timer" in units()
        assert f"{verb} socialsite-backup.timer" not in units()


def test_where_nginx_does_not_take_the_new_version_the_old_one_is_back_with_its_data(
    service, steps, units, tmp_path, monkeypatch
):
    monkeypatch.setattr(switch, "wait_until_ready", lambda *_, **__: "")
    (tmp_path / "refused").write_text("reload")
    with pytest.raises(InstallationError, match="with the data of before"):
        Switch(service, "new", seconds=0).closed(lambda version: None)
    assert steps() == [["old", "backup"]]
    assert service.current.readlink() == Path("versions/old")
    assert f"server {service.app('a')};" in service.nginx.read_text()


def test_an_upgrade_that_went_well_removes_the_backups_of_earlier_ones(service):
    kept = service.backups / "upgrade-to-new.tar.gz"
    others = ("upgrade-to-old.tar.gz", "upgrade-to-old-undone.tar.gz", "socialsite-2026.tar.gz")
    for file in (kept, *(service.backups / name for name in others)):
        file.touch()
    service.write_state(State("b", "new", "old", str(kept)))
    upgrading.remove_old_backups(service)
    there = {file.name for file in service.backups.iterdir()}
    assert there == {kept.name, "socialsite-2026.tar.gz"}


def test_an_upgrade_that_was_killed_goes_back_to_the_backup_of_before_and_not_to_a_later_one(
    service, steps, units
):
    closing = service.backups / "upgrade-to-new-closing.tar.gz"
    closing.write_text("of before, by the upgrade that was killed")
    closing_switch = Switch(service, "new", seconds=0, changes_data=True)
    with pytest.raises(InstallationError, match="with the data of before"):
        closing_switch.closed(lambda version: upgrading._bring_up(service, version))
    assert steps() == [["new", "upgrade"], ["old", "restore"]]
    assert service.current.readlink() == Path("versions/old")
    assert not closing.exists()
    assert closing.with_name("upgrade-to-new-undone.tar.gz").exists()


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"code": 0}, "nothing answers there"),
        ({"code": 503, "status": "unavailable"}, "/readyz is 503: unavailable"),
        ({"code": 200, "worker": {"working": True}}, ""),
        (
            {"code": 200, "worker": {"working": True}, "clock": {"working": False}},
            "the clock does not work",
        ),
        ({"code": 200, "worker": {"working": False}, "read_only": {"why": "planned"}}, ""),
        (
            {"code": 200, "worker": {"working": False}, "read_only": {"why": "refused"}},
            "the worker does not work",
        ),
    ],
)
def test_a_version_is_well_if_its_pages_and_all_behind_them_are(said, wrong):
    found = services._wrong(said, with_parts=True)
    assert wrong in found
    assert bool(wrong) is bool(found)
