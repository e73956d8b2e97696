"""`make serve` runs production mode on one machine, contacts nobody, and says why it cannot start."""

import http.client
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured

from operations.serving import children
from operations.serving.children import Child
from operations.serving.nginx import find_certificate, free_addresses, make_certificate
from operations.serving.standing import ASK_EVERY, PATIENCE, Standing
from socialsite.engine.lock import read_state
from socialsite.pictures.limits import MOST_BYTES
from tests.accounts.pictures import camera_jpeg
from tests.conftest import PASSWORD
from tests.contacts import is_here, open_sockets
from tests.faults.processes import wait_until
from tests.injected.faults import share
from tests.operations.commands.test_runserver import running
from tests.operations.serving.served import (
    ROOT,
    UNVERIFIED,
    Browser,
    Served,
    children_of,
    needs_nginx,
    processes_on,
    served,
)

embedded_alone = pytest.mark.engines("embedded", reason="the command starts its own engine")


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


@embedded_alone
@pytest.mark.timeout(400)
def test_it_says_where_it_is(site: Served) -> None:
    assert f"https://localhost:{site.port}/ in production mode" in site.output
    assert "signed it itself" in site.output


@embedded_alone
@pytest.mark.timeout(400)
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


@embedded_alone
@pytest.mark.timeout(400)
def test_an_administrator_is_not_made_in_a_folder_that_nobody_serves(site: Served) -> None:
    """As a person does who has read no line of it, in another terminal."""
    said = subprocess.run(
        [sys.executable, "manage.py", "createadmin", "me", "--email=me@example.org"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TMPDIR": str(site.own_tmp)},
        input=PASSWORD,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 1
    assert f"Begin the command with DATA_DIR={site.data_dir}" in said.stderr


@embedded_alone
@pytest.mark.timeout(400)
def test_the_figures_of_the_worker_are_among_those_of_the_site(site: Served) -> None:
    browser = site.browser()
    browser.sign_up(f"counted_{site.port}")
    wait_until(lambda: records_read(site) > 0, seconds=60)


def records_read(site: Served) -> float:
    text = site.browser().get("/metrics", token="token")
    lines = [line for line in text.splitlines() if line.startswith("worker_records_total ")]
    return float(lines[0].split()[1]) if lines else 0


@embedded_alone
@pytest.mark.timeout(400)
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


@embedded_alone
@pytest.mark.timeout(400)
def test_it_is_production_mode(site: Served) -> None:
    browser = site.browser()
    assert "Traceback" not in browser.get("/not/there")
    assert browser.answer.status == 404
    assert "/static/css/site." in browser.get("/about")  # joined, hashed
    browser.get("/", host="evil.example")
    assert browser.answer.status == 400


@embedded_alone
@pytest.mark.timeout(400)
def test_this_machine_is_not_told_to_use_https_for_ever(site: Served) -> None:
    """A browser that trusts the certificate would refuse `make run` on http://localhost for two years."""
    browser = site.browser()
    browser.get("/about")
    assert "Strict-Transport-Security" not in browser.answer.msg


@embedded_alone
@pytest.mark.timeout(400)
def test_health_is_told_to_any_host(site: Served) -> None:
    browser = site.browser()
    assert browser.get("/healthz", host="10.0.0.7") == "ok"
    assert (
        '"status": "ok"' in browser.get("/readyz", host="10.0.0.7") or browser.answer.status == 200
    )


@embedded_alone
@pytest.mark.timeout(400)
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


@embedded_alone
@pytest.mark.timeout(400)
def test_http_on_the_same_port_leads_to_https(site: Served) -> None:
    if not site.child(b"nginx: master"):  # gunicorn may say which module it serves
        pytest.skip("nginx does this")
    with socket.create_connection(("127.0.0.1", site.port)) as plain:
        plain.sendall(f"GET /about HTTP/1.1\r\nHost: localhost:{site.port}\r\n\r\n".encode())
        said = plain.recv(4096).decode()
    assert said.startswith("HTTP/1.1 301")
    assert f"Location: https://localhost:{site.port}/about\r\n" in said


# With the environment in which each is tried.
ENDINGS = {signal.SIGINT: {}, signal.SIGKILL: {}, signal.SIGTERM: {"NGINX": "0"}}


@embedded_alone
@pytest.mark.timeout(400)
@needs_nginx
def test_nothing_is_left_however_it_ends(tmp_path: Path) -> None:
    """One of three endings, another one each run."""
    for number in share(ENDINGS, one_of=3, salt="endings"):
        folder = tmp_path / number.name
        folder.mkdir()
        with served(folder, **ENDINGS[number]) as site:
            # Itself, the engine, the worker, gunicorn's master and two workers, and who tells pages.
            wait_until(lambda s=site: len(s.processes()) >= 7, seconds=60)
            site.process.send_signal(number)
            assert site.process.wait(60) == (-number if number == signal.SIGKILL else 0)
            site.wait_until_gone()
            with socket.create_server(("127.0.0.1", site.port)):
                """Nobody holds the port any more."""


@embedded_alone
@pytest.mark.timeout(400)
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


@embedded_alone
@pytest.mark.timeout(400)
def test_what_is_killed_is_started_again(site: Served) -> None:
    for name in (
        b"gunicorn",
        b"run_worker",
        b"run_live",
        *([] if "no nginx" in site.output else [b"nginx: master"]),
    ):
        before = site.child(name)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda b=before, n=name: site.child(n) not in (0, b), seconds=60)
    wait_until(lambda: is_answered(site), seconds=60)


@embedded_alone
@pytest.mark.timeout(400)
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


@embedded_alone
@pytest.mark.timeout(400)
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


# `make serve` that cannot start says why in one sentence.


def refused(folder: Path, **environment: str) -> str:
    """What it says when it does not start."""
    site = Served(folder, **environment)
    assert site.process.wait(60) == 1
    assert "Traceback" not in site.output
    return " ".join(site.output.split())


@embedded_alone
def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    address = free_addresses(1)[0]
    port = int(address.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)):
        said = refused(tmp_path, ADDRESS=str(port))
    assert f"Cannot listen on 127.0.0.1:{port}" in said
    assert f"`ADDRESS={port + 1} make serve`" in said


