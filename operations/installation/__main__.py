"""The commands of the service: `tools/install-service`, `tools/upgrade-service`, `make upgrade` and `socialsite`."""

import argparse
import os
import sys
from pathlib import Path

from operations.installation.install import (
    Wish as InstallWish,
)
from operations.installation.install import (
    go,
    say_what_is_next,
    steps_to_install,
    steps_to_uninstall,
)
from operations.installation.places import ROOT, Places
from operations.installation.services import (
    READY_SECONDS,
    InstallationError,
    become_user,
    environment,
    fail,
    say,
)
from operations.installation.upgrade import Wish, roll_back, upgrade, upgrade_here
from operations.installation.versions import SETUP


def main(arguments: list[str]) -> int:
    asked = _parser().parse_args(arguments)
    places = Places(asked.root.resolve(), shift=asked.shift)
    try:
        match asked.what:
            case "install":
                return _install(places, asked)
            case "upgrade":
                return _upgrade(places, asked)
            case _:
                _manage(places, asked.arguments)
    except InstallationError as error:
        return fail(error)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="operations.installation", description=__doc__)
    root = Path(os.environ.get("SERVICE_ROOT") or "/")
    parser.add_argument(
        "--root", type=Path, default=root, help="a folder instead of /, to try it out"
    )
    parser.add_argument(
        "--shift",
        type=int,
        default=int(os.environ.get("SERVICE_SHIFT") or 0),
        help="added to each port",
    )
    what = parser.add_subparsers(dest="what", required=True)
    install = what.add_parser("install", help="make this machine serve the site, or take it off")
    install.add_argument("--domain", default="", help="such as example.org")
    install.add_argument("--settings", type=Path, help="a file of settings for the first time")
    install.add_argument("--yes", action="store_true", help="do it; without it nothing is changed")
    install.add_argument("--uninstall", action="store_true", help="take the service off; data stay")
    change = what.add_parser("upgrade", help="bring a newer version in, or go back")
    change.add_argument("--roll-back", action="store_true", help="go back to the version before")
    change.add_argument(
        "--restore", action="store_true", help="with --roll-back: lose what was written since"
    )
    change.add_argument(
        "--no-rehearsal", action="store_true", help="do not try it on a copy of the data first"
    )
    change.add_argument(
        "--seconds", type=float, default=READY_SECONDS, help="until it must be well"
    )
    for one in (install, change):
        one.add_argument(
            "--source", type=Path, default=ROOT, help="the checkout to take the code from"
        )
        one.add_argument("--ref", default="HEAD", help="the commit or tag there")
        one.add_argument("--setup", default=SETUP, help="what brings a version its packages")
    command = what.add_parser("manage", help="a command of manage.py on the installed site")
    command.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser


def _install(places: Places, asked: argparse.Namespace) -> int:
    if asked.yes and places.is_real and os.geteuid() != 0:
        raise InstallationError("This changes the machine. Run it as root, such as with sudo.")
    if asked.uninstall:
        go(steps_to_uninstall(places), is_meant=asked.yes)
        say(f"Left where they are: {places.data.parent}, {places.backups}, {places.settings}.")
    else:
        if not asked.domain and not places.env.exists():
            raise InstallationError(
                "Name the site's domain: tools/install-service --domain example.org"
            )
        domain = asked.domain or "the domain of its settings"
        wish = InstallWish(places, domain, asked.source, asked.ref, asked.setup, asked.settings)
        go(steps_to_install(wish), is_meant=asked.yes)
        if asked.yes:
            say_what_is_next(places, domain)
    if not asked.yes:
        say("Nothing has changed. To do it, add --yes.")
    return 0


def _upgrade(places: Places, asked: argparse.Namespace) -> int:
    is_service = places.current.exists() and not os.environ.get("DATA_DIR")
    if not is_service:
        if asked.roll_back:
            raise InstallationError(f"No service is installed in {places.home}.")
        return upgrade_here([])
    wish = Wish(places, asked.source, asked.ref, asked.setup, not asked.no_rehearsal, asked.seconds)
    if asked.roll_back:
        roll_back(wish, restore=asked.restore)
    else:
        upgrade(wish)
    return 0


def _manage(places: Places, arguments: list[str]) -> None:
    """Becomes `manage.py` of the version that runs, with the site's settings and as its user."""
    given = environment(places)
    become_user(places)
    os.chdir(places.current)
    os.execve(sys.executable, [sys.executable, "manage.py", *arguments], given)  # noqa: S606


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
