"""The link previews of posts and people."""

from html import unescape

from django.utils.html import strip_tags
from django.utils.translation import gettext as _

from accounts.cards import PersonCard
from feed.cards import PostCard
from feed.cards.photos import ShownPhoto
from socialsite.web.fragments import cursor_of
from socialsite.web.link_preview import LinkPreview, absolute, beginning
from socialsite.web.requests import HtmxRequest


def preview_of_post(request: HtmxRequest, post: PostCard) -> LinkPreview:
    """Returns the preview of a post's page: the author's name and picture, and the beginning of the text. A post that
    is not for everyone has none."""
    url = request.build_absolute_uri(post.url)
    if not is_for_everyone(post):
        return LinkPreview(url, is_indexed=False)
    return LinkPreview(
        url,
        is_indexed=post.author.is_indexed,
        title=name_and_handle(post.author),
        description=beginning(shown_text(post)),
        kind="article",
        image=absolute(request, _share_of(post) or post.author.avatar_url),
        is_large=bool(_share_of(post)),
    )


def preview_of_photo(request: HtmxRequest, post: PostCard, photo: ShownPhoto) -> LinkPreview:
    """Returns the preview of a photo's page, with the photo unless its post is covered."""
    url = request.build_absolute_uri(photo.url)
    if not is_for_everyone(post):
        return LinkPreview(url, is_indexed=False)
    shown = "" if post.is_covered else photo.share_url
    return LinkPreview(
        url,
        is_indexed=post.author.is_indexed,
        title=name_and_handle(post.author),
        description=shown_text(post) if post.is_covered else beginning(photo.says),
        kind="article",
        image=absolute(request, shown or post.author.avatar_url),
        is_large=bool(shown),
    )


def _share_of(post: PostCard) -> str:
    """Returns the picture that other sites show of a post: its first photo, if everyone may see it and it is not
    covered."""
    return post.photos[0].share_url if post.photos and not post.is_covered else ""


def preview_of_profile(
    request: HtmxRequest, person: PersonCard, *, is_blocked: bool
) -> LinkPreview:
    """Returns the preview of a profile: name, picture and bio. People whom the viewer blocked have none, because their
    profile shows only the name."""
    url = request.build_absolute_uri(person.url)
    if is_blocked:
        return LinkPreview(url, is_indexed=False)
    return LinkPreview(
        url,
        is_indexed=person.is_indexed and not cursor_of(request),
        title=name_and_handle(person),
        description=beginning(person.bio) or posts_by(person),
        kind="profile",
        image=absolute(request, person.avatar_url),
    )


def is_for_everyone(post: PostCard) -> bool:
    """Whether visitors can see a post that the viewer can see, by what its card says."""
    is_archived = post.post_id < post.author.archived_before
    return not (post.audience or post.withheld or is_archived)


def name_and_handle(person: PersonCard) -> str:
    return f"{person.name} (@{person.handle})"


def shown_text(post: PostCard) -> str:
    """Returns the text of a post without HTML, or a sentence in its place where pages cover it."""
    if post.is_sensitive:
        return _("This post is marked as sensitive.")
    if post.warning:
        return _("Content warning: %(warning)s") % {"warning": post.warning}
    text = unescape(strip_tags(post.html)) or posts_by(post.author)
    return f"{text}\n{post.poll.told}" if post.poll else text


def posts_by(person: PersonCard) -> str:
    return _("Posts by %(name)s on socialsite.") % {"name": person.name}
