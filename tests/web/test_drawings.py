"""What a process draws once and keeps: drawings of keys, and the parts of a page's frame that are `kept`."""

import time

import pytest
from django.conf import settings
from django.template import Context, Engine, TemplateSyntaxError
from django.test import Client, override_settings
from django.utils.safestring import mark_safe
from django.utils.translation import override

from socialsite.process_state import reset_process_state
from socialsite.web.drawings import SECONDS, Drawings
from socialsite.web.templatetags import kept
from socialsite.web.templatetags.kept import in_nav
from tests.web.html import Html


class Drawn:
    """Drawings of numbers, and which were drawn."""

    def __init__(self, most_bytes: int = 100_000, size: int = 1000) -> None:
        self.asked: list[int] = []
        self.size = size
        self.drawings = Drawings(self._draw, most_bytes=most_bytes)

    def _draw(self, key: int):
        self.asked.append(key)
        return mark_safe(f"{key}".ljust(self.size))

    def of(self, *numbers: int) -> list[int]:
        """Asks for these, and returns which had to be drawn."""
        before = len(self.asked)
        for one in numbers:
            assert self.drawings.of(one).strip() == str(one)
        return self.asked[before:]


def test_a_drawing_is_made_once_for_its_key_and_again_after_a_reset():
    drawn = Drawn()
    assert drawn.of(1, 1, 2, 1) == [1, 2]
    reset_process_state()
    assert drawn.of(1) == [1]


def test_what_is_kept_has_a_bound_and_what_is_asked_for_stays():
    drawn = Drawn(most_bytes=20_000)
    for number in range(1, 500):
        drawn.of(0, number)
        assert len(drawn.drawings) <= 20
    assert drawn.asked.count(0) == 1
    assert drawn.of(499, 1) == [1]


def test_what_nobody_asks_for_is_gone_in_time_and_what_is_asked_for_stays(monkeypatch):
    drawn, now = Drawn(), time.monotonic()
    drawn.of(1, 2)
    for later in (1, 2, 3):
        monkeypatch.setattr(time, "monotonic", lambda later=later: now + later * (SECONDS + 1))
        drawn.of(1, 10 + later)
    assert 2 not in drawn.drawings
    assert drawn.asked.count(1) == 1


def test_what_is_larger_than_half_the_bound_is_not_kept():
    drawn = Drawn(size=60_000)
    assert drawn.of(1, 1) == [1, 1]
    assert len(drawn.drawings) == 0


def test_in_debug_mode_everything_is_drawn_anew_as_templates_change():
    drawn = Drawn()
    with override_settings(DEBUG=True):
        assert drawn.of(1, 1) == [1, 1]


def template(source: str):
    return Engine.get_default().from_string(f"{{% load i18n kept %}}{source}")


def drawings_of(made, **context) -> str:
    return made.render(Context(context)).strip()


def test_a_kept_part_sees_what_it_names_and_nothing_else():
    made = template("{{ b }}{% kept a=x %}{{ a }}{{ b }}{{ x }}{{ request }}{% endkept %}{{ b }}")
    assert drawings_of(made, x="1", b="2", request="3") == "212"
    assert drawings_of(made, x="4", b="2", request="3") == "242"


def test_it_is_drawn_once_for_its_values_and_its_language():
    made = template("{% kept a=x %}{% translate 'Home' %}{{ a }}{% endkept %}")
    reset_process_state()
    for _ in range(3):
        assert drawings_of(made, x="1") == "Home1"
    assert len(kept.DRAWINGS) == 1
    with override("de"):
        assert drawings_of(made, x="1") == "Start1"
    assert drawings_of(made, x="2") == "Home2"
    assert len(kept.DRAWINGS) == 3


def test_two_parts_with_the_same_values_are_two():
    made = template("{% kept a=x %}1{{ a }}{% endkept %}{% kept a=x %}2{{ a }}{% endkept %}")
    assert drawings_of(made, x="-") == "1-2-"


def test_what_is_live_in_it_is_of_each_page():
    made = template(
        "{% kept a=x %}[{% live %}{{ who }}{% endlive %}|{{ a }}|"
        "{% for _ in 'ab' %}{% live %}{{ who }}!{% endlive %}{% endfor %}"
        "{% if a == '2' %}{% live %}two for {{ who }}{% endlive %}{% endif %}]{% endkept %}"
    )
    for _ in range(2):
        assert drawings_of(made, x="1", who="<bob>") == "[&lt;bob&gt;|1|&lt;bob&gt;!&lt;bob&gt;!]"
        assert drawings_of(made, x="2", who="eve") == "[eve|2|eve!eve!two for eve]"
        assert drawings_of(made, x="1", who="carol") == "[carol|1|carol!carol!]"


def test_live_outside_of_a_kept_part_changes_nothing():
    assert drawings_of(template("{% live %}{{ who }}{% endlive %}"), who="bob") == "bob"


def test_a_kept_part_within_a_live_one_keeps_its_own():
    made = template(
        "{% kept %}{% live %}{{ who }}{% kept a=x %}{{ a }}{{ who }}{% endkept %}{% endlive %}{% endkept %}"
    )
    assert [drawings_of(made, x="1", who=who) for who in ("bob", "eve")] == ["bob1", "eve1"]


def test_texts_are_escaped_and_what_is_no_text_is_refused():
    made = template("{% kept a=x %}{{ a }}{% endkept %}")
    assert drawings_of(made, x="<b>") == "&lt;b&gt;"
    assert drawings_of(made, x=mark_safe("b")) == "b"
    assert drawings_of(made) == ""
    # HTML that is ready is equal to the text that must be escaped, and 1 is equal to True.
    for value in (mark_safe("<b>"), 1, ["a"], object()):
        with pytest.raises(TypeError):
            drawings_of(made, x=value)


def test_a_part_that_is_named_without_a_value_is_refused():
    with pytest.raises(TemplateSyntaxError):
        template("{% kept x %}{% endkept %}")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        *[("/", "/"), ("/explore", "/explore"), ("/posts/new", "/posts/new"), ("/posts/1", "")],
        *[("/settings/email", "/settings/"), ("/saved", "/saved"), ("/saved/1", "/saved/")],
        *[("/@settings", ""), ("/@bob/posts/1", ""), ("/settings", "/settings"), ("", "")],
    ],
)
def test_the_navigation_knows_its_own_places_and_takes_no_other_address(path, place):
    assert in_nav(path) == place


def test_each_link_of_the_navigation_is_the_present_page_on_its_page(bob, log_in):
    for browser in (Client(), log_in(bob)):
        links = Html(browser.get("/about")).all("a", class_="nav-link")
        assert len(links) >= 5
        for address in [link["href"] for link in links]:
            found = Html(browser.get(address)).all("a", class_="nav-link")
            here = [link["href"] for link in found if "aria-current" in link.attributes]
            assert here == [address]


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_each_language_stands_by_its_own_name_whatever_the_page_speaks(table, language):
    page = Html(Client().get("/about", headers={"Accept-Language": language}))
    buttons = page.all("button", name="language")  # beside the page, and below it on phones
    assert {(one["value"], one.text) for one in buttons} == set(settings.LANGUAGES)
    assert {one["value"] for one in buttons if "aria-current" in one.attributes} == {language}
