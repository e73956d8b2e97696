"""Takes pictures of the site's pages into docs/screenshots: phone and desktop, light and dark.

Usage: python tools/screenshots.py [--address URL] [PAGE ...]. Unless an address is given, a site of its own with fresh
demo data is started in a folder that goes away afterwards; what is in var/ is not touched.
"""

import argparse
import io
import os
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from screenshot_pages import LANGUAGES, OF_THE_LENS, PAGES, READER, SHELVES
from screenshot_site import NoSite, site_at

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "screenshots"
PASSWORD = "calm-quick-warm"  # noqa: S105 - of the demo people, and printed at every start
SIZES = {"phone": (390, 844), "desktop": (1366, 850)}
SCHEMES = ("light", "dark")
QUALITY = 80


def main() -> int:
    """Take every picture, or say in one sentence why not."""
    parser = argparse.ArgumentParser(description="Takes pictures of the site's pages.")
    parser.add_argument("--address", help="of a site that runs already, with its demo data")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="all unless named")
    wanted = parser.parse_args()
    names = [*PAGES, *LANGUAGES]
    if unknown := set(wanted.pages) - set(names):
        parser.error(f"no such page: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    pictures = list(_pictures(wanted.pages or names))
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    try:
        with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
            task = progress.add_task("Starting a site", total=len(pictures))
            with site_at(wanted.address) as address, sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=_chromium(), args=["--no-sandbox"]
                )
                camera = Camera(browser, address)
                for name, size, scheme in pictures:
                    progress.update(task, description=f"{name}, {size}, {scheme}")
                    camera.take(name, size, scheme)
                    progress.advance(task)
                progress.update(task, description="All pictures")
                browser.close()
    except (NoSite, PlaywrightError) as error:
        reason = str(error).splitlines()[0]
        console.print(f"No pictures: {reason}", style="red", highlight=False)
        console.print("`make setup-dev` installs the browser and all else that is needed.")
        return 1
    console.print(f"{len(pictures)} pictures are in {FOLDER.relative_to(ROOT)}.")
    return 0


def _pictures(names: list[str]) -> Iterator[tuple[str, str, str]]:
    """Name, size and scheme, those of one screen after each other."""
    for size, scheme, name in product(SIZES, SCHEMES, names):
        if name in PAGES or scheme == "light":
            yield name, size, scheme


def _chromium() -> str | None:
    """Where Chromium is: $CHROMIUM, else the PATH, else Playwright's own."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


class Camera:
    """Looks at one site's pages, signed in as who should look at them."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._address = address
        self._sign_ins: dict[str, Any] = {}  # by handle: the cookies
        self._post = ""
        self._case = ""

    def take(self, name: str, size: str, scheme: str) -> None:
        """One picture of what fits the screen."""
        who, path = PAGES[name] if name in PAGES else PAGES["home"]
        page = self._open(who, size=size, scheme=scheme, language=LANGUAGES.get(name, "en-GB"))
        if name not in OF_THE_LENS:  # debug mode has it on every page
            page.context.add_cookies([{"name": "lens", "value": "0", "url": self._address}])
        if "{post}" in path:
            self._post = self._post or _most_liked(page)
            path = path.format(post=self._post)
        if "{case}" in path or "{person}" in path:
            self._case = self._case or _most_reported(page)
            person = self._case.replace("/cases/person/", "/people/")
            path = path.format(case=self._case, person=person)
        page.goto(path)
        if name in SHELVES and not page.locator(".shelved").count():
            _fill_shelves(page)
            page.goto(path)
        page.wait_for_load_state("networkidle")
        if name in OF_THE_LENS:
            page.keyboard.press(".")
            page.locator(".lens-body").wait_for()
            page.locator(".lens-naive > summary").click()
        save(page.screenshot(), f"{name}-{size}-{scheme}")
        page.context.close()

    def _open(self, who: str, *, size: str, scheme: str, language: str) -> Page:
        if who and who not in self._sign_ins:
            self._sign_ins[who] = self._sign_in(who)
        width, height = SIZES[size]
        context = self._browser.new_context(
            base_url=self._address,
            storage_state=self._sign_ins.get(who),
            viewport={"width": width, "height": height},
            is_mobile=size == "phone",
            has_touch=size == "phone",
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            locale=language,
        )
        return context.new_page()

    def _sign_in(self, who: str) -> Any:
        context = self._browser.new_context(base_url=self._address)
        page = context.new_page()
        page.goto("/login")
        page.fill("[name=account]", who)
        page.fill("[name=password]", PASSWORD)
        page.locator('form[action="/login"] [type=submit]').click()
        page.locator(".account").wait_for()
        # The session alone: the cookie of preferences would fix the language.
        cookies = [cookie for cookie in context.cookies() if "session" in cookie.get("name", "")]
        context.close()
        return {"cookies": cookies, "origins": []}


def _fill_shelves(page: Page) -> None:
    """Schedules a post, and begins another one."""
    later = datetime.now(UTC) + timedelta(days=3)
    text, time = page.locator(".composer-own textarea").first, page.locator("[name=publish_at]")
    page.goto("/posts/new")
    text.fill("Two loaves on Saturday, if the oven behaves. 🍞")
    page.locator(".part-when > summary").click()
    time.fill(later.strftime("%Y-%m-%dT09:30"))
    page.locator("[data-posts]").click()
    page.wait_for_url("**/scheduled")
    page.goto("/posts/new")
    text.fill("The walnut bread, as promised: 500 g of rye, 300 g of wheat, and patience.")
    page.locator(".composer-saved").filter(has_text=":").wait_for()


def _most_liked(page: Page) -> str:
    page.goto(f"/@{READER}")
    address: str = page.evaluate(
        """() => {
            const likes = (post) => Number(post.querySelector(".like-count span").textContent);
            const posts = [...document.querySelectorAll("article.post")];
            return posts.sort((one, other) => likes(other) - likes(one))[0].dataset.href;
        }"""
    )
    return address


def _most_reported(page: Page) -> str:
    page.goto("/moderation/queue")
    address: str = page.evaluate(
        """() => {
            const reports = (row) => parseInt(row.querySelector(".case-facts").textContent.match(/\\d+/));
            const rows = [...document.querySelectorAll(".case-row")];
            return rows.sort((one, other) => reports(other) - reports(one))[0].dataset.href.split("?")[0];
        }"""
    )
    return address


def save(picture: bytes, name: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(picture)).save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    sys.exit(main())
