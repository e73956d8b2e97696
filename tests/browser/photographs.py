"""Photos in the composer, in the words of its page."""

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.accounts.pictures import encode, halves

PHOTOS = "**/photos"  # where files are sent to
AS_FILES = """(target, [kind, files, text]) => {
    const data = new DataTransfer();
    for (const { name, mimeType, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
    }
    if (text) data.setData("text/plain", text);
    const name = kind === "paste" ? "clipboardData" : "dataTransfer";
    const Kind = kind === "paste" ? ClipboardEvent : DragEvent;
    return !target.dispatchEvent(new Kind(kind, { bubbles: true, cancelable: true, [name]: data }));
}"""

AS_HELD = f"(target, held) => {{ window.held = setInterval({AS_FILES}, 100, target, held); }}"


def file(name: str = "canal.jpg", buffer: bytes = b"") -> dict[str, Any]:
    return {"name": name, "mimeType": "image/jpeg", "buffer": buffer or encode(halves(), "JPEG")}


def files(count: int) -> list[dict[str, Any]]:
    """So many photos: canal1.jpg, canal2.jpg…, each a bit wider than the one before."""
    return [
        file(f"canal{n}.jpg", encode(halves((600 + 10 * n, 400)), "JPEG"))
        for n in range(1, count + 1)
    ]


def camera_file(width: int = 4000) -> dict[str, Any]:
    """As a camera makes them: 12 megapixels, several megabytes. One of half that width has still more than one."""
    small = width * 2 // 5, width * 3 // 10
    noise = Image.effect_noise(small, 40).convert("RGB").resize((width, width * 3 // 4))
    return file("camera.jpg", encode(noise, "JPEG", quality=90))


def choose(page: Page, chosen: Sequence[dict[str, Any]] | dict[str, Any]) -> None:
    page.get_by_label("Add photos").set_input_files(chosen)  # type: ignore[arg-type]


def bring(target: Locator, kind: str, brought: Sequence[dict[str, Any]], text: str = "") -> bool:
    """Pastes or drops files there. Returns whether the page took them, so that the browser does nothing by itself."""
    return bool(target.evaluate(AS_FILES, [kind, _packed(brought), text]))


@contextmanager
def held_above(target: Locator, brought: Sequence[dict[str, Any]]) -> Iterator[None]:
    """Files are dragged there and not let go: the browser says so again and again."""
    target.evaluate(AS_HELD, ["dragover", _packed(brought), ""])
    yield
    target.evaluate("() => clearInterval(window.held)")


def _packed(brought: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**one, "buffer": "", "base64": base64.b64encode(one["buffer"]).decode()} for one in brought
    ]


def drag_from_desktop(page: Page, path: Path, target: Locator) -> None:
    """Drags a real file there and lets it go."""
    box = target.bounding_box()
    assert box
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    devtools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        devtools.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})


def tiles(page: Page) -> Locator:
    return page.locator("[data-tile]")


def tile(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Photo {number} of")


def description(page: Page, number: int) -> Locator:
    return tile(page, number).get_by_label("Description")


def press(page: Page, number: int, name: str) -> None:
    tile(page, number).get_by_role("button", name=name, exact=True).click()


def expect_there(page: Page, count: int) -> None:
    """So many tiles, and the server has all of them."""
    expect(tiles(page)).to_have_count(count)
    expect(page.locator('[data-tile][data-state="there"]')).to_have_count(count)


def expect_order(page: Page, *names: str) -> None:
    """The descriptions, in the order of the tiles."""
    found = page.locator("[data-tile] textarea")
    expect(found).to_have_count(len(names))
    for place, name in enumerate(names):
        expect(found.nth(place)).to_have_value(name)


def describe(page: Page, *names: str) -> None:
    for number, name in enumerate(names, 1):
        description(page, number).fill(name)


def status(page: Page) -> Locator:
    return page.locator(".photos-status")


def note(page: Page) -> Locator:
    return page.locator(".photos-note")


def post_button(page: Page) -> Locator:
    return page.get_by_role("button", name="Post", exact=True)


def answer_once(page: Page, status: int, **headers: str) -> None:
    """The next file gets this answer, and the server never hears of it."""
    page.route(
        PHOTOS, lambda route: route.fulfill(status=status, headers=headers, body=""), times=1
    )


class Held:
    """Files wait on their way until they are let through."""

    def __init__(self, page: Page) -> None:
        self.routes: list[Any] = []
        page.route(PHOTOS, lambda route: self.routes.append(route))
        self.page = page

    def expect(self, count: int) -> None:
        for _ in range(100):
            if len(self.routes) >= count:
                break
            self.page.wait_for_timeout(20)
        assert len(self.routes) == count

    def let_go(self, count: int = 1) -> None:
        for _ in range(count):
            self.routes.pop(0).continue_()
