"""Amazon's recovery to a point in time: always a new table, to which this gives back what a restore leaves out (stream,
TTL, recovery, protection, tags). Each call is made only if what it is for is not so yet, so a run that broke off goes
on with the next.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import boto3
from django.conf import settings

from socialsite.table import Item, TableError, translated
from socialsite.table.connection import table_name
from socialsite.table.schema import missing_features, missing_protection

LOOK_EVERY = 10.0  # seconds
RECOVERY_DAYS = 35
NOT_THERE = "ResourceNotFoundException"
AMAZONS = "aws:"  # how the keys of tags begin that nobody else may set


class CannotRestore(Exception):
    """A sentence that says why there is no table of that moment."""


@dataclass(frozen=True)
class Call:
    """One call of DynamoDB that changes something."""

    operation: str
    request: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.operation} {json.dumps(self.request, default=str, sort_keys=True)}"


@dataclass
class Restoring:
    """A restore of this site's table, as it was at `moment` (None for the latest one possible), into another one."""

    target: str
    moment: datetime | None
    source: str = field(default_factory=table_name)
    client: Any = field(
        default_factory=lambda: boto3.client("dynamodb", region_name=settings.DYNAMODB_REGION)
    )

    def check(self) -> None:
        """Raises `CannotRestore` if Amazon has no such moment, or the other table is something else."""
        if self.target == self.source:
            raise CannotRestore(f"{self.target} is the table of the site. Name a new one.")
        found = self._described(self.target)
        if found:
            summary = found.get("RestoreSummary", {})
            own = self._described(self.source)
            if not own or summary.get("SourceTableArn") != own["TableArn"]:
                raise CannotRestore(f"{self.target} is there and no restore of {self.source}.")
            return
        first, last = self.bounds()
        if self.moment and not first <= self.moment <= last:
            raise CannotRestore(
                f"Amazon can restore {self.source} as it was from {first:%Y-%m-%dT%H:%M:%S} to "
                f"{last:%Y-%m-%dT%H:%M:%S} (UTC), and {self.moment:%Y-%m-%dT%H:%M:%S} is not among them."
            )

    def bounds(self) -> tuple[datetime, datetime]:
        """Returns the first and the last moment that can be restored. Raises `CannotRestore` without recovery."""
        with translated():
            kept = self.client.describe_continuous_backups(TableName=self.source)
        recovery = kept["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
        if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
            raise CannotRestore(f"Point-in-time recovery of {self.source} is off.")
        return (
            recovery["EarliestRestorableDateTime"].astimezone(UTC),
            recovery["LatestRestorableDateTime"].astimezone(UTC),
        )

    def calls(self) -> Iterator[tuple[str, Callable[[], list[Call]]]]:
        """Yields what each step is for, and what tells which calls it still takes."""
        yield "restore the items and indexes", self._restore
        yield "turn on the stream", self._stream
        yield "turn on time to live", self._ttl
        yield "protect it from deletion", self._protection
        yield "turn on its own recovery", self._recovery
        yield "give it the tags", self._tags

    def planned(self) -> list[tuple[str, list[Call]]]:
        """Returns the calls of each step, as a dry run tells them. Asks, and changes nothing."""
        return [(title, calls()) for title, calls in self.calls()]

    def run(self, *, say: Callable[[str], None]) -> None:
        """Makes the calls, and waits after each until Amazon has done it. Raises `CannotRestore` if the table is not
        whole then."""
        for title, calls in self.calls():
            for call in calls():
                say(f"{title}: {call.operation}")
                with translated():
                    getattr(self.client, call.operation)(**call.request)
            self._wait(title, say)
        lacking = [
            *missing_features(self.client, self.target),
            *missing_protection(self.client, self.target),
        ]
        if lacking:
            raise CannotRestore(f"{self.target} is not whole. {' '.join(lacking)}")

    def _restore(self) -> list[Call]:
        if self._described(self.target):
            return []
        request: dict[str, Any] = {"SourceTableName": self.source, "TargetTableName": self.target}
        when = (
            {"RestoreDateTime": self.moment} if self.moment else {"UseLatestRestorableTime": True}
        )
        return [Call("restore_table_to_point_in_time", request | when)]

    def _stream(self) -> list[Call]:
        view = Item.Meta.stream_view_type
        spec = {"StreamEnabled": True, "StreamViewType": view}
        if self._target.get("StreamSpecification", {}).get("StreamViewType") == view:
            return []
        return [Call("update_table", {"TableName": self.target, "StreamSpecification": spec})]

    def _ttl(self) -> list[Call]:
        if self._target:
            with translated():
                found = self.client.describe_time_to_live(TableName=self.target)
            if found["TimeToLiveDescription"]["TimeToLiveStatus"] in ("ENABLED", "ENABLING"):
                return []
        spec = {"Enabled": True, "AttributeName": Item.ttl.attr_name}
        asked = {"TableName": self.target, "TimeToLiveSpecification": spec}
        return [Call("update_time_to_live", asked)]

    def _protection(self) -> list[Call]:
        if self._target.get("DeletionProtectionEnabled"):
            return []
        return [Call("update_table", {"TableName": self.target, "DeletionProtectionEnabled": True})]

    def _recovery(self) -> list[Call]:
        if self._target:
            with translated():
                kept = self.client.describe_continuous_backups(TableName=self.target)
            found = kept["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
            if found.get("PointInTimeRecoveryStatus") == "ENABLED":
                return []
        spec = {"PointInTimeRecoveryEnabled": True, "RecoveryPeriodInDays": RECOVERY_DAYS}
        asked = {"TableName": self.target, "PointInTimeRecoverySpecification": spec}
        return [Call("update_continuous_backups", asked)]

    def _tags(self) -> list[Call]:
        source = self._described(self.source)
        if not source:
            return []
        wanted = self._tags_of(source["TableArn"])
        arn = self._target.get("TableArn") or f"<the ARN of {self.target}>"
        there = self._tags_of(arn) if self._target else []
        missing = [one for one in wanted if one not in there]
        asked = {"ResourceArn": arn, "Tags": missing}
        return [Call("tag_resource", asked)] if missing else []

    def _tags_of(self, arn: str) -> list[dict[str, str]]:
        with translated():
            found = self.client.list_tags_of_resource(ResourceArn=arn).get("Tags", [])
        return [one for one in found if not one["Key"].startswith(AMAZONS)]

    @property
    def _target(self) -> dict[str, Any]:
        return self._described(self.target)

    def _described(self, name: str) -> dict[str, Any]:
        """Returns what Amazon says of a table, empty if it does not exist."""
        try:
            with translated():
                found: dict[str, Any] = self.client.describe_table(TableName=name)["Table"]
        except TableError as error:
            if str(error) == NOT_THERE:
                return {}
            raise
        return found

    def _wait(self, title: str, say: Callable[[str], None]) -> None:
        """Waits until the table is at rest. A restore takes minutes to hours, and says nothing of how far it is."""
        began = time.monotonic()
        while True:
            found = self._target
            is_restored = not found.get("RestoreSummary", {}).get("RestoreInProgress")
            if found.get("TableStatus") == "ACTIVE" and is_restored:
                return
            minutes, seconds = divmod(int(time.monotonic() - began), 60)
            say(f"{title}: {found.get('TableStatus', 'not there yet')} for {minutes}:{seconds:02}")
            time.sleep(LOOK_EVERY)
