"""The rules of axe-core (WCAG 2.2 A and AA, and best practice), as sentences that a failing test prints."""

from itertools import product
from typing import Any

from axe_playwright_python import sync_playwright
from playwright.sync_api import Page, expect

from tests.injected.faults import describe, share

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


# On which screens a page is looked at: one by default, another one each run, and on all with `FAULTS=long`.
#
# All pages share one style sheet, so what is wrong with a page is seldom wrong on one screen alone, and looking
# at all pages on every screen took a quarter of all tests. Each look draws its own screen, so that a run sees all
# of them.

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1366, "height": 850}
SCHEMES = ("light", "dark")

# For what people do, step by step, on both: `@pytest.mark.parametrize("size", SIZES)`. Without ids of their own, as
# those of all processes of a run have to be the same.
SIZES = share([PHONE, DESKTOP], one_of=2, salt="sizes")


class Look:
    """`look(page)`: what is wrong with the page as it is now, on the screens of this run."""

    def __init__(self, axe: Axe, test: str) -> None:
        self.axe, self.test, self.looks = axe, test, 0

    def __call__(self, page: Page, *, sizes=(PHONE, DESKTOP), height: int = 0) -> list[str]:
        """Rules of accessibility that are broken, and by how much the page is too wide."""
        self.looks += 1
        screens = list(product(sizes, SCHEMES))
        salt = f"{self.test}, look {self.looks}"
        tried = share(screens, one_of=len(screens), salt=salt)
        print(describe(salt, len(screens), len(tried)))
        problems = []
        for size, scheme in tried:
            page.set_viewport_size(size | {"height": height or size["height"]})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            expect(page.locator(".htmx-request")).to_have_count(0)
            found = self.axe(page)
            if (pixels := sideways(page)) > 0:
                found.append(f"scrolls sideways by {pixels} pixels")
            problems += [f"{page.url}, {size['width']} wide, {scheme}: {one}" for one in found]
        return problems


def sideways(page: Page) -> int:
    """By how many pixels the page is wider than its screen (less than none beside an empty gutter)."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
