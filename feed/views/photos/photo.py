"""A photo of a post on its own page, as large as the screen."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.outside.link_preview import preview_of_photo
from feed.photos.reading import get_post_of_photos
from socialsite.table.errors import NotFound
from socialsite.web.fragments import page_or_fragment


@require_safe
def photo(request: SiteRequest, handle: str, post_id: str, number: int) -> HttpResponse:
    """Shows a photo with its whole description, and leads to the others of its post. htmx, and the script that shows
    photos in a dialog, get all of them side by side."""
    post = get_post_of_photos(post_id, request.people.person_id, viewer=request.user)
    if not 1 <= number <= len(post.photos):
        raise NotFound("no such photo")
    shown = post.photos[number - 1]
    context = {
        "post": post,
        "photo": shown,
        "earlier": post.photos[number - 2] if number > 1 else None,
        "later": post.photos[number] if number < len(post.photos) else None,
        "link_preview": preview_of_photo(request, post, shown),
    }
    return page_or_fragment(request, "feed/photos/photo.html", "feed/photos/_viewer.html", context)
