"""tools/install-service: says what it would do, and does it with `--yes`. Doing it again changes
nothing that is right."""

import grp
import os
import pwd
import re
import secrets
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from operations.installation.places import INNER, LIVE, ROOT, SLOTS, UNITS, USER, Places, State
from operations.installation.services import (
    ENGINE,
    NGINX,
    PARTS,
    InstallationError,
    manage,
    read_env,
    say,
    systemctl,
    uses_engine,
    wait_until_ready,
)
from operations.installation.versions import SETUP, make_version
from operations.serving import nginx
from socialsite.private_files import write_private

READERS = "www-data"  # as whom nginx of Debian reads requests
BACKUP = "socialsite-backup.timer"  # of the embedded engine alone
TIMERS = ("socialsite-alarms.timer", BACKUP, "certificate-socialsite.timer")
DROP_IN = "socialsite-.service.d"


@dataclass(frozen=True)
class Step:
    """A thing to do: what it is, and whether it is done already."""

    says: str
    is_done: bool
    do: Callable[[], object]


@dataclass(frozen=True)
class Wish:
    """What the operator asked for."""

    places: Places
    domain: str
    source: Path = ROOT
    ref: str = "HEAD"
    setup: str = SETUP
    settings: Path | None = (
        None  # beside those of deploy/env.example, such as those of `make deploy MACHINE=…`
    )


def steps_to_install(wish: Wish) -> Iterator[Step]:
    places = wish.places
    if places.is_real:
        yield from _machine()
    for folder, mode, owner in _folders(places):
        yield Step(
            f"folder {folder} (mode {mode:o}, of {owner})",
            folder.is_dir(),
            partial(_make_folder, places, folder, mode, owner),
        )
    yield Step(
        f"settings in {places.env}, with secrets made now (mode 640)",
        places.env.exists(),
        lambda: _write_env(places, wish.domain, wish.settings),
    )
    for slot in SLOTS:
        text = f"GUNICORN_BIND={places.app(slot)}\nHEALTH_BIND={places.health(slot)}\n"
        yield _file(places.settings / f"slot-{slot}", text)
    yield Step(
        f"a version of the code from {wish.source}, with its packages, below {places.versions}",
        places.current.exists(),
        lambda: _first_version(wish),
    )
    yield Step(
        f"a certificate in {places.certificate} that this machine signs itself, until certbot brings one",
        places.certificate.exists(),
        lambda: _sign_certificate(places, wish.domain),
    )
    yield Step(f"nginx's file {places.nginx}", places.nginx.exists(), lambda: write_nginx(places))
    yield from _units(places)
    yield _file(places.command, command_text(places), mode=0o755)
    yield Step(
        "systemctl daemon-reload, then enable and start socialsite.target",
        False,
        lambda: _start(places),
    )


def _machine() -> Iterator[Step]:
    missing = [
        package
        for package, program in (
            ("nginx-light", "/usr/sbin/nginx"),
            ("certbot", "/usr/bin/certbot"),
        )
        if not Path(program).exists()
    ]
    yield Step(
        f"apt-get install {' '.join(missing) or 'nginx-light certbot'}",
        not missing,
        lambda: _run(str(ROOT / "tools/apt-install"), *missing),
    )
    yield Step(
        f"the user {USER}, who cannot sign in",
        _exists(USER),
        lambda: _run(
            *("useradd", "--system", "--user-group", "--shell", "/usr/sbin/nologin"),
            *("--home-dir", "/var/lib/socialsite", "--no-create-home", USER),
        ),
    )


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True)  # noqa: S603 - commands of our own
    except (OSError, subprocess.CalledProcessError) as error:
        raise InstallationError(f"`{' '.join(command)}` failed ({error}).") from error


