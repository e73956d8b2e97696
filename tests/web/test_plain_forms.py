"""Without scripts a form goes where its script sends it: a template has both addresses in one tag."""

import re

from django.conf import settings

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TAG = re.compile(r"<(?:form|button)\b(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*>", re.DOTALL)
BY_SCRIPT = re.compile(r'(?<![\w-])hx-post="([^"]*)"')
PLAIN = re.compile(r'(?<![\w-])(?:form)?action="([^"]*)"')
# The composer's address depends on what is quoted; the others tell scripts which page the card stands on.
TWO_ADDRESSES = {"_composer.html", "_audience_form.html", "_edit_form.html", "_describe_form.html"}


def path_in(found: re.Match[str] | None) -> str:
    """The path of an address in a template, without what is asked of it."""
    return re.split(r"\?|\{%|\{\{ query", found[1])[0] if found else ""


def test_a_form_goes_without_scripts_where_they_send_it():
    tags = [(file.name, tag) for file in TEMPLATES for tag in TAG.findall(file.read_text())]
    both = [
        (name, tag) for name, tag in tags if BY_SCRIPT.search(tag) and name not in TWO_ADDRESSES
    ]
    assert len(both) > 30
    differ = [
        name for name, tag in both if path_in(PLAIN.search(tag)) != path_in(BY_SCRIPT.search(tag))
    ]
    assert differ == []
    assert [name for name, tag in tags if "hx-encoding=" in tag and "enctype=" not in tag] == []
