"""Makes `socialsite/site_settings/confusables.txt` from Unicode's `confusables.txt`.

    python tools/confusables.py confusables.txt > socialsite/site_settings/confusables.txt

Unicode's file is at https://www.unicode.org/Public/<version>/security/confusables.txt. Of its pairs, the table keeps
characters that look like one Latin letter and that NFKC leaves as they are: the fold of word filters replaces the
others (full width, mathematical) by itself. Characters stand as the fold leaves them, without upper case. A capital
that looks like l looks like a capital I too.
"""

import hashlib
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

LICENCE = Path(__file__).with_name("unicode_licence.txt")
A_LINE = 16  # code points


def look_alikes(lines: Iterable[str]) -> dict[str, set[str]]:
    """Returns the characters that look like each Latin letter."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        fields = line.split("#")[0].split(";")
        if len(fields) != 3:
            continue
        character, target = (_text(field) for field in fields[:2])
        folded = character.casefold()
        is_kept = len(folded) == 1 and unicodedata.normalize("NFKC", folded) == folded
        if not is_kept or folded.isascii() or len(target) != 1 or not target.isascii():
            continue
        if target.isalpha():
            found[target.lower()].add(folded)
            if target == "l" and character.isupper():
                found["i"].add(folded)
    return found


def _text(code_points: str) -> str:
    return "".join(chr(int(one, 16)) for one in code_points.split())


def main(file: str) -> None:
    source = Path(file).read_bytes()
    lines = source.decode("utf-8-sig").splitlines()
    facts = [line for line in lines[:12] if line.startswith(("# Date", "# Version"))]
    print(
        "# Characters that look like a Latin letter, made by tools/confusables.py from confusables.txt of"
    )
    print(
        "# Unicode Security Mechanisms for UTS #39. This is an excerpt, and modified: without upper case."
    )
    print(*facts, f"# SHA-256: {hashlib.sha256(source).hexdigest()}", "#", sep="\n")
    for line in LICENCE.read_text().splitlines():
        print(f"# {line}".rstrip())
    for letter, characters in sorted(look_alikes(lines).items()):
        points = [f"{ord(one):04X}" for one in sorted(characters)]
        for at in range(0, len(points), A_LINE):
            print(letter, *points[at : at + A_LINE])


if __name__ == "__main__":
    main(sys.argv[1])