@embedded_alone
@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"ADDRESS": "here"}, "ADDRESS is here."),
        ({"NGINX": "/no/such/nginx"}, "NGINX is /no/such/nginx"),
        ({"TLS_CERTIFICATE": "/no/such.pem"}, "TLS_CERTIFICATE is '/no/such.pem'"),
        ({"DYNAMODB_ENDPOINT": "http://127.0.0.1:9"}, "SECRET_KEY is not set."),
    ],
)
def test_what_cannot_work_is_one_sentence(
    tmp_path: Path, environment: dict[str, str], sentence: str
) -> None:
    assert sentence in refused(tmp_path, **environment)


@embedded_alone
def test_a_data_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sentence = "The site cannot read and write"
    assert sentence in refused(tmp_path, DATA_DIR=str(tmp_path / "file" / "var"))
    for name in ("tls.pem", "nginx"):  # what is in the way of the one, and of the other
        (tmp_path / name / "var").mkdir(parents=True)
        in_the_way = tmp_path / name / "var" / name
        in_the_way.touch() if name == "nginx" else in_the_way.mkdir()
        said = refused(tmp_path, DATA_DIR=str(in_the_way.parent), NGINX="")
        assert f"{sentence} {in_the_way.parent}" in said


@embedded_alone
def test_static_files_that_cannot_be_written_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refused(tmp_path, STATIC_ROOT=str(tmp_path / "file" / "static"))
    assert "The static files cannot be collected" in said


# A worker that does nothing, though its process runs, is started anew; one that is only busy is not.

HANGING = Path(__file__).parent / "hanging"


def told(*, worker: bool = True, clock: bool = True, **more: Any) -> dict[str, Any]:
    return {"worker": {"working": worker}, "clock": {"working": clock}, **more}


@embedded_alone
@pytest.mark.timeout(400)
@pytest.mark.parametrize("part", PATIENCE)
def test_a_part_that_does_nothing_for_long_hangs_and_is_told_once(part: str) -> None:
    standing, silent = Standing(), told(**{part: False})
    assert not standing.hangs(silent, 0)
    assert not standing.hangs(silent, PATIENCE[part] - 1)
    assert standing.hangs(silent, PATIENCE[part])
    assert not standing.hangs(silent, PATIENCE[part] + 1)


