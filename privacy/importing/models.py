"""Items of files that a person brings from elsewhere. Shape and keys only."""

from datetime import datetime
from enum import StrEnum
from typing import Self

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import Item, keys


class Stage(StrEnum):
    """How far a file is."""

    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"  # by its person, or because they may not act now


class Transfer(Item, discriminator="Transfer"):
    """A file that a person brought, with how far it is: `done` of `total` lines, in `part_count` parts.
    `outcomes` counts what became of them (`outcomes.py`). `file_kind` says what the file holds, and `host` is the
    address of this site where it was sent, by which its people are known. It expires with its report, 90 days later."""

    page = "/settings/import/{transfer_id}"

    user_id = UnicodeAttribute()
    transfer_id = UnicodeAttribute()
    file_kind = UnicodeAttribute()
    host = UnicodeAttribute()
    stage = UnicodeAttribute()
    part_count = NumberAttribute()
    total = NumberAttribute()
    done = NumberAttribute(default=0)
    outcomes = JSONAttribute(null=True)
    ended_at = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        transfer_id: str,
        file_kind: str,
        host: str,
        part_count: int,
        total: int,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.transfer(user_id, transfer_id),
            user_id=user_id,
            transfer_id=transfer_id,
            file_kind=file_kind,
            host=host,
            stage=Stage.WORKING,
            part_count=part_count,
            total=total,
            ttl=ttl,
        )


class TransferLines(Item, discriminator="TransferLines"):
    """Lines of a file that are still to be done, as JSON: at most ten that do something, or one long post. The step
    that does them deletes it. It expires a week later, should nobody come to them."""

    most_bytes = 8_192  # a post of 3,500 bytes whose signs JSON writes twice as long

    user_id = UnicodeAttribute()
    transfer_id = UnicodeAttribute()
    waiting_lines = UnicodeAttribute()

    @classmethod
    def new(
        cls, *, user_id: str, transfer_id: str, number: int, waiting_lines: str, ttl: datetime
    ) -> Self:
        return cls(
            *keys.transfer_lines(user_id, transfer_id, number),
            user_id=user_id,
            transfer_id=transfer_id,
            waiting_lines=waiting_lines,
            ttl=ttl,
        )


class TransferReport(Item, discriminator="TransferReport"):
    """What became of lines of a file, as JSON: for each its number, what it said in short, what it became, and of a
    post its id."""

    page = "/settings/import/{transfer_id}"

    user_id = UnicodeAttribute()
    transfer_id = UnicodeAttribute()
    done_lines = UnicodeAttribute()

    @classmethod
    def new(
        cls, *, user_id: str, transfer_id: str, number: int, done_lines: str, ttl: datetime
    ) -> Self:
        return cls(
            *keys.transfer_report(user_id, transfer_id, number),
            user_id=user_id,
            transfer_id=transfer_id,
            done_lines=done_lines,
            ttl=ttl,
        )
