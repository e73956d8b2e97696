"""Old posts at a glance: the standing wish, how far the worker has got, and what can be changed."""

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from privacy.old_posts.choice import Kept, Kind
from privacy.old_posts.forms import AGES, WishForm
from privacy.old_posts.state import OldPosts, get_old_posts
from socialsite.web.fragments import page_or_fragment

PAGE = "/settings/old-posts"
START = {"days": 365, "kinds": list(Kind), "kept": list(Kept)}


@require_safe
@never_cache
@sign_in_required
def old_posts(request: SiteRequest) -> HttpResponse:
    """Shows the page. While the worker is at it, the page asks again, and gets what is below its heading."""
    return show_old_posts(request)


def show_old_posts(
    request: SiteRequest, form: WishForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Shows the page with the form as it was sent, or as the wish stands."""
    state = get_old_posts(request.user)
    context = {
        "state": state,
        "age": dict(AGES).get(state.days),
        "form": form or _form_of(state),
    }
    page, fragment = "privacy/old_posts/page.html", "privacy/old_posts/_state.html"
    return page_or_fragment(request, page, fragment, context, status=status)


def _form_of(state: OldPosts) -> WishForm:
    if not state.days:
        return WishForm(initial=START)
    chosen = state.choice
    initial = {"days": state.days, "kinds": list(chosen.kinds), "kept": list(chosen.kept)}
    return WishForm(initial=initial)