@embedded_alone
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "between",
    [told(), {}, told(worker=False, disk="full"), told(worker=False, status="read-only")],
    ids=["it works again", "no answer", "a full disk", "only read on purpose"],
)
def test_what_was_no_silence_in_between_ends_the_count(between: dict[str, Any]) -> None:
    standing, silent = Standing(), told(worker=False)
    assert not standing.hangs(silent, 0)
    assert not standing.hangs(between, 50)
    assert not standing.hangs(silent, 90)


@embedded_alone
@pytest.mark.timeout(400)
def test_the_site_is_asked_now_and_then() -> None:
    standing = Standing()
    asked = [now for now in range(100) if standing.is_time(now)]
    assert asked == [0, int(ASK_EVERY), int(2 * ASK_EVERY), int(3 * ASK_EVERY)]


@embedded_alone
@pytest.mark.timeout(400)
@pytest.mark.skipif(sys.platform == "win32", reason="it has no such signal")
@pytest.mark.long
def test_a_worker_that_hangs_is_ended_and_started_anew_and_what_waited_is_done(
    tmp_path: Path,
) -> None:
    with served(tmp_path, NGINX="0", PYTHONPATH=str(HANGING)) as site:
        browser = site.browser()
        browser.sign_up("alice")
        before = site.child(b"run_worker")
        os.kill(before, signal.SIGUSR1)
        browser.say("While nobody worked")
        wait_until(lambda: site.child(b"run_worker") not in (0, before), seconds=200)
        assert "The stream worker does nothing; it is started again." in site.output
        wait_until(lambda: "While nobody worked" in site.browser().get("/local"), seconds=60)
        wait_until(lambda: '"working": true' in browser.get("/readyz"), seconds=60)


# A process of the site that ends at once is told apart from one that something else killed.

ENDS = {
    "raise SystemExit": True,
    "raise SystemExit('no such setting')": True,
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": True,
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": False,
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)": False,
}


@pytest.mark.parametrize(("program", "cannot_run"), ENDS.items())
def test_what_ends_by_itself_at_once_cannot_run_and_what_is_killed_may(
    program: str, cannot_run: bool, tmp_path: Path
) -> None:
    child = Child("a program", [sys.executable, "-c", program], {}, tmp_path)
    child.start()
    child.end()
    assert child.cannot_run is cannot_run


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it")
def test_what_is_stopped_and_goes_on_is_left_alone_and_what_stays_so_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "STOPPED_SECONDS", 0.5)
    program = [sys.executable, "-c", "import time; time.sleep(600)"]
    child = Child("a program", program, dict(os.environ), tmp_path)
    child.start()
    assert not child.is_stopped
    os.kill(child.process.pid, signal.SIGSTOP)
    wait_until(lambda: child.is_stopped or child.stopped_since is not None, seconds=30)
    os.kill(child.process.pid, signal.SIGCONT)
    wait_until(lambda: not child.is_stopped and child.stopped_since is None, seconds=30)
    os.kill(child.process.pid, signal.SIGSTOP)
    wait_until(lambda: child.is_stopped, seconds=30)
    child.end(0)
    assert child.has_ended
    assert not child.is_stopped


# A whole site contacts its engine and nothing else, in debug mode and in production mode.
#
# Every Python process of the site carries the guard of `tests/contacts`. The engine and nginx, which are native,
# are looked at while they run.

embedded_alone_for_contacts = pytest.mark.engines(
    "embedded", reason="the site starts its own engine"
)

PAGES = (
    "/", "/local", "/explore", "/search?q=hello", "/tags/cats", "/about", "/rules", "/@dora", "/@dora/feed.atom",
    "/posts/new", "/notifications", "/friends", "/circles", "/saved", "/drafts", "/scheduled", "/standing",
    "/photos", "/settings/profile",
    "/settings/security", "/settings/password", "/settings/privacy", "/settings/data", "/not/there", "/readyz",
    "/metrics",
)  # fmt: skip
SECONDS_FOR_THE_WORKER = 30