def _folders(places: Places) -> list[tuple[Path, int, str]]:
    return [
        (places.home, 0o755, "root"),
        (places.versions, 0o755, "root"),
        (places.settings, 0o755, "root"),
        (places.certificate.parent, 0o711, "root"),
        (places.units, 0o755, "root"),
        (places.command.parent, 0o755, "root"),
        (places.data.parent, 0o700, USER),
        (places.data, 0o700, USER),
        (places.backups, 0o700, USER),
        (places.acme, 0o755, "root"),
    ]


def _make_folder(places: Places, folder: Path, mode: int, owner: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(mode)
    if places.is_real:
        shutil.chown(folder, owner, owner)


def _write_env(places: Places, domain: str, given: Path | None) -> None:
    text = (ROOT / "deploy/env.example").read_text().replace("example.org", domain)
    for name, value in (read_env(given) if given else {}).items():
        escaped = re.sub(r'(["\\$`])', r"\\\1", value)
        line, named = f'{name}="{escaped}"\n', re.compile(rf"^#?{name}=.*\n", re.MULTILINE)
        head, *rest = named.split(text, maxsplit=1)
        text = head + line + "".join(rest)
    for name in ("SECRET_KEY", "DATA_KEY"):
        text = text.replace(f"{name}=\n", f"{name}={secrets.token_urlsafe(48)}\n")
    if places.shift:
        text += f"LIVE_BIND=127.0.0.1:{places.port(LIVE)}\n"
        text += f"LIVE_SITE=http://127.0.0.1:{places.port(INNER)}\n"
    write_private(places.env, text)
    if places.is_real:
        with suppress(KeyError):
            os.chown(places.env, 0, grp.getgrnam(USER).gr_gid)
        places.env.chmod(0o640)


def _file(file: Path, text: str, mode: int = 0o644) -> Step:
    is_done = file.exists() and file.read_text() == text

    def write() -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)

    return Step(f"file {file}", is_done, write)


def _first_version(wish: Wish) -> None:
    places = wish.places
    name = make_version(places, wish.source, wish.ref, wish.setup)
    manage(places, places.versions / name, "check", "--deploy")
    manage(places, places.versions / name, "create_table")
    for link in (places.slot("a"), places.current):
        places.point(link, name)
    places.write_state(State(slot="a", current=name))


def _sign_certificate(places: Places, domain: str) -> None:
    text = nginx.make_certificate([domain])
    write_private(places.key, text)
    write_private(places.certificate, text)


def write_nginx(places: Places, *, slot: str = "") -> None:
    """Writes nginx's file for a slot, in one step: the one whose pages are shown now if none is named. Raises
    `InstallationError`."""
    env = read_env(places.env)
    hosts = tuple(host.strip() for host in env["ALLOWED_HOSTS"].split(","))
    workers = int(env.get("WEB_CONCURRENCY") or os.cpu_count() or 2)
    try:
        trusted = nginx.trusted_networks(env)
    except ImproperlyConfigured as error:
        raise InstallationError(str(error)) from error
    name = slot or places.read_state().slot
    text = nginx.configuration(
        nginx.SHIPPED.read_text(),
        nginx.Places(
            outer=str(places.port(443)),
            inner=f"127.0.0.1:{places.port(INNER)}",
            app=places.app(name),
            health=places.health(name),
            live=env.get("LIVE_BIND") or f"127.0.0.1:{places.port(LIVE)}",
            certificate=places.certificate,
            key=places.key,
            workers=workers,
            hosts=hosts,
            trusted=trusted,
        ),
        user=READERS if places.is_real else "",
        plain=str(places.port(80)),
    ).replace("root /var/lib/socialsite-acme;", f"root {places.acme};")
    # What the operator adds stands beside, as this file is written anew with each version.
    text = f"{text.rstrip().removesuffix('}')}    include {places.own_nginx}/*.conf;\n}}\n"
    beside = places.nginx.with_suffix(".new")
    beside.write_text(text)
    beside.replace(places.nginx)


