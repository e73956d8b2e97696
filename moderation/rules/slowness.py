"""What pages say of a site that staff have slowed down."""

from accounts.cards import moment_text
from socialsite.site.site_setup import SiteRules


def slow_context(site: SiteRules) -> dict[str, str]:
    """Returns the context of `moderation/rules/_slow_down.html`: the end in words, empty if the site is as usual."""
    return {"slow_until": moment_text(site.slow_until) if site.is_slow else ""}
