"""The further posts of a story: written with its first one, in the same transaction, as the author's replies to
themselves. `publish_post` takes them as `parts`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from accounts.mentions import find_mentioned
from accounts.viewer import Viewer
from feed.like_shards import SHARDS
from feed.models import Answer, Audience, Post, Story
from feed.verdicts import NOTHING_AGAINST_IT, Refused, Verdict, judge_words, must_fit
from socialsite.table import ids, keys

MOST_POSTS = 10  # of a story: each further one is 3 actions of 100, 7 with four photos


@dataclass(frozen=True, slots=True)
class Part:
    """A further post of a story."""

    content: str
    warning: str = ""
    photos: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Returns all that it says, such that the same form with another text is another story."""
        photos = "".join(f"\n{one}" for one in self.photos)
        return f"\n\n{self.warning}\n{self.content}{photos}"  # a warning has one line


class PartRefused(Refused):
    """A further post is refused, and so is the whole story. `number` says which one: the first post is number 1."""

    def __init__(self, number: int, refusal: Refused) -> None:
        super().__init__(refusal.sentence)
        self.number = number


def judge_story(
    *,
    by: Viewer,
    first: Verdict,
    parts: Sequence[Part],
    audience: str,
    descriptions: Mapping[str, str],
) -> list[Verdict]:
    """Returns the verdicts on all posts of a story, that on the `first` included. If one is held, all are, as nobody
    can follow a story with a gap. `descriptions` are those of the photos, by their ids. Raises `PartRefused`."""
    if audience == Audience.ONLY_ME:
        return [NOTHING_AGAINST_IT] * (1 + len(parts))
    verdicts = [first, *_judge_parts(by, parts, descriptions)]
    held = next((one.withheld for one in verdicts if one.withheld), "")
    return [replace(one, withheld=held) for one in verdicts]


def _judge_parts(
    by: Viewer, parts: Sequence[Part], descriptions: Mapping[str, str]
) -> Iterator[Verdict]:
    for number, part in enumerate(parts, 2):
        said = (descriptions.get(one, "") for one in part.photos)
        try:
            yield judge_words(by, part.content, part.warning, *said)
        except Refused as refusal:
            raise PartRefused(number, refusal) from refusal


def posts_of_story(
    *, by: Viewer, root: Post, parts: Sequence[Part], verdicts: Sequence[Verdict]
) -> list[Post]:
    """Returns the further posts, each an answer to the one before it. Their ids are made here, after that of the root
    and in order, which is that of the story. Raises `PartRefused` for one that is too large."""
    posts = [root]
    for number, (part, verdict) in enumerate(zip(parts, verdicts, strict=True), 2):
        post_id = ids.new_id()
        above, path = posts[-1], keys.path_of_part(post_id)
        post = Post.new(
            post_id=post_id,
            author_id=root.author_id,
            content=part.content,
            mentions=find_mentioned(part.content),
            like_shards=SHARDS if by.is_widely_followed else None,
            audience=root.audience or "",
            circle=root.circle or "",
            withheld=verdict.withheld,
            flagged=verdict.flagged,
            warning=part.warning,
            lang=root.lang or "",
            story=Story.PART,
            answer=Answer(root.post_id, root.author_id, above.post_id, above.author_id, path),
        )
        must_fit_as_part(number, post)
        posts.append(post)
    return posts[1:]


def must_fit_as_part(number: int, post: Post) -> None:
    """Raises `PartRefused` if a further post is too large."""
    try:
        must_fit(post)
    except Refused as refusal:
        raise PartRefused(number, refusal) from refusal