def _units(places: Places) -> Iterator[Step]:
    for file in sorted(UNITS.glob("*.*")):
        if file.is_dir():
            continue
        target = places.journal if file.name.startswith("journald") else places.units / file.name
        yield _file(target, places.in_root(file.read_text()))
    for file in sorted((UNITS / DROP_IN).iterdir()):
        yield _file(places.units / DROP_IN / file.name, places.in_root(file.read_text()))


def install_units(places: Places) -> None:
    """Brings the units of this code in, as an upgrade does."""
    for step in _units(places):
        if not step.is_done:
            step.do()


def command_text(places: Places) -> str:
    """Returns `socialsite`: a command of manage.py on this site, with its settings and as its user."""
    root = "" if places.is_real else f" --root {places.root}"
    return (
        "#!/bin/sh\n"
        "# A command of manage.py on the site that runs as a service: `socialsite createadmin ada`.\n"
        f'cd {places.current} && exec .venv/bin/python -m operations.installation{root} manage "$@"\n'
    )


def units_of(places: Places) -> list[str]:
    """Returns the units that run all the time, in the order in which they start."""
    engine = [ENGINE] if uses_engine(read_env(places.env)) else []
    return [*engine, f"socialsite-web@{places.read_state().slot}", *PARTS, NGINX]


def timers_of(places: Places) -> list[str]:
    embedded = uses_engine(read_env(places.env))
    return [timer for timer in TIMERS if embedded or timer != BACKUP]


def _start(places: Places) -> None:
    systemctl("daemon-reload")
    systemctl("enable", "socialsite.target", *timers_of(places), *units_of(places))
    for unit in units_of(places):
        systemctl("start", unit)
    systemctl("start", "socialsite.target", *timers_of(places))
    if wrong := wait_until_ready(places.app(places.read_state().slot), with_parts=True):
        raise InstallationError(
            f"The site was started and is not well: {wrong}. `journalctl --namespace=socialsite` says more."
        )


def steps_to_uninstall(places: Places) -> Iterator[Step]:
    """Takes the service off the machine. What people wrote stays: data, backups and settings."""
    slots = [f"socialsite-web@{slot}" for slot in SLOTS]
    everything = ["socialsite.target", *TIMERS, NGINX, *slots, *PARTS, ENGINE]

    def stop() -> None:
        for unit in everything:
            systemctl("disable", "--now", unit, check=False)

    yield Step("stop and disable every part", False, stop)
    own = [*places.units.glob("*socialsite*"), places.command, places.journal, places.nginx]
    for file in [one for one in own if one.exists()]:
        yield Step(
            f"remove {file}",
            False,
            partial(_remove, file),
        )
    yield Step(
        f"remove the code in {places.home}",
        not places.home.exists(),
        lambda: shutil.rmtree(places.home),
    )
    yield Step("systemctl daemon-reload", False, lambda: systemctl("daemon-reload"))


def _remove(file: Path) -> None:
    shutil.rmtree(file) if file.is_dir() else file.unlink()


def go(steps: Iterator[Step], *, is_meant: bool) -> None:
    """Does the steps, or says what they would be."""
    for step in steps:
        if step.is_done:
            say(f"is there:  {step.says}")
        elif is_meant:
            say(f"now:       {step.says}")
            step.do()
        else:
            say(f"would do:  {step.says}")


def say_what_is_next(places: Places, domain: str) -> None:
    say(f"\nsocialsite runs at https://{domain}/. Now:")
    say(
        f"  1. Letters: fill in EMAIL_HOST and MAIL_FROM in {places.env}, then `systemctl restart socialsite.target`"
    )
    say("     and `socialsite sendtestemail you@example.org`.")
    say(
        f"  2. A certificate that browsers know: certbot certonly --webroot -w {places.acme} -d {domain} \\"
    )
    say(f"     --deploy-hook {places.current}/deploy/certificate-hook")
    say("  3. An administrator: socialsite createadmin ada --email you@example.org")
    say(
        f"  4. Copy {places.env} to a safe place apart from this machine: no backup can be read without its keys."
    )
