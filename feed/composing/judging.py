"""What the site's rules say of what was composed, all of it."""

from accounts.viewer import Viewer
from feed.composing.composition import Composition
from feed.services.story import judge_story
from feed.verdicts import Verdict, judge_post


def judge_composition(*, by: Viewer, composition: Composition) -> Verdict:
    """Returns the verdict on the first post. As `judge_post`, with the answers of a poll, and `judge_story`. Raises
    what they raise."""
    poll = composition.poll
    first = judge_post(
        by=by,
        content=composition.content,
        warning=composition.warning,
        audience=composition.audience,
        others=poll.options if poll else (),
    )
    parts, audience = composition.parts, composition.audience
    return judge_story(by=by, first=first, parts=parts, audience=audience)[0]
