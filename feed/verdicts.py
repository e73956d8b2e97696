"""Judges a post by the site's rules before it is published: it may be refused, held for a moderator, or reported."""

from dataclasses import dataclass

from accounts.models import UserCount
from accounts.viewer import Viewer
from feed.models import Audience, Withheld
from socialsite.site.site_rules import site_rules
from socialsite.site.word_filters import Effect, matches
from socialsite.table import keys
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get

MOST_FLAGS = 10  # word filters that a post names, so that it stays a small item


class RefusedByRules(TableError):
    """A word filter refuses the post. `sentence` says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__("a word rule refuses the post")
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict as `Post` stores it. `flagged` holds the ids of the word filters that it met, separated by spaces."""

    withheld: str = ""
    flagged: str = ""
    limits: bool = False  # whether the author is limited, for ever


NOTHING_AGAINST_IT = Verdict()


@access_pattern
def judge_post(*, by: Viewer, content: str, audience: str, warning: str = "") -> Verdict:
    """Compares a post and its content warning with the word filters, and its author's post count with the number of
    first posts held for review. Raises `RefusedByRules`.

    Costs nothing, except one GetItem of the post count, 0.5 read units, while the site holds first posts. Posts that
    only their author can see are not judged. Staff are neither held as newcomers nor limited.
    """
    if audience == Audience.ONLY_ME:
        return NOTHING_AGAINST_IT
    rules = site_rules()
    words = words_of(content, warning)
    if sentence := rules.refusal(words):
        raise RefusedByRules(sentence)
    met = matches(words, rules.words)
    effects = {word.effect for word in met}
    held = Effect.HOLD in effects or _is_newcomer(by, rules.hold_first_posts)
    return Verdict(
        withheld=Withheld.HELD if held else "",
        flagged=" ".join(word.rule_id for word in met[:MOST_FLAGS]),
        limits=Effect.LIMIT in effects and not by.is_staff,
    )


def words_of(content: str, warning: str) -> str:
    """Returns all that a post says, as word filters meet it."""
    return f"{warning}\n{content}" if warning else content


def _is_newcomer(by: Viewer, posts_held: int) -> bool:
    if not posts_held or by.is_staff:
        return False
    return bool(get(UserCount, keys.user_count(by.user_id)).posts < posts_held)
