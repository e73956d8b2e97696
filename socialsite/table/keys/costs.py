"""Keys of what the site spends and stores."""

from datetime import date

from socialsite.table.keys.key import Key


def cost_sample(sample_id: str) -> Key:
    """Returns the key of what one process spent in some seconds. Each has a partition of its own, so that however many
    processes there are, none waits for another."""
    return Key(f"sample#{sample_id}", "sample")


def cost_days(month: str) -> str:
    return f"cost#{month}"


def cost_day(day: str, kind: str, name: str) -> Key:
    return Key(cost_days(day[:7]), f"{day}#{kind}#{name}")


def days_between(first: date, last: date) -> tuple[str, str]:
    """Returns the bounds of sort keys that begin with one of these days."""
    return first.isoformat(), f"{last.isoformat()}$"  # after every `#` of the last day


def stored_counts() -> str:
    return "stored"


def stored_count(began_at: str) -> Key:
    return Key(stored_counts(), began_at)
