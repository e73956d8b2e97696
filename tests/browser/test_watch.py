"""The watch over every page sees what it is there for."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def page(strict):
    strict.goto("/about")
    return strict


def seen(watch, page) -> str:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    problems = " | ".join(watch.problems)
    watch.problems.clear()
    return problems


def test_it_sees_what_the_policy_stops_an_error_in_a_script_and_a_fault(watch, page):
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))"
    )
    assert "CSP: script-src-elem inline" in seen(watch, page)

    page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert "CSP: style-src-attr inline" in seen(watch, page)

    page.evaluate("new Image().src = 'https://x.example/pixel.gif'")
    assert "CSP: img-src https://x.example/pixel.gif" in seen(watch, page)

    page.evaluate("setTimeout(() => { throw new Error('broken') })")
    page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    assert "script error: broken" in seen(watch, page)

    page.goto("/@nobody_here")
    assert "404 /@nobody_here" in seen(watch, page)
