"""Slows the site down for some hours, while a wave of new accounts comes: newcomers' first posts are held for review,
and new accounts wait for approval. It ends by itself."""

from datetime import timedelta

from accounts.viewer import Viewer
from moderation.rules.services.site import change_site, put
from socialsite.clock import utc_now
from socialsite.models import SiteSettings
from socialsite.table import keys
from socialsite.table.meter import access_pattern


@access_pattern
def slow_down(*, by: Viewer, hours: int) -> None:
    """Slows the site down for so many hours from now. Pressed again, it counts from then. One TransactWriteItems of
    SiteSettings and the audit entry, 6 write units and 1 read unit."""
    until = (utc_now() + timedelta(hours=hours)).isoformat(timespec="seconds")
    slow = put(SiteSettings, keys.site_settings(), [SiteSettings.slow_until.set(until)])
    change_site(by, "slow down", slow, until=until)


@access_pattern
def speed_up(*, by: Viewer) -> None:
    """Ends that at once. What waits goes on waiting. Costs as `slow_down`."""
    as_before = put(SiteSettings, keys.site_settings(), [SiteSettings.slow_until.remove()])
    change_site(by, "speed up", as_before)
