"""From one version to another: with the site open where the data stay as they are, else closed while they are brought
up; and back by itself where the new version is not well."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from operations.installation.install import TIMERS, install_units, write_nginx
from operations.installation.places import Places, State, other
from operations.installation.services import (
    ENGINE,
    NGINX,
    PARTS,
    READY_SECONDS,
    InstallationError,
    manage,
    read_env,
    say,
    systemctl,
    uses_engine,
    wait_until_ready,
)

SETTLES = 10.0  # seconds
AT_THE_DATA = ("socialsite-alarms", "socialsite-backup")  # what timers call


@dataclass(frozen=True)
class Switch:
    """A change from the version that runs to another one that is there."""

    places: Places
    version: str
    backup: str = ""
    seconds: float = READY_SECONDS
    changes_data: bool = False  # so that the version before cannot read them

    @property
    def before(self) -> State:
        return self.places.read_state()

    def open(self) -> None:
        """Switches while people use the site. The new version starts in the other slot, and nginx goes there when it is
        well; requests that the old one has begun are finished by it. Raises `InstallationError`, with the old version
        back in its place."""
        places, before = self.places, self.before
        slot = other(before.slot)
        self._start_slot(slot)
        try:
            self._lead_to(slot)
            self._turn(self.version)
            time.sleep(SETTLES)  # a worker that ends at its start is seen to be gone
            if wrong := wait_until_ready(places.app(slot), with_parts=True, seconds=self.seconds):
                raise InstallationError(wrong)
        except InstallationError as error:
            say(f"The new version is not well ({error}). Going back to {before.current} …")
            self._lead_to(before.slot)
            self._turn(before.current)
            systemctl("stop", f"socialsite-web@{slot}", check=False)
            raise InstallationError(
                f"{self.version} was not well: {error}. The site runs {before.current} as before, and nothing is lost."
            ) from error
        places.write_state(State(slot, self.version, before.current, self.backup))
        self._rest(before.slot, slot)
        self._renew_engine()

    def closed(self, bring_up: Callable[[Path], None]) -> None:
        """Switches with the site closed, as nobody may write while data are brought up. nginx answers 503 with
        Retry-After. Raises `InstallationError`, with version and data of before back in their place."""
        places, before = self.places, self.before
        slot = other(before.slot)
        say("Closing the site: nginx answers 503 until the data are brought up.")
        timers = [f"{name}.timer" for name in AT_THE_DATA]
        timers = [name for name in timers if systemctl("is-active", name, check=False)]
        working = [f"{name}.service" for name in AT_THE_DATA]
        for unit in (*timers, *working, f"socialsite-web@{before.slot}", *PARTS, ENGINE):
            systemctl("stop", unit, check=False)
        # One that is still there is of an upgrade that was killed: the data may be half brought up since.
        closing = places.backups / f"upgrade-to-{self.version}-closing.tar.gz"
        try:
            if uses_engine(read_env(places.env)) and not closing.exists():
                manage(places, places.versions / before.current, "backup", str(closing))
            places.point(places.current, self.version)
            bring_up(places.versions / self.version)
            timers += self._bring_units()
            self._start_all(slot)
            self._lead_to(slot)
        except InstallationError as error:
            say(f"{error} Going back to {before.current} …")
            self._back_with_data(before, slot, closing)
            data = (
                "with the data of before, and nothing is lost."
                if uses_engine(read_env(places.env))
                else "again. What was brought up at Amazon stays so: docs/amazon.md says how to restore a table."
            )
            raise InstallationError(
                f"{self.version} could not take over: {error} The site runs {before.current} {data}"
            ) from error
        finally:
            for timer in timers:
                systemctl("start", timer, check=False)
        backup = _kept(closing, "closed")
        places.write_state(State(slot, self.version, before.current, backup, self.changes_data))
        self._rest(before.slot, slot)

    def _start_all(self, slot: str) -> None:
        if uses_engine(read_env(self.places.env)):
            systemctl("start", ENGINE)
        for unit in PARTS:
            systemctl("start", unit)
        self._start_slot(slot, with_parts=True)

    def _back_with_data(self, before: State, slot: str, closing: Path) -> None:
        """Nobody wrote since the site was closed: nginx leads to the old slot, where nothing listens."""
        places = self.places
        for unit in (f"socialsite-web@{slot}", *PARTS, ENGINE):
            systemctl("stop", unit, check=False)
        old = places.versions / before.current
        if closing.exists():
            manage(places, old, "restore", str(closing))
            _kept(closing, "undone")
        places.point(places.current, before.current)
        if uses_engine(read_env(places.env)):
            systemctl("start", ENGINE)
        for unit in (f"socialsite-web@{before.slot}", *PARTS):
            systemctl("start", unit)
        write_nginx(places, slot=before.slot)
        systemctl("reload", NGINX, check=False)

    def _start_slot(self, slot: str, *, with_parts: bool = False) -> None:
        """Starts the version in a slot that nginx does not lead to."""
        places, unit = self.places, f"socialsite-web@{slot}"
        systemctl("stop", unit, check=False)
        places.point(places.slot(slot), self.version)
        systemctl("start", unit)
        if wrong := wait_until_ready(places.app(slot), with_parts=with_parts, seconds=self.seconds):
            systemctl("stop", unit, check=False)
            raise InstallationError(
                f"{self.version} does not answer as it should: {wrong}. `journalctl --namespace=socialsite -u {unit}` "
                "says more."
            )

    def _lead_to(self, slot: str) -> None:
        write_nginx(self.places, slot=slot)
        systemctl("reload", NGINX)

    def _turn(self, version: str) -> None:
        """Ends what works behind the pages, and starts it again with a version. What was not finished is done again."""
        for unit in PARTS:
            systemctl("stop", unit, check=False)
        self.places.point(self.places.current, version)
        timers = self._bring_units()
        for unit in (*PARTS, *timers):
            systemctl("start", unit)

    def _bring_units(self) -> list[str]:
        """Brings the units in. Returns the timers that were not there yet, which start with the machine from now on."""
        new = [name for name in TIMERS if not (self.places.units / name).exists()]
        install_units(self.places)
        systemctl("daemon-reload")
        for timer in new:
            systemctl("enable", timer)
        return new

    def _rest(self, old: str, new: str) -> None:
        """The old slot finishes what it has begun, and ends. The new one starts with the machine."""
        systemctl("disable", "--now", f"socialsite-web@{old}", check=False)
        systemctl("enable", f"socialsite-web@{new}", check=False)

    def _renew_engine(self) -> None:
        """Lets the engine's keeper run the new version too. Another process keeps the engine meanwhile."""
        if uses_engine(read_env(self.places.env)):
            with suppress(InstallationError):
                systemctl("restart", ENGINE)


def _kept(closing: Path, name: str) -> str:
    """Keeps the backup of a closed site under another name, so that it is never taken for that of a later one."""
    if not closing.exists():
        return ""
    return str(closing.replace(closing.with_name(closing.name.replace("-closing", f"-{name}"))))
