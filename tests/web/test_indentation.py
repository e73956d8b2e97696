"""Pages are sent without the indentation of their templates, and nothing else of a template changes."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines
from django.template.loader import get_template

from socialsite.web.compression import without_indentation

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TAG = re.compile(r"\{[%{#].*?[%}#]\}")
DRAWS_NOTHING = re.compile(r"\{#.*?#\}|\{% *load\b.*?%\}")
LONG_VALUE = re.compile(r'\s([\w-]+)="[^"]*\n[^"]*"')
LISTS = {"srcset", "sizes", "style"}  # in which a line break is any white space


def test_a_run_with_a_line_break_becomes_one_line_break():
    assert without_indentation("<ul>\n    <li>a</li>  \n\n\n\t<li>b</li>\n</ul>\n") == (
        "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"
    )


def test_white_space_within_a_line_stays():
    assert without_indentation("<b>a</b>  <i>b</i>\n") == "<b>a</b>  <i>b</i>\n"


def test_what_touches_still_touches():
    assert without_indentation("<b>a</b><i>b</i>") == "<b>a</b><i>b</i>"


def test_attributes_of_a_tag_stay_apart():
    assert without_indentation('<a href="/"\n   rel="next">') == '<a href="/"\nrel="next">'


@pytest.mark.parametrize(
    "kept",
    [
        "<pre>\n  a\n\n  b</pre>",
        '<textarea rows="2"\n   name="a">\n  b</textarea>',
        "<script>\n  // a\n  b</script>",
        "<style>\n  a {}\n</style>",
        "{% verbatim %}\n  a\n{% endverbatim %}",
        "{% comment %}\n  a\n{% endcomment %}",
        "{% blocktranslate trimmed %}\n    a\n  {% plural %}\n    b\n{% endblocktranslate %}",
        "{% blocktrans %}\n  a\n{% endblocktrans %}",
    ],
)
def test_where_white_space_counts_it_stays(kept):
    source = f"<p>\n    a\n</p>\n\n    {kept}\n\n    <p>\n    b\n</p>"
    assert without_indentation(source) == f"<p>\na\n</p>\n{kept}\n<p>\nb\n</p>"


def test_lines_of_comments_and_libraries_leave_one_line_break():
    source = "{# says what it is #}\n{% load i18n %}\n{% load site %}\n\n<p>{# here #} a</p>\n"
    assert without_indentation(source) == "{% load i18n %}{% load site %}\n<p>{# here #} a</p>\n"


def test_every_template_says_the_same_without_its_indentation():
    """Tags, texts and values, in their order."""
    assert len(TEMPLATES) > 200
    for file in TEMPLATES:
        source = file.read_text()
        words = [
            DRAWS_NOTHING.sub(" ", text).split() for text in (source, without_indentation(source))
        ]
        assert words[0] == words[1], file


def test_no_template_has_a_text_in_an_attribute_over_several_lines():
    found = {
        str(file.relative_to(settings.BASE_DIR)): names
        for file in TEMPLATES
        if (names := set(LONG_VALUE.findall(TAG.sub("", file.read_text()))) - LISTS)
    }
    assert found == {}


def test_the_site_draws_its_pages_so_and_its_letters_as_they_are(settings):
    source = (settings.BASE_DIR / "templates" / "_about_card.html").read_text()
    assert "\n  <" in source
    assert "\n " not in get_template("_about_card.html").render()
    letter = Path(get_template("mail/letter.txt").origin.name).read_text()
    assert get_template("mail/letter.txt").template.source == letter


def test_in_debug_mode_lines_are_those_of_the_file(settings):
    settings.DEBUG = True
    loader = engines["django"].engine.template_loaders[0]
    (origin, *_) = loader.get_template_sources("_about_card.html")
    assert loader.get_contents(origin) == Path(origin.name).read_text()
