"""What is wrong with a page at a glance: more than one filled button, and with text twice as large broken words,
crowded buttons, towers of letters, or a page that is too wide."""

from playwright.sync_api import Page, expect

TWICE = "document.documentElement.style.setProperty('font-size', '200%')"
# What is asked for as soon as it is seen is asked for by then.
TWO_FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
# What has the colour of the primary button as its background, on the screen and not behind something.
FILLED = """() => {
    const probe = document.createElement("i");
    probe.className = "button";
    document.body.append(probe);
    const filled = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll("a, button")]
        .filter((element) => element.checkVisibility() && element.matches(":not(.skip-link)"))
        .filter((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
        })
        .filter((element) => getComputedStyle(element).backgroundColor === filled)
        .map((element) => element.textContent.trim());
}"""
# Words of the page's own (not what people wrote) that stand on more than one line: [word, number of lines].
BROKEN_WORDS = """() => {
    const own = "a, button, summary, label, legend, h1, h2, h3, option, .brand, .nav-label, .chip";
    const people = "bdi, [dir=auto], textarea, .handle, .visually-hidden";
    const broken = [];
    for (const element of document.querySelectorAll(own)) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node; (node = walker.nextNode());) {
            if (node.parentElement.closest(people)) continue;
            for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
                const range = document.createRange();
                range.setStart(node, index);
                range.setEnd(node, index + word.length);
                const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                if (lines.size > 1) broken.push(`${word} on ${lines.size} lines`);
            }
        }
    }
    return broken;
}"""
# Buttons whose text sticks out of them, or that stick out of the screen.
CROWDED_BUTTONS = """() => [...document.querySelectorAll(".button, .menu-list button")]
    .filter((button) => button.checkVisibility() && !button.closest(".visually-hidden, .nav"))
    .filter((button) => {
        const { left, right } = button.getBoundingClientRect();
        const scrolls = button.closest(".tabs, .staff-nav");
        return button.scrollWidth > button.clientWidth + 1
            || (!scrolls && (left < -1 || right > document.documentElement.clientWidth + 1));
    })
    .map((button) => button.outerHTML.slice(0, 120))"""
# Letters of what people wrote that stand alone on their line, as in a tower.
TOWERS = """() => {
    const towers = [];
    for (const element of document.querySelectorAll("bdi, [dir=auto], .handle, p, li, label")) {
        if (!element.checkVisibility() || !/\\p{L}{4}/u.test(element.textContent)) continue;
        const { width, height } = element.getBoundingClientRect();
        const letter = parseFloat(getComputedStyle(element).fontSize);
        if (width > 1 && width < 2 * letter && height > 4 * letter) towers.push(element.outerHTML.slice(0, 120));
    }
    return towers;
}"""


def filled(page: Page) -> list[str]:
    """The filled buttons on the screen, once what the page fetches by itself has come."""
    page.evaluate(TWO_FRAMES)
    expect(page.locator(".htmx-request")).to_have_count(0)
    return page.evaluate(FILLED)


def faults_on(page: Page, path: str, size: dict[str, int]) -> list[str]:
    page.set_viewport_size(size)
    page.goto(path)
    primary = filled(page)
    page.evaluate(TWICE)
    wide = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    found = [*page.evaluate(BROKEN_WORDS), *page.evaluate(CROWDED_BUTTONS), *page.evaluate(TOWERS)]
    if wide > 0:
        found.append(f"{wide} pixels too wide")
    if len(primary) > 1:
        found.append(f"filled buttons: {primary}")
    return found
