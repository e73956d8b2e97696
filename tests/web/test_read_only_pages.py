"""Every page that is read is read while the site is only read, too: what a page notes beside is left out."""

import pytest

from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import plan_read_only
from socialsite.site_settings.site_rules import forget_site_rules, site_rules
from tests.web.test_authorisation import (  # noqa: F401 - fixtures
    TABLES,
    address_of,
    browser_for,
    built,
    society,
)

pytestmark = pytest.mark.engines(
    "embedded", reason="what a page writes does not hang on the engine"
)

# How often someone asks for it is counted first, which protects the table more than a file can wait.
COUNTED = {"export"}


def test_no_page_is_refused(society):  # noqa: F811
    rows = [row for table in TABLES for row in table if row.method == "get" and not row.audience]
    addresses = [(row.name, address_of(row, society.alice)) for row in rows]
    plan_read_only(by=OPERATOR)
    site_rules()
    refused = set()
    for kind in ("visitor", "author", "admin"):
        browser = browser_for(kind, society)
        for name, address in addresses:
            answer = browser.get(address)
            if answer.status_code >= 500:
                refused.add(name)
    forget_site_rules()
    assert len(addresses) > 100
    assert refused == COUNTED
