"""Takes pictures of a running site's pages into docs/screenshots: phone and desktop, light and dark.

Usage: python tools/screenshots.py [--address URL] [PAGE ...]; the site runs with its demo data (`make run`).
"""

import argparse
import io
import os
import shutil
import sys
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "screenshots"
PUBLIC = {"landing": "/", "sign-up": "/signup", "sign-in": "/login", "about": "/about"}
SIGNED_IN = {
    "home": "/",
    "local": "/local",
    "profile": "/@bob",
    "followers": "/@alice/followers",
    "compose": "/posts/new",
    "settings": "/settings/profile",
    "appearance": "/settings/appearance",
}
DEMO = ("alice", "calm-quick-warm")
SIZES = {"phone": (390, 844), "desktop": (1366, 850)}
SCHEMES = ("light", "dark")
QUALITY = 82


def main() -> int:
    """Take every picture, or say in one sentence why not."""
    parser = argparse.ArgumentParser(description="Takes pictures of the site's pages.")
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="all unless named")
    wanted = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")
    FOLDER.mkdir(parents=True, exist_ok=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium or shutil.which("chromium"), args=["--no-sandbox"]
            )
            for size, scheme in product(SIZES, SCHEMES):
                take(browser, wanted.address, set(wanted.pages), size, scheme)
    except PlaywrightError as error:
        reason = str(error).splitlines()[0]
        print(
            f"No pictures of {wanted.address} ({reason}): start the site with `make run`, and "
            "install the browser with `make setup-dev`.",
            file=sys.stderr,
        )
        return 1
    return 0


def take(browser: Browser, address: str, pages: set[str], size: str, scheme: str) -> None:
    """The pictures of one screen size and colour scheme: as a visitor, then signed in."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        is_mobile=size == "phone",
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    for group in (PUBLIC, SIGNED_IN):
        if group is SIGNED_IN:
            page.goto("/login")
            page.fill("[name=account]", DEMO[0])
            page.fill("[name=password]", DEMO[1])
            page.locator('form[action="/login"] button').click()
            page.wait_for_url("**/")
        for name, path in group.items():
            if not pages or name in pages:
                page.goto(path)
                page.wait_for_load_state("networkidle")
                save(page.screenshot(), f"{name}-{size}-{scheme}")
    context.close()


def save(picture: bytes, name: str) -> None:
    Image.open(io.BytesIO(picture)).save(FOLDER / f"{name}.webp", quality=QUALITY)
    print(f"docs/screenshots/{name}.webp")


if __name__ == "__main__":
    sys.exit(main())
