"""The whole bill of a month at Amazon, as deploy/aws/template.yaml makes the site: table, servers, traffic and more.

The table's part comes from a forecast: here from what the site measured, in docs/scale.md from habits that are assumed.
All else is worked out of `ASSUMED`, by formulas that page and document show as they stand here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from costs.formulas import worked_out
from socialsite.prices import Prices

Text = str | Promise
GIVEN = ("people", "active_people", "reads", "writes", "stored_gb")  # reads and writes are a day's


@dataclass(frozen=True, slots=True)
class Assumed:
    """A habit or a measure that nobody counted on this site."""

    name: str
    value: float
    what: Text


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of the bill, or a quantity that some need."""

    name: str
    label: Text
    formula: str


ASSUMED = (
    Assumed("pages", 30, _("pages of an active person and day")),
    Assumed("pulses", 120, _("questions of open pages whether there is news, of the same")),
    Assumed("peak", 3, _("busiest second over the mean one")),
    Assumed("page_ms", 11.4, _("milliseconds of a core for a page, measured on another machine")),
    Assumed("pulse_ms", 3, _("milliseconds of a core for such a question")),
    Assumed("busy", 0.5, _("share of a core that may be busy in the busiest second")),
    Assumed("entries_a_second", 1500, _("writes a second of one core of the worker")),
    Assumed("open_share", 0.05, _("share of active people with an open page at once")),
    Assumed("page_kb", 15, _("KB of a page, compressed")),
    Assumed("pulse_kb", 0.7, _("KB of such a question")),
    Assumed("pictures", 3, _("pictures of a page that the browser does not have yet")),
    Assumed("picture_kb", 100, _("KB of them together")),
    Assumed("misses", 0.1, _("share of pictures that CloudFront does not have either")),
    Assumed("uploads", 0.1, _("pictures that an active person uploads on a day, each in 4 files")),
    Assumed("files_mb", 5, _("MB of pictures for each account, after a year")),
    Assumed("key_calls", 10, _("calls of KMS for an active person and day")),
    Assumed("log_kb", 0.5, _("KB in the log for a request")),
    Assumed("letters", 3, _("letters to each person in a month")),
    Assumed("alarms", 10, _("alarms of the template that cost")),
    Assumed("disk_gb", 20, _("GB of the disk of a machine that does all")),
)

# Of the table, for a site that has measured nothing: what docs/scale.md works out of habits.
BEFORE = (
    Assumed("reads_each", 1460, _("read units of an active person and day")),
    Assumed("writes_each", 220, _("write units of the same")),
    Assumed("stored_kb", 472, _("KB in the table for each account, after a year")),
)

QUANTITIES = (
    Line(
        "web_cores",
        _("cores that answer pages"),
        "max(1, ceil(active_people * (pages * page_ms + pulses * pulse_ms) * peak / 86400 / 1000 / busy))",
    ),
    Line("web_tasks", _("tasks that answer pages, of 4 cores at most"), "max(2, ceil(web_cores / 4))"),
    Line(
        "worker_tasks",
        _("tasks of the worker, a quarter of a core each"),
        "max(1, ceil(4 * writes * peak / 86400 / entries_a_second))",
    ),
    Line(
        "lcus",
        _("capacity units of the balancer"),
        "max(active_people * open_share / 3000, active_people * (pages * page_kb + pulses * pulse_kb) / 24 / 10**6)",
    ),
    Line(
        "out_gb",
        _("GB to readers"),
        "30 * active_people * (pages * (page_kb + picture_kb) + pulses * pulse_kb) / 10**6",
    ),
    Line(
        "millions",
        _("million requests of readers"),
        "30 * active_people * (pages * (1 + pictures) + pulses) / 10**6",
    ),
    Line("log_gb", _("GB of the log"), "30 * active_people * (pages + pulses) * log_kb / 10**6"),
)  # fmt: skip

