"""What Amazon asks in a region: prices.toml, read when the settings are. `costs/bill.py` makes a bill of it."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".toml")
FIRST = "us-east-1"  # has every price; what another region lacks is taken from it

Dollars = float | Sequence[Sequence[float]]  # the latter: steps of (up to, dollars)


@dataclass(frozen=True, slots=True)
class Price:
    """What `what` costs, as `page` of the public price list says and a copy of it `of` that day said."""

    name: str
    what: str
    page: str
    region: str
    dollars: Dollars
    of: str


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices by name. `region` is whose they are, which is another than `asked` where none are known for that."""

    asked: str
    region: str
    prices: Mapping[str, Price]

    @property
    def dollars(self) -> dict[str, Dollars]:
        return {name: one.dollars for name, one in self.prices.items()}

    def single(self, name: str) -> float:
        """Returns a price that has no steps."""
        dollars = self.prices[name].dollars
        assert isinstance(dollars, float)
        return dollars

    @property
    def borrowed(self) -> list[Price]:
        """Those that are of another region, though this one is known."""
        return [one for one in self.prices.values() if one.region != self.region]


def prices_of(region: str) -> Prices:
    """Returns the prices of a region, those of us-east-1 where none are known."""
    known = region if region in regions() else FIRST
    return Prices(
        asked=region,
        region=known,
        prices={name: _price(name, table, known) for name, table in _tables().items()},
    )


def regions() -> list[str]:
    """Returns the regions with prices of their own, by name."""
    return sorted({name for table in _tables().values() for name in table} - {"what", "page"})


def _price(name: str, table: Mapping[str, Any], region: str) -> Price:
    whose = region if region in table else FIRST
    return Price(
        name=name,
        what=table["what"],
        page=table["page"],
        region=whose,
        dollars=table[whose]["dollars"],
        of=table[whose]["of"],
    )


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
