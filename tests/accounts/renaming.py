"""What tests about handles share: a change of handle, and the day on which a former one is free again."""

from datetime import UTC, datetime, timedelta

from accounts.models import HandleClaim
from accounts.people.viewer import Viewer
from accounts.profile.writes import change_handle
from socialsite.table import change, create, keys


def rename(viewer: Viewer, *handles: str) -> None:
    for handle in handles:
        change_handle(by=viewer, handle=handle)


def let_expire(handle: str) -> None:
    """The 90 days are over. DynamoDB deletes the claim only days later."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    change(HandleClaim, keys.handle_claim(handle), [HandleClaim.ttl.set(past)])


def bury(handle: str) -> None:
    """What the erasure of a person leaves of their handle: a former claim that finds nobody."""
    claim = HandleClaim(*keys.handle_claim(handle), handle=handle, user_id="")
    claim.former = datetime.now(UTC).isoformat()
    claim.ttl = datetime.now(UTC) + timedelta(days=90)
    create(claim)
