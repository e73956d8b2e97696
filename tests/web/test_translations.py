"""Every text of the site is in the catalogs, which are whole."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import django
import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.template.base import Lexer, TokenType

from tests.test_architecture import PACKAGES
from tests.web.catalogs import (
    LANGUAGES,
    PLACEHOLDER,
    ROOT,
    catalog_file,
    messages,
    placeholders,
    read_catalog,
    sources,
    translations,
)

LETTERS = re.compile(r"[^\W\d_]")
SPOKEN_ATTRIBUTES = {"aria-label", "aria-description", "alt", "title", "placeholder", "label"}
SPOKEN_META = {"description", "og:title", "og:description", "twitter:title"}
SPOKEN_BUTTONS = {"submit", "button", "reset"}
NOT_READ = {"script", "style", "kbd", "code"}
NAMES = {"socialsite", "R", "W", "ms"}  # and units: written the same in every language
STATES = {"on", "off", "true", "false"}  # of attributes, read by no person
WITH_TEXT = re.compile(r"""\b(?:text|label|title|heading)=["']([^"']+)["']""")
FILTER_TEXT = re.compile(r"""\|(?:default|default_if_none|yesno|join):["']([^"']+)["']""")


def literals_of_template(source: str) -> list[str]:
    """Words between and inside tags, in arguments of `include`, and in filters, that no gettext has seen."""
    found = []
    html = []
    within = ""  # the tag whose end is awaited
    for token in Lexer(source).tokenize():
        name = token.contents.split(maxsplit=1)[0] if token.contents.strip() else ""
        if within:
            within = "" if name == f"end{within}" else within
        elif token.token_type == TokenType.TEXT:
            html.append(token.contents)
        elif token.token_type == TokenType.BLOCK and name in ("blocktranslate", "comment"):
            within = name
        elif token.token_type == TokenType.BLOCK and name in ("include", "with"):
            found += [text for text in WITH_TEXT.findall(token.contents) if _is_read(text)]
        elif token.token_type == TokenType.VAR:
            texts = FILTER_TEXT.findall(token.contents)
            found += [
                text for text in texts if not set(text.split(",")) <= STATES and _is_read(text)
            ]
            html.append("0")
    return found + _Reader("".join(html)).found


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._not_read = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._not_read += tag in NOT_READ
        attributes = {name: value or "" for name, value in attrs}
        self.found += [
            value
            for name, value in attributes.items()
            if _is_spoken(tag, name, attributes) and _is_read(value)
        ]

    def handle_endtag(self, tag: str) -> None:
        self._not_read -= tag in NOT_READ

    def handle_data(self, data: str) -> None:
        if not self._not_read and _is_read(data):
            self.found.append(" ".join(data.split()))


def _is_spoken(tag: str, name: str, attributes: dict[str, str]) -> bool:
    if name == "content":
        return (attributes.get("name") or attributes.get("property")) in SPOKEN_META
    if name == "value":
        return tag == "input" and attributes.get("type") in SPOKEN_BUTTONS
    # What scripts say stands in data attributes: a sentence there is one that is read.
    return name in SPOKEN_ATTRIBUTES or (name.startswith("data-") and " " in attributes[name])


def _is_read(text: str) -> bool:
    return any(LETTERS.search(word) and word not in NAMES for word in re.findall(r"\w+", text))


SPOKEN_KEYWORDS = {"label", "help_text", "empty_label"}
GETTEXT = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "npgettext", "ngettext_lazy"}


def literals_of_python(source: str) -> list[str]:
    """Texts of messages, of forms and of their errors that are not marked, and marked ones that cannot be gathered."""
    return [ast.unparse(text) for text in _texts(ast.parse(source)) if _has_literal(text)]


def _texts(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id="messages")) | ast.Attribute(attr="add_error"):
                yield from node.args[1:]
            case ast.Name(id="ValidationError"):
                yield from node.args
            case ast.Name(id=name) if name in GETTEXT:
                yield from (arg for arg in node.args if isinstance(arg, ast.JoinedStr))
        for keyword in node.keywords:
            if keyword.arg in SPOKEN_KEYWORDS:
                yield keyword.value
            elif keyword.arg == "error_messages" and isinstance(keyword.value, ast.Dict):
                yield from keyword.value.values
            elif keyword.arg == "choices" and isinstance(keyword.value, ast.List):
                pairs = (pair for pair in keyword.value.elts if isinstance(pair, ast.Tuple))
                yield from (pair.elts[-1] for pair in pairs)


def _has_literal(text: ast.expr) -> bool:
    if isinstance(text, ast.Call):
        return False
    if isinstance(text, ast.List | ast.Tuple):
        return any(_has_literal(element) for element in text.elts)
    if isinstance(text, ast.BinOp):
        return _has_literal(text.left)
    return isinstance(text, ast.JoinedStr) or (
        isinstance(text, ast.Constant) and isinstance(text.value, str) and _is_read(text.value)
    )


# Every text of the site is in the catalogs, and the catalogs are whole: nothing missing, guessed or out of date.

NOT_COPIED = shutil.ignore_patterns(
    ".*", "*.pyc", "node_modules", "var", "staticfiles", "static", "docs", "tests", "benchmarks"
)
HAN = r"[\u4e00-\u9fff]"

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def gathered(tmp_path_factory):
    """A copy of the site in which `make messages` has just gathered all texts."""
    missing = [name for name in ("xgettext", "msguniq", "msgmerge") if not shutil.which(name)]
    assert not missing, "GNU gettext is missing: run tools/install-gettext, or install it yourself."
    folder = tmp_path_factory.mktemp("gathered") / "site"
    shutil.copytree(ROOT, folder, ignore=NOT_COPIED)
    command = [sys.executable, "manage.py", "makemessages", "--verbosity=0"]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "socialsite.settings"}
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=60)
    return folder


@every_language
def test_the_catalog_has_every_text_of_the_site_and_no_other(language, gathered):
    fresh = {(m.context, sources(m)) for m in messages(read_catalog(language, gathered))}
    kept = {(m.context, sources(m)) for m in messages(read_catalog(language))}
    new, gone = fresh - kept, kept - fresh
    assert fresh
    assert not new, "run `make messages` and translate them"
    assert not gone, "run `make messages`"


@every_language
def test_every_text_is_translated_in_all_its_plural_forms(language):
    catalog = read_catalog(language)
    forms = {"de": 2, "zh-hans": 1}[language]
    assert catalog.num_plurals == forms
    for message in messages(catalog):
        found = translations(message)
        assert all(text.strip() for text in found), f"not translated: {sources(message)}"
        assert len(found) == (forms if message.pluralizable else 1), sources(message)


@every_language
def test_no_translation_is_a_guess(language):
    assert not [sources(message) for message in messages(read_catalog(language)) if message.fuzzy]
    assert "#~" not in catalog_file(ROOT, language).read_text()


@every_language
def test_translations_have_the_placeholders_of_their_text(language):
    for message in messages(read_catalog(language)):
        wanted = placeholders(sources(message)[-1])
        for text in translations(message):
            assert placeholders(text) == wanted, sources(message)


@every_language
def test_translations_begin_and_end_without_blanks_and_mark_the_end_as_their_text_does(language):
    ends = {".": ".。", "!": "!！", "?": "?？", ":": ":：", "…": "…"}
    for message in messages(read_catalog(language)):
        allowed = ends.get(sources(message)[-1][-1])
        for text in translations(message):
            assert text == text.strip(), sources(message)
            assert not allowed or text[-1:] in allowed, f"{sources(message)}: {text}"


def test_chinese_has_its_own_punctuation_and_a_space_beside_latin_letters():
    for message in messages(read_catalog("zh-hans")):
        for text in translations(message):
            words = PLACEHOLDER.sub("", text)
            assert not re.search(rf"{HAN}[,.!?:;()]|[,!?:;()]{HAN}", words), text
            assert not re.search(rf"{HAN}[A-Za-z]|[A-Za-z]{HAN}", words), text


def test_german_speaks_to_a_friend():
    formal = re.compile(r"\b(Ihr|Ihre[mnrs]?|Ihnen|[a-zäöüß,:] Sie)\b")
    for message in messages(read_catalog("de")):
        for text in translations(message):
            assert not formal.search(text), text


@every_language
def test_the_compiled_catalog_is_what_the_catalog_says(language):
    with catalog_file(ROOT, language, "mo").open("rb") as file:
        compiled = read_mo(file)
    written = read_catalog(language)
    assert texts_of(compiled) == texts_of(written), "run `make messages`"


def test_the_sentences_named_for_django_are_still_djangos():
    folders = ("conf", "contrib/auth")
    files = [Path(django.__file__).parent / f / "locale/de/LC_MESSAGES/django.po" for f in folders]
    djangos = {sources(m) for file in files for m in messages(read_po(file.open("rb")))}
    named = [
        sources(message)
        for message in messages(read_catalog("de"))
        if any(file.endswith("djangos_words.py") for file, _ in message.locations)
    ]
    assert named
    assert not [text for text in named if text not in djangos]


def texts_of(catalog):
    # Babel reads the contexts of a compiled catalog as bytes.
    decoded = (
        (m.context.decode() if isinstance(m.context, bytes) else m.context, m)
        for m in messages(catalog)
    )
    return {(context, sources(message)): translations(message) for context, message in decoded}


# No words stand in a template, or in what a view or form answers, that gettext has not seen.

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MODULES = [
    file
    for app in PACKAGES
    for file in sorted((ROOT / app).rglob("*.py"))
    if "management" not in file.parts  # commands speak English
]


def name(path) -> str:
    return str(path.relative_to(ROOT))


def source_of(file: Path) -> str:
    """A template as it stands in a page: attributes alone are those of a tag."""
    source = file.read_text()
    return f"<body {source}>" if file.name == "_body.html" else source


def test_a_template_has_no_words_of_its_own():
    found = {name(file): literals_of_template(source_of(file)) for file in TEMPLATES}
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
