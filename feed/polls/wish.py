"""What an author asks for when they publish a poll."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from feed.models import Poll

LENGTHS = {
    "1h": timedelta(hours=1),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
    "1w": timedelta(days=7),
}
USUAL_LENGTH = "1d"


@dataclass(frozen=True, slots=True)
class PollWish:
    """`length` is one of the `LENGTHS`, from the moment the post is published."""

    options: tuple[str, ...]
    length: str = USUAL_LENGTH
    several: bool = False
    change: bool = False
    early: bool = False

    def begun_at(self, moment: datetime) -> Poll:
        """Returns the poll of a post that is published at this moment."""
        ends = moment + LENGTHS[self.length]
        return Poll(
            options=list(self.options),
            ends=ends.isoformat(timespec="seconds"),
            several=self.several or None,
            change=self.change or None,
            early=self.early or None,
        )

    @property
    def words(self) -> str:
        """Returns all that tells it from another, for the key of a submission."""
        return repr((self.options, self.length, self.several, self.change, self.early))
