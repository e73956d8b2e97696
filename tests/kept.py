"""What a process keeps, put there as if it had just been read. `reset_process_state` drops it all."""

import time
from collections.abc import Mapping

from django.conf import settings

from moderation.models import Queue
from moderation.staff import nav
from moderation.staff.waiting import Waiting, WaitingNow
from socialsite.site_settings import site_rules
from socialsite.site_settings.site_setup import SiteRules


def keep_site_rules(rules: SiteRules) -> None:
    """Keeps these as the copy of the site's settings."""
    site_rules._kept.keep(rules)


def keep_counts(counts: Mapping[Queue, int]) -> None:
    """Keeps these counts of queues, and that no desk has a case."""
    queues = {queue: Waiting(queue, count=one, to_answer=one) for queue, one in counts.items()}
    nav._kept.waiting = WaitingNow(queues, {})
    nav._kept.until = time.monotonic() + settings.STAFF_NAV_SECONDS
