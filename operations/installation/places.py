"""Where does everything of the service lie? Under `/`, or below another root, for trying it out."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
USER = "socialsite"
SLOTS = {"a": 8000, "b": 8010}  # where gunicorn listens; its master tells of its health one above
INNER, LIVE = 8002, 8003
UNITS = ROOT / "deploy" / "systemd"


@dataclass(frozen=True)
class State:
    """What the last switch left: the slot that nginx leads to, and how to go back."""

    slot: str = "a"
    current: str = ""
    previous: str = ""
    backup: str = ""  # from before the last switch
    migrated: bool = (
        False  # whether that switch changed data so that the version before cannot read them
    )


@dataclass(frozen=True)
class Places:
    """Paths of the installation, and ports shifted by so many."""

    root: Path
    shift: int = 0

    def below(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    @property
    def home(self) -> Path:
        return self.below("/srv/socialsite")

    @property
    def versions(self) -> Path:
        return self.home / "versions"

    @property
    def current(self) -> Path:
        return self.home / "current"

    def slot(self, name: str) -> Path:
        return self.home / f"slot-{name}"

    @property
    def settings(self) -> Path:
        return self.below("/etc/socialsite")

    @property
    def env(self) -> Path:
        return self.settings / "env"

    @property
    def nginx(self) -> Path:
        return self.settings / "nginx.conf"

    @property
    def own_nginx(self) -> Path:
        """Files of the operator that nginx reads too, such as one for an earlier domain."""
        return self.settings / "nginx.d"

    @property
    def certificate(self) -> Path:
        return self.settings / "tls" / "site.pem"

    @property
    def key(self) -> Path:
        return self.settings / "tls" / "site.key"

    @property
    def data(self) -> Path:
        return self.below("/var/lib/socialsite/data")

    @property
    def backups(self) -> Path:
        return self.below("/var/backups/socialsite")

    @property
    def acme(self) -> Path:
        return self.below("/var/lib/socialsite-acme")

    @property
    def units(self) -> Path:
        return self.below("/etc/systemd/system")

    @property
    def journal(self) -> Path:
        return self.below("/etc/systemd/journald@socialsite.conf")

    @property
    def command(self) -> Path:
        return self.below("/usr/local/bin/socialsite")

    @property
    def is_real(self) -> bool:
        return self.root == Path("/")

    def port(self, number: int) -> int:
        return number + self.shift

    def app(self, slot: str) -> str:
        return f"127.0.0.1:{self.port(SLOTS[slot])}"

    def health(self, slot: str) -> str:
        return f"127.0.0.1:{self.port(SLOTS[slot] + 1)}"

    def in_root(self, text: str) -> str:
        """Returns a file of `deploy/systemd` with its paths below the root."""
        if self.is_real:
            return text
        for path in ("/srv/", "/etc/", "/var/", "/run/"):
            text = text.replace(path, f"{self.root}{path}")
        return text

    def read_state(self) -> State:
        try:
            return State(**json.loads((self.home / "state.json").read_text()))
        except FileNotFoundError:
            return State()

    def write_state(self, state: State) -> None:
        file = self.home / "state.json"
        file.with_suffix(".new").write_text(json.dumps(asdict(state), indent=1))
        file.with_suffix(".new").replace(file)

    def point(self, link: Path, version: str) -> None:
        """Lets the link name a version, in one step."""
        beside = link.with_name(f"{link.name}.new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(Path("versions") / version)
        beside.replace(link)


def other(slot: str) -> str:
    return "b" if slot == "a" else "a"
