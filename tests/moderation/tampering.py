"""What tests of the audit log share: looking for faults, and writing around the site."""

from accounts.people.viewer import Viewer
from moderation.log.chain import Head, Walk
from moderation.log.writes import record
from socialsite.clock import utc_now_iso
from socialsite.table import fetch, keys
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire

ENTRIES = 12


def fill_log(*, by: Viewer) -> None:
    """Twelve entries, the first of which say most."""
    for number in range(1, ENTRIES + 1):
        detail = {"until": "2027", "posts": ["B", "A"]} if number < 5 else None
        record(by=by.user_id, action="warn", case="person-X", person_id="X", detail=detail)


def faults(noted: str = "") -> list[str]:
    walk = Walk(Head.parse(noted) if noted else None)
    list(walk.steps())
    return walk.faults


def this_month() -> str:
    return utc_now_iso()[:7]


def raw_entry(number: int) -> dict:
    key = keys.audit_entry(this_month(), number)
    return fetch([key])[key]


def put(raw: dict) -> None:
    """What only someone does who goes around the site."""
    client().put_item(TableName=table_name(), Item=raw)


def drop(*numbers: int) -> None:
    for number in numbers:
        key = wire(keys.audit_entry(this_month(), number))
        client().delete_item(TableName=table_name(), Key=key)


def raw_head() -> dict:
    return fetch([keys.audit_head()])[keys.audit_head()]
