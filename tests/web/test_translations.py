"""Every text of the site is in the catalogs, and the catalogs are whole: nothing missing, guessed or out of date."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import django
import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

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
