"""Demo posts with photos or a poll: `data/composed.toml`, and the pictures in `data/photos/`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from operations.demo.content import DATA, Texts, read_tables


@dataclass(frozen=True)
class DemoPhoto:
    """A picture of `data/photos/`, and what it shows; empty if its author did not say."""

    file: str
    alt: str = ""

    @property
    def path(self) -> Path:
        return DATA / "photos" / f"{self.file}.jpg"


@dataclass(frozen=True)
class DemoPoll:
    """A poll, for a `length` of `feed/polls/wish.py`."""

    options: Texts
    length: str
    several: bool = False
    change: bool = False
    early: bool = False


@dataclass(frozen=True)
class DemoPost:
    """A post that shows or asks something."""

    by: str
    text: str
    photos: tuple[DemoPhoto, ...] = ()
    poll: DemoPoll | None = None


@cache
def composed() -> tuple[DemoPost, ...]:
    return tuple(
        DemoPost(
            one["by"],
            one["text"],
            tuple(DemoPhoto(**photo) for photo in one.get("photos", ())),
            DemoPoll(**one["poll"]) if "poll" in one else None,
        )
        for one in read_tables("composed")["posts"]
    )
