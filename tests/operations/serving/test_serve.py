"""`make serve` runs production mode on one machine, and leaves nothing behind."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from socialsite.pictures.limits import MOST_BYTES
from tests.accounts.pictures import camera_jpeg
from tests.conftest import PASSWORD
from tests.faults.processes import wait_until
from tests.injected.rotation import share
from tests.operations.serving.served import (
    ROOT,
    UNVERIFIED,
    Served,
    children_of,
    needs_nginx,
    served,
)

pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(400),
]


# One of both a run, the other one in another run; both with `FAULTS=long`.
FRONTS = [pytest.param("", marks=needs_nginx, id="nginx"), pytest.param("0", id="gunicorn alone")]


@pytest.fixture(scope="module", params=share(FRONTS, one_of=2, salt="fronts"))
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The running site, with nginx in front or without."""
    folder = tmp_path_factory.mktemp("serve")
    patient = {"DYNAMODB_SECONDS": "20", "DYNAMODB_WEB_SECONDS": "20"}  # on a busy machine
    with served(folder, NGINX=request.param, METRICS_TOKEN="token", **patient) as site:
        yield site


def test_it_says_where_it_is(site: Served) -> None:
    assert f"https://localhost:{site.port}/ in production mode" in site.output
    assert "signed it itself" in site.output


