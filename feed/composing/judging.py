"""What the site's rules say of what was composed, all of it."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from feed.composing.composition import Composition
from feed.services.story import judge_story
from feed.verdicts import Verdict, judge_post
from photos.models import Photo


def judge_composition(
    *, by: Viewer, composition: Composition, photos: Sequence[Photo] = ()
) -> Verdict:
    """Returns the verdict on the first post, with `photos`, those of all its posts. As `judge_post`, with the answers
    of a poll and what is said of the photos, and `judge_story`. Raises what they raise."""
    poll = composition.poll
    descriptions = {photo.photo_id: photo.alt or "" for photo in photos}
    said = [descriptions.get(one, "") for one in composition.photos]
    first = judge_post(
        by=by,
        content=composition.content,
        warning=composition.warning,
        audience=composition.audience,
        others=[*(poll.options if poll else ()), *said],
    )
    return judge_story(
        by=by,
        first=first,
        parts=composition.parts,
        audience=composition.audience,
        descriptions=descriptions,
    )[0]