LINES = (
    Line(
        "units",
        _("Table: reads and writes"),
        "30 * (reads * read_price + writes * write_price) / 10**6",
    ),
    Line("storage", _("Table: storage"), "stored_gb * storage_price"),
    Line("recovery", _("Table: recovery"), "stored_gb * recovery_price"),
    Line("web", _("Web"), "730 * web_cores * (core_price + 2 * memory_price)"),
    Line(
        "workers",
        _("Worker, clock, pusher"),
        "(730 * (worker_tasks + 2) + 72) / 4 * (core_price + 2 * memory_price)",
    ),
    Line(
        "addresses",
        _("Addresses of these"),
        "730 * (web_tasks + worker_tasks + 2) * address_price",
    ),
    Line("balancer", _("Load balancer"), "730 * (balancer_price + lcus * lcu_price)"),
    Line(
        "traffic",
        _("Traffic"),
        "steps(out_gb, traffic_price) + steps(millions, request_price)",
    ),
    Line(
        "files",
        _("Files"),
        "people * files_mb / 1000 * file_price"
        " + 30 * active_people * (uploads * 4 * put_price + pages * pictures * misses * get_price) / 10**6",
    ),
    Line(
        "keys",
        _("Keys and secrets"),
        "key_price + 30 * active_people * key_calls / 10**4 * key_call_price + 3 * secret_price",
    ),
    Line("alarm", _("Alarms and dashboard"), "alarms * alarm_price + metric_price + dashboard_price"),
    Line("logs", _("Logs"), "log_gb * (log_price + log_kept_price)"),
    Line("mail", _("Letters"), "people * letters / 1000 * letter_price"),
)  # fmt: skip

# Smaller ways, each of which is a whole bill, for so many people at most: nobody has tried more on such a machine.
SMALL_MOST = 10_000
ALONE = Line(
    "one_machine",
    _("One machine alone"),
    "730 * (machine_price + address_price) + disk_gb * disk_price + steps(out_gb, direct_price) + mail",
)
WITH_TABLE = Line(
    "one_with_table",
    _("One machine, the table at Amazon"),
    "one_machine + units + storage + recovery + key_price",
)
SMALL = (WITH_TABLE, ALONE)
SUM = Line("sum", _("Together"), " + ".join(line.name for line in LINES))
EACH = Line("each", _("For each active person"), "sum / active_people")
ALL = (*QUANTITIES, *LINES, SUM, EACH, ALONE, WITH_TABLE)


@dataclass(frozen=True, slots=True)
class Bill:
    """A bill for so many people: `values` has each figure by its name."""

    people: int
    values: Mapping[str, float]

    @property
    def total(self) -> float:
        return self.values[SUM.name]

    @property
    def each(self) -> float:
        return self.values[EACH.name]

    def of(self, line: Line) -> float | None:
        """Returns a figure, None for a small way that does not carry so many people."""
        if line in SMALL and self.people > SMALL_MOST:
            return None
        return self.values[line.name]


def bill_of(given: Mapping[str, float], prices: Mapping[str, Any]) -> Bill:
    """Works a bill out of what `GIVEN` names and of prices by name."""
    values: dict[str, Any] = {one.name: one.value for one in ASSUMED} | dict(prices)
    values |= {name: given[name] for name in GIVEN}
    for line in ALL:
        values[line.name] = worked_out(line.formula, values)
    names = (*GIVEN, *(line.name for line in ALL))
    return Bill(int(given["people"]), {name: values[name] for name in names})


def bill_before(people: int, *, active_share: float, prices: Mapping[str, Any]) -> Bill:
    """Works out the bill of a site that has measured nothing, with the habits of `BEFORE`."""
    habits = {one.name: one.value for one in BEFORE}
    active = people * active_share
    given = {
        "people": people,
        "active_people": active,
        "reads": active * habits["reads_each"],
        "writes": active * habits["writes_each"],
        "stored_gb": people * habits["stored_kb"] / 10**6,
    }
    return bill_of(given, prices)


def prices_here() -> dict[str, Any]:
    """Returns the prices of this site's region by name, with those that its settings replace."""
    return settings.PRICES.dollars | {
        "read_price": settings.READ_PRICE,
        "write_price": settings.WRITE_PRICE,
        "storage_price": settings.STORAGE_PRICE,
    }


def replaced(prices: Prices) -> Sequence[str]:
    """Returns the settings that replace a price of the region."""
    own = ("READ_PRICE", "WRITE_PRICE", "STORAGE_PRICE")
    return [name for name in own if getattr(settings, name) != prices.single(name.lower())]
