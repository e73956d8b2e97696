"""`manage.py makemessages`: Django's own, with what keeps the catalogs in locale/ easy to compare.

For every language of the settings; without line numbers, dates, obsolete texts and guessed translations, so that a
changed line of a catalog is a changed text.
"""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages
from django.utils.translation import to_locale

IGNORED = ["node_modules", "var", "staticfiles", "tests", "benchmarks", "tools", "docs"]
DATE = re.compile(r'^"POT-Creation-Date: .*\n', re.MULTILINE)


class Command(makemessages.Command):
    help = "Gathers the texts of the site into the catalogs of all its languages."

    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        languages = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
        options["locale"] = options["locale"] or [to_locale(code) for code in languages]
        options["ignore_patterns"] = [*options["ignore_patterns"], *IGNORED]
        options |= {"add_location": "file", "no_obsolete": True, "no_wrap": True}
        super().handle(*args, **options)

    def build_potfiles(self) -> list[str]:
        # Django names the one folder once for each way by which it finds it.
        return sorted(set(super().build_potfiles()))

    def write_po_file(self, potfile: str, locale: str) -> None:
        super().write_po_file(potfile, locale)
        file = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        file.write_text(DATE.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")
