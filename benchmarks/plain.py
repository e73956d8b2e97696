"""The site's page as it was before its templates became fast: `templates/plain/` holds those of home that have changed
since 23 November 2026, the others are the site's. Data, forms and middleware are the present ones."""

from django.http import HttpResponse
from django.shortcuts import render

from accounts.requests import SiteRequest
from feed.composing.forms import PostForm
from feed.home.reads import Pill, get_timeline
from socialsite.web.fragments import neighbours

PLAIN = "plain"  # the template engine that looks there first


def home(request: SiteRequest) -> HttpResponse:
    """Shows the newest posts of the people whom the viewer follows."""
    page = get_timeline(request.user)
    context = {
        "posts": page.items,
        "form": PostForm(circles=request.user.circles),
        "pill": Pill.above(request.user, page.top),
        **neighbours(request, page),
    }
    return render(request, "feed/home.html", context, using=PLAIN)
