"""How the service is asked: systemctl, the settings file, commands in the site's environment, /readyz."""

import http.client
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from operations.installation.places import USER, Places

PARTS = ("socialsite-worker", "socialsite-clock", "socialsite-pusher", "socialsite-live")
ENGINE, NGINX = "socialsite-engine", "nginx-socialsite"
READY_SECONDS = 90

QUOTED = re.compile(r"""'(?P<single>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)\"""")


class InstallationError(Exception):
    """What cannot be done, in a sentence."""


def read_env(file: Path) -> dict[str, str]:
    """Returns the settings as systemd reads them: a name, `=`, and a value that may be quoted."""
    found = {}
    try:
        lines = file.read_text().splitlines()
    except OSError as error:
        raise InstallationError(f"{file} cannot be read ({error.strerror}).") from error
    for line in lines:
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith(("#", ";")):
            try:
                found[name.strip()] = _value(value.strip())
            except ValueError as error:
                raise InstallationError(
                    f"{name.strip()} in {file} has a quote that does not end in its line."
                ) from error
    return found


def _value(text: str) -> str:
    """Quotes count at the beginning alone. A backslash is dropped where nothing is quoted, and in double quotes before
    what a shell would read. Raises `ValueError` for a quote that does not end."""
    found = ""
    while text.startswith(("'", '"')):
        quoted = QUOTED.match(text)
        if quoted is None:
            raise ValueError("a quote does not end")
        single, double = quoted["single"], quoted["double"]
        found += re.sub(r'\\(["\\`$])', r"\1", double) if single is None else single
        text = text[quoted.end() :].lstrip()
    return found + re.sub(r"\\(.)", r"\1", text)


def uses_engine(env: Mapping[str, str]) -> bool:
    """Whether the table is in the embedded engine of this machine."""
    return not any(env.get(name) for name in ("DYNAMODB_ENDPOINT", "AWS_REGION"))


def environment(places: Places, **more: str) -> dict[str, str]:
    """Returns the environment of the site's processes."""
    path = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
    path["TLS_CERTIFICATE"] = str(places.certificate)
    settings = {name: value for name, value in read_env(places.env).items() if value}
    return path | settings | {"DATA_DIR": str(places.data)} | more


def manage(
    places: Places, version: Path, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command of a version as the site's user. Raises `InstallationError` with what it said, if it fails."""
    result = subprocess.run(  # noqa: S603 - a command of our own
        [str(version / ".venv/bin/python"), "manage.py", *arguments],
        cwd=version,
        env=environment(places, **more),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=as_user(places),
    )
    if result.returncode:
        said = (result.stderr or result.stdout).strip().splitlines() or ["It said nothing."]
        raise InstallationError(f"`manage.py {' '.join(arguments)}` failed. {said[-1]}")
    return result


def as_user(places: Places) -> Any:
    """Returns what makes a child process the site's user, if root calls it on a real machine."""
    if not places.is_real or os.geteuid() != 0:
        return None
    try:
        user = pwd.getpwnam(USER)
    except KeyError as error:
        raise InstallationError(f"There is no user {USER}. Run tools/install-service.") from error

    def become() -> None:
        os.initgroups(USER, user.pw_gid)
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)

    return become


def become_user(places: Places) -> None:
    if become := as_user(places):
        become()


def systemctl(*arguments: str, check: bool = True) -> bool:
    """Asks systemd. Raises `InstallationError` with its own words."""
    program = shutil.which("systemctl")
    if program is None:
        raise InstallationError("This machine has no systemd (systemctl).")
    result = subprocess.run(  # noqa: S603 - the machine's own
        [program, *arguments], capture_output=True, text=True, check=False
    )
    if check and result.returncode:
        raise InstallationError(
            f"`systemctl {' '.join(arguments)}` failed. {result.stderr.strip()}"
        )
    return result.returncode == 0


def ask_ready(address: str) -> dict[str, Any]:
    """Returns what /readyz of a gunicorn says, with its status as `code`; 0 if nothing answers."""
    host, _, port = address.rpartition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=3)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return {**dict(json.loads(answer.read())), "code": answer.status}
    except (OSError, http.client.HTTPException, ValueError):
        return {"code": 0}
    finally:
        connection.close()


def wait_until_ready(address: str, *, with_parts: bool, seconds: float = READY_SECONDS) -> str:
    """Waits until the pages there are good, and, if asked for, worker and clock too. Returns an empty string, or what
    is wrong after that time."""
    until = time.monotonic() + seconds
    while True:
        said = ask_ready(address)
        wrong = _wrong(said, with_parts=with_parts)
        if not wrong or time.monotonic() > until:
            return wrong
        time.sleep(0.3)


def _wrong(said: Mapping[str, Any], *, with_parts: bool) -> str:
    if said["code"] == 0:
        return "nothing answers there"
    if said["code"] != 200:
        return (
            f"/readyz is {said['code']}: {said.get('status') or said.get('data') or 'unavailable'}"
        )
    # A site that is only read on purpose lets worker and clock rest; earlier code tells of no clock.
    rests = said.get("read_only", {}).get("why") == "planned"
    for part in ("worker", "clock") if with_parts and not rests else ():
        if part in said and not said[part].get("working"):
            return f"/readyz says that the {part} does not work"
    return ""


def say(sentence: str) -> None:
    print(sentence, flush=True)


def fail(error: Exception) -> int:
    print(error, file=sys.stderr)
    return 1
