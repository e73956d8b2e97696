"""The rules of axe-core (WCAG 2.2 A and AA, and best practice), as sentences that a failing test prints."""

from typing import Any

from axe_playwright_python import sync_playwright
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = "(options) => axe.run(document, options)"


class Axe:
    def __init__(self) -> None:
        self._script = sync_playwright.Axe().axe_script

    def __call__(self, page: Page, *rules: str) -> list[str]:
        """What breaks the rules on the page as it is now; all of them, or only those named."""
        only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": TAGS}
        page.wait_for_load_state()  # a page that a link has just opened may have no body yet
        page.evaluate(f"() => {{ if (!window.axe) {{ {self._script} }} }}")
        # Not preloaded: axe looks for imported style sheets in the wrong folder, and needs them for no rule named here.
        options: dict[str, Any] = {
            "runOnly": only,
            "resultTypes": ["violations"],
            "preload": False,
        }
        found = page.evaluate(RUN, options)
        return [
            f"{violation['id']}: {node['target'][0]} {node['html'][:150]} {node['failureSummary']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]
