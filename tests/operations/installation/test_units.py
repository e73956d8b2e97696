"""The units of systemd name commands that exist, cover every process of the site, and are right to systemd itself. The
settings file names settings that exist."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands

from operations.installation import services
from operations.installation.install import DROP_IN, TIMERS, _folders
from operations.installation.places import SLOTS, UNITS, Places
from operations.installation.services import ENGINE, NGINX, PARTS, read_env
from operations.serving import __main__ as serving
from operations.serving import nginx
from operations.serving.live import COMMAND
from tests.operations.installation.systemd import read_unit
from tests.operations.serving.served import ROOT

SERVICES = sorted(file.name for file in UNITS.glob("socialsite-*.service"))
OF_DOCUMENT = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
EXAMPLE = ROOT / "deploy" / "env.example"


def words(name: str) -> list[str]:
    return read_unit(UNITS, name)["ExecStart"][-1].split()


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_runs_a_command_that_exists_in_a_folder_of_its_version(name):
    python, *rest = words(name)
    assert re.fullmatch(r"/srv/socialsite/(current|slot-)/\.venv/bin/python", python)
    assert read_unit(UNITS, name)["WorkingDirectory"] == [python.removesuffix("/.venv/bin/python")]
    if rest[0] == "-m":
        assert importlib.util.find_spec(rest[1])
    else:
        assert rest[0] == "manage.py"
        assert rest[1] in get_commands()


def test_every_process_of_make_serve_has_a_unit(tmp_path):
    places = nginx.Places(*("127.0.0.1:1",) * 5, tmp_path / "a", tmp_path / "b", 1, ("localhost",))
    commands = [child.command for child in serving._children("nginx", places, {}, tmp_path)]
    units = [words(name)[1:] for name in SERVICES] + [["nginx"]]
    assert {" ".join(command[1:3]) for command in commands} == {
        "manage.py run_worker", "manage.py run_pusher", "manage.py run_live", "-m gunicorn", f"-p {tmp_path / 'nginx'}",
    }  # fmt: skip
    for command in commands:
        part = list(command[1:3])
        assert "nginx" in command[0] or [unit for unit in units if unit[:2] == part], command
    assert COMMAND[1:] in units
    both = {tuple(unit[2:]) for unit in units if unit[:2] == ["manage.py", "run_worker"]}
    assert both == {("--only", "stream"), ("--only", "clock")}


def test_every_unit_is_started_by_the_installation():
    started = {f"{name}.service" for name in (*PARTS, ENGINE, NGINX)}
    started |= {"socialsite-web@.service", "socialsite.target", *TIMERS}
    by_timers = {name.replace(".timer", ".service") for name in TIMERS}
    there = {file.name for file in UNITS.glob("*.*") if file.is_file()}
    assert there == started | by_timers | {"journald@socialsite.conf"}


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_can_write_its_data_and_nothing_else(name):
    unit = read_unit(UNITS, name)
    assert unit["NoNewPrivileges"] == ["yes"]
    assert unit["ProtectSystem"] == ["strict"]
    assert "/var/lib/socialsite" in unit["ReadWritePaths"]
    assert set(unit["ReadWritePaths"]) <= {"/var/lib/socialsite", "/var/backups/socialsite"}
    assert unit["User"] == ["socialsite"]
    assert int(unit["LimitNOFILE"][0]) >= 8192
    assert unit["Type"] == ["oneshot"] or unit["Restart"] == ["always"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd")
@pytest.mark.filterwarnings("ignore")
def test_systemd_finds_nothing_wrong(tmp_path):
    places = Places(tmp_path)
    folder = places.units
    (folder / DROP_IN).mkdir(parents=True)
    for file in [*UNITS.glob("*.*"), *(UNITS / DROP_IN).glob("*")]:
        if file.is_file() and not file.name.startswith("journald"):
            (folder / file.relative_to(UNITS)).write_text(places.in_root(file.read_text()))
    for version in ("current", "slot-a", "slot-b"):
        python = places.home / version / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
    named = [
        str(folder / file.name.replace("@.", "@a."))
        for file in folder.glob("*.*")
        if file.is_file()
    ]
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *named],
        env={"PATH": os.environ["PATH"], "SYSTEMD_UNIT_PATH": f"{folder}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    missing = ("nginx is not executable", "certbot is not executable")
    lines = [
        line
        for line in said.stderr.splitlines()
        if any(file.name in line for file in UNITS.glob("*"))
        and not line.endswith(missing)
        and not any(one in line for one in missing)
    ]
    assert lines == []


def test_the_settings_file_names_settings_that_exist_and_all_that_production_needs():
    text = EXAMPLE.read_text()
    named = set(re.findall(r"^#?([A-Z][A-Z_]+)=", text, re.MULTILINE))
    assert named <= OF_DOCUMENT
    read = (ROOT / "socialsite/settings.py").read_text() + (
        ROOT / "socialsite/environment.py"
    ).read_text()
    of_gunicorn = (ROOT / "deploy/gunicorn.conf.py").read_text()
    assert [name for name in named if name not in read + of_gunicorn] == []
    assert named >= {
        "ALLOWED_HOSTS", "SITE_URL", "SECRET_KEY", "DATA_KEY", "DEBUG", "TRUSTED_PROXY_HOPS", "PASSKEY_DOMAIN",
        "MAIL_FROM", "EMAIL_HOST", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "SECURITY_CONTACT", "HSTS_SECONDS",
    }  # fmt: skip


def test_systemd_and_the_installation_read_the_settings_file_alike(tmp_path):
    file = tmp_path / "env"
    file.write_text('# A=1\n\nB=two words\nC="three \\"words\\" x"\nD=\'$HOME\'\nE=\nF=a=b\n')
    assert read_env(file) == {
        "B": "two words", "C": 'three "words" x', "D": "$HOME", "E": "", "F": "a=b",
    }  # fmt: skip
    assert read_env(EXAMPLE)["MAIL_FROM"] == "socialsite <no-reply@example.org>"
    with pytest.raises(services.InstallationError, match="cannot be read"):
        read_env(tmp_path / "none")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("p'q", "p'q"),  # quotes inside are taken as they are
        ('ab"c"d', 'ab"c"d'),
        ("a  b ", "a  b"),
        ("a#b", "a#b"),
        (r"a\\b\$", r"a\b$"),
        (r'"a\"b\\c\d"', r'a"b\c\d'),
        ("'a\\b' \"c\"", r"a\bc"),
        ("'a'b", "ab"),
    ],
)
def test_a_value_is_read_as_systemd_reads_it(tmp_path, written, read):
    (tmp_path / "env").write_text(f"DATA_KEY={written}\n")
    assert read_env(tmp_path / "env") == {"DATA_KEY": read}


def test_a_quote_that_does_not_end_is_a_sentence(tmp_path):
    (tmp_path / "env").write_text("DATA_KEY='secret\n")
    with pytest.raises(services.InstallationError, match=r"DATA_KEY in .* has a quote") as found:
        read_env(tmp_path / "env")
    assert "secret" not in str(found.value)


def test_each_part_and_each_command_knows_the_certificate_that_nginx_serves_and_may_read_it(
    tmp_path,
):
    places = Places(Path("/"))
    for name in SERVICES:
        assert f"TLS_CERTIFICATE={places.certificate}" in read_unit(UNITS, name)["Environment"]
    modes = {folder: mode for folder, mode, _ in _folders(places)}
    assert modes[places.certificate.parent] == 0o711
    below = Places(tmp_path)
    below.settings.mkdir(parents=True)
    below.env.touch()
    assert services.environment(below)["TLS_CERTIFICATE"] == str(below.certificate)


def test_what_runs_and_ends_leaves_no_file_of_counts_behind():
    for name in SERVICES:
        unit = read_unit(UNITS, name)
        is_short = unit["Type"] == ["oneshot"]
        assert (unit.get("UnsetEnvironment") == ["PROMETHEUS_MULTIPROC_DIR"]) is is_short, name


def test_the_settings_file_of_all_parts_names_no_address_that_one_alone_can_have():
    assert "METRICS_BIND" not in EXAMPLE.read_text()


def test_the_slots_have_ports_of_their_own():
    places = Places(Path("/"))
    ports = [places.app(slot) for slot in SLOTS] + [places.health(slot) for slot in SLOTS]
    assert len({*ports, "127.0.0.1:8002", "127.0.0.1:8003"}) == 6
    assert places.app("a") in nginx.SHIPPED.read_text()


def test_the_hook_of_certbot_puts_the_certificate_in_its_place_and_reloads_nginx(tmp_path):
    lineage, to, own = tmp_path / "live", tmp_path / "tls", tmp_path / "bin"
    for folder in (lineage, to, own):
        folder.mkdir()
    (lineage / "fullchain.pem").write_text("new certificate")
    (lineage / "privkey.pem").write_text("new key")
    (own / "systemctl").write_text(f"#!/bin/sh\necho $* > {tmp_path}/asked\n")
    (own / "systemctl").chmod(0o755)
    subprocess.run(
        [str(ROOT / "deploy/certificate-hook")],
        env={
            "PATH": f"{own}:{os.environ['PATH']}",
            "RENEWED_LINEAGE": str(lineage),
            "CERTIFICATE_FOLDER": str(to),
        },
        check=True,
    )
    assert (to / "site.pem").read_text() == "new certificate"
    assert (to / "site.key").stat().st_mode & 0o777 == 0o600
    # Alarms look at the certificate as the site's user.
    assert (to.stat().st_mode & 0o777, (to / "site.pem").stat().st_mode & 0o777) == (0o711, 0o644)
    assert (tmp_path / "asked").read_text() == "reload nginx-socialsite.service\n"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="this machine has no systemd")
@pytest.mark.parametrize("name", ["socialsite-worker.service", "socialsite-web@a.service"])
def test_systemd_itself_calls_the_parts_little_exposed(name):
    """2 of 10 at most, where 10 is a service that may do anything."""
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20", name]
    environment = {"PATH": os.environ["PATH"], "SYSTEMD_UNIT_PATH": f"{UNITS}:"}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-300:] + said.stderr
