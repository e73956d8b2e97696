"""What each page may take: calls and read units at most, however much there is. Tests hold the pages to these figures
(`tests/lens/test_budgets.py`), and the lens shows them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """How a page stands to its budget."""

    calls: bool
    reads: bool

    @property
    def is_whole(self) -> bool:
        return self.calls and self.reads


@dataclass(frozen=True, slots=True)
class Budget:
    """At most so many calls and read units: those of a full page, so a page with less to show takes less. What is done
    once a day, such as finding people to suggest, is more."""

    calls: int
    reads: float

    def kept(self, calls: int, reads: float) -> Kept:
        return Kept(calls <= self.calls, reads <= self.reads)


# What a process asks once in ten seconds for all its pages; the page that happens to ask is not charged.
FOR_ALL_PAGES = {"read_site_rules", "list_waiting", "count_now", "read_newest_authors"}
NO_LIST = Budget(1, 2)  # who is looking, and what waits for them

BUDGETS = {
    "feed:home": Budget(4, 54),
    "feed:favourites": Budget(33, 68),
    "feed:local": Budget(11, 68),
    "feed:explore": Budget(4, 54),
    "feed:welcome": Budget(4, 23),
    "feed:profile": Budget(7, 67),
    "feed:replies": Budget(7, 50),
    "feed:profile_media": Budget(6, 59),
    "feed:post": Budget(6, 62),
    "feed:likers": Budget(5, 36),
    "feed:reposters": Budget(5, 36),
    "feed:quotes": Budget(5, 76),
    "feed:saved": Budget(4, 64),
    "feed:compose": NO_LIST,
    "tags:tag": Budget(5, 50),
    "tags:followed_tags": Budget(2, 4),
    "relations:followers": Budget(5, 39),
    "relations:following": Budget(5, 39),
    "relations:friends": Budget(5, 38),
    "relations:privacy": NO_LIST,
    "accounts:edit_profile": Budget(2, 2.5),
    "accounts:appearance": NO_LIST,
    "notifications:notifications": Budget(4, 56),
}


def budget_of(page: str) -> Budget | None:
    """Returns the budget of a page by the name of its address, such as `feed:home`."""
    return BUDGETS.get(page)