def use(browser: Browser) -> None:
    """A visit with everything that could tempt a site to ask elsewhere: addresses in posts, letters, a new
    account, a wrong password."""
    browser.sign_up("dora")
    browser.say("Hello #cats, look at https://example.com/a and @nobody@social.example")
    for page in PAGES:
        browser.get(page)
        assert browser.answer.status < 500, page
    browser.post("/logout")
    browser.get("/login")
    browser.post("/login", account="dora@example.org", password="not-her-password")
    browser.get("/password/forgot")
    browser.post("/password/forgot", email="dora@example.org")
    browser.get("/login")
    browser.post("/login", account="dora", password=PASSWORD)
    assert browser.answer.status == 302


def wait_for_the_worker(browser: Browser) -> None:
    until = time.monotonic() + SECONDS_FOR_THE_WORKER
    while "Hello" not in browser.get("/tags/cats"):
        assert time.monotonic() < until
        time.sleep(0.2)


@contextmanager
def in_debug_mode(folder: Path, **environment: str) -> Iterator[Browser]:
    with running(folder / "var", DEMO="0", **environment) as site:
        yield Browser(site.port, plainly=True)


@contextmanager
def in_production_mode(folder: Path, **environment: str) -> Iterator[Browser]:
    with served(folder, **environment) as site:
        yield site.browser()


@embedded_alone_for_contacts
@pytest.mark.skipif(sys.platform != "linux", reason="open sockets are looked up in /proc")
@pytest.mark.parametrize("start", [in_debug_mode, in_production_mode])
def test_the_site_contacts_its_engine_and_nothing_else(start, tmp_path):
    noted = tmp_path / "contacts"
    guard = {"PYTHONPATH": f"{ROOT / 'tests' / 'contacts'}:{ROOT}", "CONTACTS": str(noted)}
    with start(tmp_path, **guard) as browser:
        use(browser)
        wait_for_the_worker(browser)
        state = read_state(tmp_path / "var")
        open_now = open_sockets(processes_on(tmp_path / "var"))
    contacted = set(noted.read_text().splitlines())
    assert state is not None
    engine = str(urlsplit(state.url).hostname)
    assert engine in contacted
    assert engine in open_now
    assert {host for host in contacted | open_now if not is_here(host)} == set()


# The certificate that a machine signs itself is kept, private, and made again when it no longer fits.

HOSTS = ["localhost", "127.0.0.1", "[::1]", ".example.org"]


def test_it_is_made_once_and_kept(tmp_path: Path) -> None:
    file, key = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    before = file.read_bytes()
    assert find_certificate({}, folder=tmp_path, hosts=HOSTS) == (file, key)
    assert file.read_bytes() == before


def test_nobody_else_on_the_machine_may_read_its_key(tmp_path: Path) -> None:
    _, key = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


@pytest.mark.parametrize("found", ["", "nonsense", make_certificate(["another.example"])])
def test_one_that_does_not_fit_is_made_again(tmp_path: Path, found: str) -> None:
    (tmp_path / "tls.pem").write_text(found)
    file, _ = find_certificate({}, folder=tmp_path, hosts=HOSTS)
    made = file.read_text()
    assert made != found
    find_certificate({}, folder=tmp_path, hosts=HOSTS)
    assert file.read_text() == made


def test_ones_own_is_used_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.pem"
    own.write_text(make_certificate(["social.example"]))
    environ = {"TLS_CERTIFICATE": str(own), "TLS_KEY": str(own)}
    assert find_certificate(environ, folder=tmp_path / "none", hosts=HOSTS) == (own, own)


@pytest.mark.parametrize("name", ["TLS_CERTIFICATE", "TLS_KEY"])
def test_half_of_one_is_one_sentence(tmp_path: Path, name: str) -> None:
    own = tmp_path / "own.pem"
    own.touch()
    missing = {"TLS_CERTIFICATE": "TLS_KEY", "TLS_KEY": "TLS_CERTIFICATE"}[name]
    with pytest.raises(ImproperlyConfigured, match=f"{missing} is ''"):
        find_certificate({name: str(own)}, folder=tmp_path, hosts=HOSTS)
