"""Old posts at a glance: the standing wish, how far the worker has got, and what can be changed. What would go, turning
the wish on and off, deleting all posts at once, and stopping it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.guards import proof_required
from accounts.requests import SiteRequest, sign_in_required
from privacy.old_posts.reads import (
    Choice,
    Kept,
    Kind,
    OldPosts,
    count_old_posts,
    get_old_posts,
    newest_to_go,
)
from privacy.old_posts.writes import (
    AlreadyDeleting,
    delete_old_posts,
    keep_old_posts,
    stop_deleting,
    wish_old_posts_gone,
)
from socialsite.table import ids
from socialsite.web.fragments import form_page, page_or_fragment
from socialsite.web.limits import POSTS, count_hits

AGES = [
    (7, gettext_lazy("1 week")),
    (30, gettext_lazy("1 month")),
    (90, gettext_lazy("3 months")),
    (365, gettext_lazy("1 year")),
    (730, gettext_lazy("2 years")),
]


class ChoiceForm(forms.Form):
    """What goes and what stays. `choice` in the cleaned data says both."""

    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("What goes"),
        choices=[
            (Kind.POSTS, gettext_lazy("Posts")),
            (Kind.REPLIES, gettext_lazy("Replies")),
            (Kind.REPOSTS, gettext_lazy("Reposts")),
        ],
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": gettext_lazy("Choose what to delete."),
            "invalid_choice": gettext_lazy("Choose what to delete."),
            "invalid_list": gettext_lazy("Choose what to delete."),
        },
    )
    kept = forms.MultipleChoiceField(
        label=gettext_lazy("What stays"),
        choices=[
            (Kept.PINNED, gettext_lazy("Posts you’ve pinned")),
            (Kept.SAVED, gettext_lazy("Posts of yours that you’ve saved")),
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("Choose from the list.")},
    )

    def clean(self) -> dict[str, Any]:
        chosen = [*self.cleaned_data.pop("kinds", ()), *self.cleaned_data.pop("kept", ())]
        self.cleaned_data["choice"] = Choice.of(chosen)
        return self.cleaned_data


class WishForm(ChoiceForm):
    """The age at which posts go."""

    days = forms.TypedChoiceField(
        label=gettext_lazy("Delete my posts after"),
        choices=AGES,
        coerce=int,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Choose when your posts are deleted.")
        ),
    )
    field_order = ("days", "kinds", "kept")


class DeleteNowForm(ChoiceForm):
    """All posts at once, with a tick that nobody sets by accident."""

    sure = forms.BooleanField(
        label=gettext_lazy("I know that this can’t be undone."),
        error_messages={"required": gettext_lazy("Tick this box if you’re sure.")},
    )


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


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def wish(request: SiteRequest) -> HttpResponse:
    """Says how many posts would go at once by what was chosen. A POST turns the wish on."""
    form = WishForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return show_old_posts(request, form, status=422)
    days, choice = form.cleaned_data["days"], form.cleaned_data["choice"]
    if request.method != "POST":
        preview = count_old_posts(request.user, choice=choice, until=newest_to_go(days))
        context = {"wish": form, "age": dict(AGES)[days], "preview": preview}
        return form_page(request, "privacy/old_posts/wish.html", context)
    count_hits((POSTS, request.user.user_id))
    try:
        wish_old_posts_gone(by=request.user, days=days, choice=choice)
    except AlreadyDeleting:
        return show_old_posts(request, status=409)
    messages.success(request, _("Turned on. We’ll begin in a moment."))
    return redirect(PAGE)


@require_POST
@never_cache
@sign_in_required
def keep(request: SiteRequest) -> HttpResponse:
    """Turns the wish off, and stops what the worker is deleting. Needs no proof, because it keeps what there is."""
    keep_old_posts(by=request.user)
    messages.success(request, _("Turned off. The rest of your posts will stay."))
    return redirect(PAGE)


EVERYTHING = Choice(frozenset(Kind), frozenset())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sign_in_required
@proof_required()
def delete(request: SiteRequest) -> HttpResponse:
    """Says how many posts there are, and asks which of them go. A POST has the worker delete them."""
    preview = count_old_posts(request.user, choice=EVERYTHING, until=ids.new_id())
    posted = request.POST if request.method == "POST" else None
    form = DeleteNowForm(posted, initial={"kinds": list(Kind)})
    if not form.is_valid():
        context = {"form": form, "preview": preview}
        return form_page(request, "privacy/old_posts/delete.html", context)
    count_hits((POSTS, request.user.user_id))
    try:
        delete_old_posts(by=request.user, choice=form.cleaned_data["choice"], count=preview.count)
    except AlreadyDeleting:
        return show_old_posts(request, status=409)
    messages.success(request, _("Started. You can leave this page."))
    return redirect(PAGE)


@require_POST
@never_cache
@sign_in_required
def stop(request: SiteRequest) -> HttpResponse:
    """Stops deleting, by the wish or at once. What is deleted stays deleted, and the wish stays on."""
    stop_deleting(by=request.user)
    messages.success(request, _("Stopped. What’s deleted stays deleted."))
    return redirect(PAGE)
