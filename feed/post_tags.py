"""Decides under which tags a post stands: on the page of a tag, and in the home timelines of those who follow it."""

from feed.models import Post
from feed.pointers import answers_another
from socialsite.texts.found import tags_in


def listed_tags(post: Post | None) -> frozenset[str]:
    """Returns the tags under which a post stands: those in its text, if it is for everyone, seen by others, and no
    answer to somebody else."""
    if post is None or post.audience or post.withheld or answers_another(post):
        return frozenset()
    return frozenset(tags_in(post.content or ""))
