"""Whatever people type shows as text: nothing runs, nothing loads, no page breaks.

The watch over every page (watch.py) fails these tests on a dialog, a CSP violation or a request to another host.
"""

from playwright.sync_api import expect

from accounts.profile.writes import edit_profile
from relations.follows.writes import follow
from tests.browser import steps
from tests.conftest import post

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</textarea><iframe src=//evil.example>",
    "{{ 7|add:7 }} {% debug %} ${alert(1)}",
    "' onmouseover='alert(1)",
    "<style>*{display:none}</style>",
    "<form action=//evil.example><button>x",
    "hx-get=//evil.example hx-trigger=load",
    "javascript:alert(1)",
    "<!--",
]
LINKS = 'https://x.example/"onmouseover="alert(1) https://x.example/<script>alert(1)</script>'


def test_hostile_text_shows_as_it_was_typed_and_comes_back_so_in_drafts_and_forms(
    alice, bob, signed_in, drain_stream, strict, watch
):
    for text in HOSTILE:
        post(alice, text)
    follow(by=bob, user_id=alice.user_id)
    for person, text in ((alice, HOSTILE[0]), (bob, HOSTILE[2])):
        edit_profile(by=person, name=text, bio=" ".join(HOSTILE), location=HOSTILE[1])
    drain_stream()
    page = signed_in(bob)
    for path in ("/", "/local", "/@alice", "/@alice/followers"):
        page.goto(path)
        if path.endswith("followers"):
            expect(page.locator("article.person .name")).to_have_text(HOSTILE[2])
            expect(page.locator("article.person .bio")).to_have_text(" ".join(HOSTILE))
        else:
            expect(steps.posts(page).locator(".post-text")).to_have_text(HOSTILE[::-1])
            expect(steps.posts(page).first.locator(".name")).to_have_text(HOSTILE[0])
        harmful = "script, iframe, style, [onerror], [onload], [onmouseover], [hx-trigger=load]"
        expect(page.locator(f"main :is({harmful})"), path).to_have_count(0)

    # Links lead only where they say.
    strict.goto(f"/@alice/posts/{post(alice, LINKS)}")
    links = strict.locator(".post-text a")

    assert links.evaluate_all("(links) => links.map((link) => link.getAttribute('href'))") == [
        "https://x.example/",
        "https://x.example/",
    ]
    expect(strict.locator(".post-text")).to_have_text(LINKS.replace("https://", ""))

    # A draft and a refused form come back as text.
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill(HOSTILE[3])
    page.reload()
    expect(steps.composer(page)).to_have_value(HOSTILE[3])

    long = HOSTILE[3] * 30
    steps.write(page, long)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(steps.composer(page)).to_have_value(long)

    page.goto("/")
    steps.write(page, HOSTILE[1])
    card = steps.posts(page).first
    expect(card.locator(".post-text")).to_have_text(HOSTILE[1])
    with page.expect_response("**/like"):
        steps.heart(card).click()
    steps.expect_state(steps.heart(card), on=True)
    steps.open_menu(card)
    card.get_by_role("link", name="Delete post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_visible()
