"""No words stand in a template, or in what a view or form answers, that gettext has not seen."""

import pytest

from tests.test_architecture import PACKAGES
from tests.web.catalogs import ROOT
from tests.web.literals import literals_of_python, literals_of_template

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MODULES = [
    file
    for app in PACKAGES
    for file in sorted((ROOT / app).rglob("*.py"))
    if "management" not in file.parts  # commands speak English
]


def name(path) -> str:
    return str(path.relative_to(ROOT))


def test_a_template_has_no_words_of_its_own():
    found = {name(file): literals_of_template(file.read_text()) for file in TEMPLATES}
    assert found
    assert {file: words for file, words in found.items() if words} == {}


def test_what_python_says_to_people_is_translated():
    found = {name(file): literals_of_python(file.read_text()) for file in MODULES}
    assert found
    assert {file: words for file, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "template",
    [
        "<p>Hello</p>",
        "{% if x %}你好{% endif %}",
        '<p>{% translate "Hi" %} there</p>',
        '<a aria-label="Close">{{ x }}</a>',
        '<a title="{{ name }} is here"></a>',
        '<img alt="A cat">',
        '<input placeholder="Say something">',
        '<input type="submit" value="Send">',
        '<meta name="description" content="A site">',
        '<div data-says="Characters left: {n}"></div>',
        '{% include "_empty.html" with text="Nobody" %}',
        '{{ followed|yesno:"Following,Follow" }}',
    ],
)
def test_words_in_a_template_are_found(template):
    assert literals_of_template(template)


@pytest.mark.parametrize(
    "template",
    [
        '<p class="lead">{% translate "Hello" %} 👋 @{{ handle }} · socialsite</p>',
        "{% blocktranslate count n=n %}{{ n }} post{% plural %}{{ n }} posts{% endblocktranslate %}",
        '<kbd>Ctrl</kbd> <button name="on" value="{{ on|yesno:"0,1" }}" data-draft="alice"></button>',
        "{# a remark #}{% comment %}another{% endcomment %}<script>let words;</script>",
        '<meta name="color-scheme" content="light dark"><input type="hidden" value="next">',
    ],
)
def test_what_is_not_read_is_left_alone(template):
    assert not literals_of_template(template)


@pytest.mark.parametrize(
    "code",
    [
        'messages.success(request, "Saved.")',
        'messages.error(request, f"Hello {name}")',
        'ValidationError("Too long.", code="long")',
        'ValidationError(["Too long."])',
        'form.add_error("name", "Taken.")',
        'forms.CharField(label="Name")',
        'forms.CharField(error_messages={"required": "Write something."})',
        'forms.ChoiceField(choices=[("light", "Light")])',
        'messages.info(request, "Hello %s" % name)',
        '_(f"Hello {name}")',
    ],
)
def test_words_in_python_are_found(code):
    assert literals_of_python(code)


@pytest.mark.parametrize(
    "code",
    [
        'messages.success(request, _("Welcome, %(name)s!") % {"name": name})',
        'ValidationError(_("Too long."), code="long")',
        'form.add_error("name", _("Taken."))',
        'forms.CharField(label=_("Name"), widget=forms.TextInput(attrs={"dir": "auto"}))',
    ],
)
def test_translated_words_in_python_are_left_alone(code):
    assert not literals_of_python(code)
