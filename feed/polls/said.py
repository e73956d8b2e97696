"""All that a post says in one text, for moderators and searches."""

from feed.models import Post


def said_by(post: Post) -> str:
    """Returns the text of a post, and a line for each answer of its poll."""
    answers = post.poll.texts if post.poll else ()
    return "\n".join([post.content or "", *(f"○ {answer}" for answer in answers)])
