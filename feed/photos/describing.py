"""Saying what the photos of a post show, after it was published."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from feed.models import Post
from feed.models.versions import is_version
from feed.photos.fitting import describe_as_fits
from feed.photos.places import alt_of
from feed.post_count import has_audience
from feed.services.edit_post import CannotEdit, why_withheld
from feed.threads.copies import change_copy
from feed.verdicts import judge_post
from photos.attaching import describe
from photos.models import Photo
from socialsite.table import keys, reading
from socialsite.table.actions import Change
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def describe_photos(*, by: Viewer, post_id: str, descriptions: Mapping[str, str]) -> None:
    """Describes photos of one of the signed-in person's own posts. `descriptions` names all of them, by their ids. Safe
    to repeat.

    Raises `NotFound`, also if a photo of the post is not named, `CannotEdit` with a sentence (a moderator has to decide
    about the post, or would have to about these words), `Frozen`, `RefusedByRules`.

    One consistent GetItem, then one TransactWriteItems: the photos with their whole descriptions, and the post with as
    much of them as fits, on condition that it has the text and the audience that were read, 2 write units each and KB.
    Of a reply the copy in the thread, too, 2 more.
    """
    by.must_have_voice()
    key = keys.post(by.user_id, post_id)

    def attempt() -> None:
        post = reading.get(Post, key, consistent=True)
        photos = post.photos or []
        if not photos or {photo.photo_id for photo in photos} != set(descriptions):
            raise NotFound("not the photos of this post")
        if post.withheld:
            raise CannotEdit(why_withheld())
        texts = [descriptions[photo.photo_id] for photo in photos]
        verdict = judge_post(by=by, content="", audience=post.audience or "", others=texts)
        if verdict.withheld:
            raise CannotEdit(_("A moderator would have to look at these words first. Change them."))
        describe_as_fits(post, texts)
        copies = [
            alt_of(n).set(photo.alt) if photo.alt else alt_of(n).remove()
            for n, photo in enumerate(photos)
        ]
        as_read = is_version(post) & Post.withheld.does_not_exist() & has_audience(post)
        transact(
            Change(Post, key, copies, as_read, otherwise=Moved),
            *change_copy(post, copies),
            *(
                describe(by.user_id, photo.photo_id, text, condition=Photo.post_id == post_id)
                for photo, text in zip(photos, texts, strict=True)
            ),
        )

    write_as_read(attempt)
