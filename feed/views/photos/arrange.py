"""Photos in the composer, moved and taken out without script."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from feed.forms.posts import PostForm
from feed.photos.arranging import arrange_tiles
from feed.photos.taking import take_photos
from photos.limits import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.bounds.bodies import takes_upload


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_POST
@sign_in_required
def arrange(request: SiteRequest) -> HttpResponse:
    """Shows the composer again, as it was sent, with its photos in another order or one less. Files that came along
    become photos. What else is wrong with the post is told when it is posted."""
    form = PostForm(request.POST, request.FILES, circles=request.user.circles)
    take_photos(form, by=request.user)
    arrange_tiles(form, request.POST)
    return render(request, "feed/compose.html", {"form": form, "own_page": True})
