"""What someone typed into the search, understood: words, "phrases", what is left out, from whom, when, in which
language. Nothing that is typed is an error: what says nothing is told in `notes`."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

import regex
from django.utils import timezone
from django.utils.translation import gettext as _

from finding.words import Term
from socialsite.table import ids
from socialsite.texts import AT, SIGNS, fold_tag, without_unseen

LONGEST = 200  # characters of a search
MOST_TERMS = 10  # words and phrases

_quotes = str.maketrans(dict.fromkeys("“”„‟«»＂「」『』", '"') | {"：": ":", "＃": "#", "＠": "@"})
_marks = regex.compile(r"[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_parts = regex.compile(
    r'(?P<minus>(?<!\S)[-−])?(?:"(?P<phrase>[^"]*)"?|(?:(?P<name>from|lang|before|after):)?(?P<word>[^\s"]+))',
    regex.IGNORECASE,
)
_handle = regex.compile(r"@?([a-z0-9_]{3,30})", regex.IGNORECASE)
_language = regex.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for. `text` is what was typed, as far as it counts. `after` and `before` are post ids."""

    text: str
    terms: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()
    tags: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    handle: str = ""  # of the author, without a sign
    lang: str = ""
    after: str = ""
    before: str = ""
    too_common: tuple[str, ...] = ()  # typed words that nearly every post has
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the index that a post must have."""
        return tuple(dict.fromkeys(word for term in self.terms for word in term.words))

    @property
    def is_possible(self) -> bool:
        """Whether there is anything by which posts can be found."""
        return bool(self.words or self.tags or self.handle)

    @property
    def has_days(self) -> bool:
        """Whether any day lies between those that are asked for."""
        return not (self.after and self.before and self.after > self.before)

    @property
    def is_one_word(self) -> bool:
        """Whether every entry of one word fits, so that a page reads no more than it shows."""
        rest = (self.without, self.tags, self.without_tags, self.handle, self.lang)
        return len(self.words) == 1 and self.terms[0].is_exact and not any(rest)

    @property
    def is_plain(self) -> bool:
        """Whether it may be the beginning of a name or a tag: nothing but words."""
        rest = (self.without, self.without_tags, self.handle, self.lang, self.after, self.before)
        return not any(rest) and '"' not in self.text

    @property
    def is_name(self) -> bool:
        """Whether it is a handle alone, such as `@bob`: the person, and their posts."""
        return bool(_handle.fullmatch(self.text)) and self.text[:1] in AT

    @property
    def marked(self) -> list[str]:
        return [term.marked for term in self.terms if term.marked]

    @property
    def scope(self) -> str:
        """Names this search in its cursors, which fit no other."""
        return f"finding {self.text}"


def read_query(typed: str) -> Asked:
    """Understands what was typed, at most 200 characters and ten words of it."""
    typed = _marks.sub("", without_unseen(typed, multiline=False)).translate(_quotes)
    reading = _Reading(" ".join(typed[:LONGEST].split()))
    if len(typed) > LONGEST:
        reading.cut = True
    for match in _parts.finditer(reading.text):
        reading.take(match)
    return reading.asked()


class _Reading:
    """Takes one part after the other."""

    def __init__(self, text: str) -> None:
        self.text, self.cut = text, False
        self.terms: dict[str, Term] = {}
        self.without: dict[str, Term] = {}
        self.tags: list[str] = []
        self.without_tags: list[str] = []
        self.named: dict[str, str] = {}
        self.too_common: list[str] = []
        self.notes: list[str] = []

    def take(self, match: "regex.Match[str]") -> None:
        word, name = match["word"] or "", (match["name"] or "").lower()
        is_left_out = match["minus"] is not None
        if name and not is_left_out:
            getattr(self, f"_{name}")(word)
        elif word and word[0] in SIGNS and (tag := fold_tag(word[1:])):
            (self.without_tags if is_left_out else self.tags).append(tag)
        elif word and word[0] in AT:
            if not is_left_out and _handle.fullmatch(word):
                self._from(word)
        else:
            self._term(match["phrase"] if match["word"] is None else word, is_left_out)

    def _term(self, typed: str, is_left_out: bool) -> None:
        term = Term.of(typed)
        if not term.text:
            return
        if is_left_out:
            self.without[term.text] = term
        elif not term.words and " " not in term.text:
            self.too_common.append(term.text)
        elif len(self.terms) >= MOST_TERMS:
            self.cut = True
        else:
            self.terms[term.text] = term

    def _from(self, word: str) -> None:
        found = _handle.fullmatch(word)
        if "handle" in self.named:
            self.notes.append(_("You can search posts of one person at a time."))
        self.named["handle"] = found[1].lower() if found else word.lower()

    def _lang(self, word: str) -> None:
        if _language.fullmatch(word):
            self.named["lang"] = word.lower()
        else:
            self.notes.append(
                _("“%(word)s” is no language. Write it like lang:de.") % {"word": word}
            )

    def _after(self, word: str) -> None:
        if day := self._day(word):
            self.named["after"] = ids.first_id_at(_begin(day + timedelta(days=1)))

    def _before(self, word: str) -> None:
        if day := self._day(word):
            self.named["before"] = ids.last_id_before(_begin(day))

    def _day(self, word: str) -> date | None:
        try:
            day = date.fromisoformat(word)
        except ValueError:
            day = date.min
        if 2000 <= day.year < 9999:
            return day
        self.notes.append(_("“%(word)s” is no day. Write it like 2026-11-30.") % {"word": word})
        return None

    def asked(self) -> Asked:
        terms = list(self.terms.values())
        # A phrase of nothing but common words can be compared beside another word, but finds nothing alone.
        if terms and not any(term.words for term in terms):
            self.too_common += [term.text for term in terms]
            terms = []
        if self.cut:
            self.notes.append(_("Only the first ten words were searched for."))
        return Asked(
            self.text,
            terms=tuple(terms),
            without=tuple(self.without.values())[:MOST_TERMS],
            tags=tuple(dict.fromkeys(self.tags))[:MOST_TERMS],
            without_tags=tuple(dict.fromkeys(self.without_tags))[:MOST_TERMS],
            too_common=tuple(dict.fromkeys(self.too_common))[:MOST_TERMS],
            notes=tuple(dict.fromkeys(self.notes))[:3],
            **self.named,
        )


def _begin(day: date) -> datetime:
    """Returns when a day begins for the person who asks."""
    return datetime.combine(day, time(), timezone.get_current_timezone()).astimezone(UTC)
