"""The loader of templates: without their indentation and empty lines, a sixth of a page that no reader sees.

Templates keep their white space in debug mode, whose error pages show the lines of the file.
"""

import re

from django.conf import settings
from django.template import Engine, Origin
from django.template.loaders import cached

# What is inside stays as it is: white space is shown there, or is part of a text that catalogues are asked for.
KEPT = re.compile(
    r"(<(pre|textarea|script|style)\b.*?</\2>"
    r"|\{% *(verbatim|comment|blocktrans(?:late)?)\b.*?\{% *end\3\b.*?%\})",
    re.DOTALL,
)
# Comments and loaded libraries draw nothing, so the lines around them are one run of white space.
RUN = re.compile(r"(?:\s|\{#.*?#\}|(?:\{% *load\b.*?%\}))+")
LOAD = re.compile(r"\{% *load\b.*?%\}")


class Loader(cached.Loader):
    """Django's own, which finds templates as the others do and compiles each once."""

    def __init__(self, engine: Engine) -> None:
        kinds = ("filesystem", "app_directories")
        super().__init__(engine, [f"django.template.loaders.{kind}.Loader" for kind in kinds])

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        is_page = str(origin.template_name).endswith(".html")
        return without_indentation(source) if is_page and not settings.DEBUG else source


def without_indentation(source: str) -> str:
    """Returns the template with one line break for each run of white space that has any. A browser shows both as one
    space, so words and inline elements keep their distance."""
    pieces = []
    end = 0
    for kept in KEPT.finditer(source):
        pieces += [RUN.sub(_shortened, source[end : kept.start()]), kept[0]]
        end = kept.end()
    return "".join([*pieces, RUN.sub(_shortened, source[end:])])


def _shortened(run: re.Match[str]) -> str:
    loads = "".join(LOAD.findall(run[0]))
    return f"{loads}\n" if "\n" in run[0] else run[0]
