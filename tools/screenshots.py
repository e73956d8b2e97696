"""Takes pictures of a running site's pages: phone and desktop, light and dark.

Usage: python tools/screenshots.py [--address URL] [--handle NAME --password WORD] [PATH ...]
"""

import argparse
import os
import shutil
import sys
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

PROJECT = Path(__file__).resolve().parents[1]
FOLDER = PROJECT / "var" / "screenshots"
PUBLIC_PATHS = ["/", "/login", "/signup", "/local", "/about"]
SIGNED_IN_PATHS = ["/", "/local", "/explore", "/notifications", "/messages", "/settings/profile"]
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
SCHEMES = ("light", "dark")


def main() -> int:
    """Take every picture, or say in one sentence why not."""
    wanted = arguments()
    paths = wanted.paths or (SIGNED_IN_PATHS if wanted.handle else PUBLIC_PATHS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell")
    chromium = chromium or shutil.which("chromium")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium)
            for size, scheme in product(SIZES, SCHEMES):
                take(browser, wanted, paths, size, scheme)
    except PlaywrightError as error:
        reason = str(error).splitlines()[0]
        print(
            f"No pictures of {wanted.address} ({reason}): start the site with `make run`, and "
            "install the browser with `make setup-dev`.",
            file=sys.stderr,
        )
        return 1
    return 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--address", default="http://127.0.0.1:8000")
    parser.add_argument("--handle", help="sign in as this person first")
    parser.add_argument("--password")
    parser.add_argument("paths", nargs="*", metavar="PATH")
    return parser.parse_args()


def take(
    browser: Browser, wanted: argparse.Namespace, paths: list[str], size: str, scheme: str
) -> None:
    """Take the pictures of one screen size and colour scheme."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=wanted.address,
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    if wanted.handle:
        sign_in(page, wanted.handle, wanted.password or "")
    for path in paths:
        answer = page.goto(path, wait_until="networkidle")
        name = path.strip("/").replace("/", "-") or "home"
        file = FOLDER / f"{name}-{size}-{scheme}.png"
        page.screenshot(path=file, full_page=True)
        print(f"{answer.status if answer else '?'} {path} -> {file.relative_to(PROJECT)}")
    context.close()


def sign_in(page: Page, handle: str, password: str) -> None:
    """Sign in through the form, as a person does."""
    page.goto("/login")
    form = page.locator("form", has=page.locator("input[type=password]"))
    form.locator("input:not([type=hidden]):not([type=password])").first.fill(handle)
    form.locator("input[type=password]").fill(password)
    form.locator("[type=submit], button").first.click()
    page.wait_for_url(lambda url: "/login" not in url)


if __name__ == "__main__":
    sys.exit(main())