def test_it_says_which_site_it_is_and_how_to_make_its_administrator(site: Served) -> None:
    assert f"the site in the data folder {site.data_dir}" in site.output
    line = next(line for line in site.output.splitlines() if "createadmin" in line)
    handle = f"first_{site.port}"
    line = line.replace("YOU", handle) + " --password-stdin"
    said = subprocess.run(
        line,
        shell=True,  # as a person does
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        input=PASSWORD,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"@{handle} is created, an administrator" in said
    assert str(site.data_dir) in said
    assert handle in site.browser().get(f"/@{handle}")


def test_the_figures_of_the_worker_are_among_those_of_the_site(site: Served) -> None:
    browser = site.browser()
    browser.sign_up(f"counted_{site.port}")
    wait_until(lambda: records_read(site) > 0, seconds=60)


def records_read(site: Served) -> float:
    text = site.browser().get("/metrics", token="token")
    lines = [line for line in text.splitlines() if line.startswith("worker_records_total ")]
    return float(lines[0].split()[1]) if lines else 0


def test_people_sign_up_post_and_are_read_over_https(site: Served) -> None:
    browser = site.browser()
    browser.sign_up(f"alice_{site.port}")
    browser.say("Hello from production")
    assert "Hello from production" in browser.get("/")
    assert {"__Host-session", "__Host-csrf"} <= set(browser.cookies)
    assert "Secure" in site_cookie(site)


def site_cookie(site: Served) -> str:
    browser = site.browser()
    browser.get("/signup")
    return browser.answer.msg.get("Set-Cookie", "")


def test_it_is_production_mode(site: Served) -> None:
    browser = site.browser()
    assert "Traceback" not in browser.get("/not/there")
    assert browser.answer.status == 404
    assert "/static/css/site." in browser.get("/about")  # joined, hashed
    browser.get("/", host="evil.example")
    assert browser.answer.status == 400


def test_this_machine_is_not_told_to_use_https_for_ever(site: Served) -> None:
    """A browser that trusts the certificate would refuse `make run` on http://localhost for two years."""
    browser = site.browser()
    browser.get("/about")
    assert "Strict-Transport-Security" not in browser.answer.msg


def test_health_is_told_to_any_host(site: Served) -> None:
    browser = site.browser()
    assert browser.get("/healthz", host="10.0.0.7") == "ok"
    assert (
        '"status": "ok"' in browser.get("/readyz", host="10.0.0.7") or browser.answer.status == 200
    )


@pytest.mark.parametrize(
    ("path", "size", "answered"),
    [
        ("/photos", MOST_BYTES - 1, 302),
        ("/photos", MOST_BYTES * 3 // 2, 413),
        ("/login", MOST_BYTES, 413),
    ],
)
def test_a_photo_as_large_as_allowed_is_taken_and_more_refused_in_our_words(
    site: Served, path: str, size: int, answered: int
) -> None:
    browser = site.browser()
    browser.sign_up(f"sender{uuid.uuid4().hex[:8]}")
    content = camera_jpeg().ljust(size, b"\0")
    text = browser.send_file(path, "photo", content)
    assert browser.answer.status == answered, text
    assert answered == 302 or "too large to send" in text


def test_http_on_the_same_port_leads_to_https(site: Served) -> None:
    if not site.child(b"nginx"):
        pytest.skip("nginx does this")
    with socket.create_connection(("127.0.0.1", site.port)) as plain:
        plain.sendall(f"GET /about HTTP/1.1\r\nHost: localhost:{site.port}\r\n\r\n".encode())
        said = plain.recv(4096).decode()
    assert said.startswith("HTTP/1.1 301")
    assert f"Location: https://localhost:{site.port}/about\r\n" in said


# With the environment in which each is tried.
ENDINGS = {signal.SIGINT: {}, signal.SIGKILL: {}, signal.SIGTERM: {"NGINX": "0"}}


@needs_nginx
def test_nothing_is_left_however_it_ends(tmp_path: Path) -> None:
    """One of three endings, another one each run."""
    for number in share(ENDINGS, one_of=3, salt="endings"):
        folder = tmp_path / number.name
        folder.mkdir()
        with served(folder, **ENDINGS[number]) as site:
            # Itself, the engine, the worker, gunicorn's master and two workers.
            assert len(site.processes()) >= 6
            site.process.send_signal(number)
            assert site.process.wait(60) == (-number if number == signal.SIGKILL else 0)
            site.wait_until_gone()
            with socket.create_server(("127.0.0.1", site.port)):
                """Nobody holds the port any more."""


def test_a_request_that_waited_too_long_is_refused_when_its_turn_comes(site: Served) -> None:
    """By the kernel's account under gunicorn alone, by `X-Request-Start` behind nginx."""
    connection = http.client.HTTPSConnection("127.0.0.1", site.port, context=UNVERIFIED)
    headers = {"Host": f"localhost:{site.port}"}
    connection.request("GET", "/about", headers=headers)
    assert connection.getresponse().read()
    workers = children_of(site.child(b"gunicorn"))
    for pid in workers:
        os.kill(pid, signal.SIGSTOP)
    connection.request("GET", "/about", headers=headers)
    asked = time.monotonic()
    wait_until(lambda: time.monotonic() - asked > 2, seconds=5)
    for pid in workers:
        os.kill(pid, signal.SIGCONT)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Retry-After")) == (503, "2")
    answer.read()
    connection.request("GET", "/about", headers=headers)
    assert connection.getresponse().status == 200


def test_what_is_killed_is_started_again(site: Served) -> None:
    for name in (
        b"gunicorn",
        b"run_worker",
        *([] if "no nginx" in site.output else [b"nginx: master"]),
    ):
        before = site.child(name)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda b=before, n=name: site.child(n) not in (0, b), seconds=60)
    wait_until(lambda: is_answered(site), seconds=60)


def test_a_worker_that_something_stopped_is_ended_and_started_anew(site: Served) -> None:
    before = site.child(b"run_worker")
    os.kill(before, signal.SIGSTOP)
    wait_until(lambda: site.child(b"run_worker") not in (0, before), seconds=30)
    assert "The stream worker was stopped; it is started again." in site.output


def is_answered(site: Served) -> bool:
    browser = site.browser()
    try:
        browser.get("/about")
    except OSError:
        return False
    return browser.answer.status == 200


def test_commands_of_development_work_on_the_same_data(site: Served) -> None:
    """Both have the keys in the data folder, so what `make run` made is served, too."""
    handle = f"boss_{site.port}"
    options = [f"--email={handle}@example.org", "--password-stdin"]
    subprocess.run(
        [sys.executable, "manage.py", "createadmin", handle, *options],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(site.data_dir)},
        input=PASSWORD.encode(),
        capture_output=True,
        check=True,
    )
    assert handle in site.browser().get(f"/@{handle}")
