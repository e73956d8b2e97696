"""The staff page of topics: the switch that shows them on Explore, what many talk about now, and the tags that never
appear there."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import permission_required
from accounts.permissions import Permission
from accounts.requests import SiteRequest
from feed.explore.reads import topics_now
from moderation.rules.forms import lines_of
from moderation.rules.views import remove_and_say
from moderation.rules.writes import save_settings
from moderation.staff.views import say_why_not
from moderation.topics import writes
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.texts import SIGNS, fold_tag
from socialsite.web.fields import PlainTextField
from socialsite.web.fragments import form_page, wanted_state

PAGE = "/moderation/topics"
LONGEST = 400  # characters of a tag in a form


class TopicsForm(forms.Form):
    """Refuses tags as topics, several at once, one on each line."""

    tags = PlainTextField(
        label=gettext_lazy("Tags"),
        help_text=gettext_lazy("One per line. Each means all spellings of the tag."),
        max_characters=5000,
        multiline=True,
    )

    def clean_tags(self) -> list[str]:
        lines = lines_of(self.cleaned_data["tags"])
        folded = {line: fold_tag(line.lstrip(SIGNS)) for line in lines}
        if wrong := next((line for line, tag in folded.items() if not tag), None):
            text = _("“%(line)s” is not a tag. Write it like bread or #bread.")
            raise ValidationError(text, code="tag", params={"line": wrong})
        return list(dict.fromkeys(folded.values()))


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required(Permission.SITE)
def topics(request: SiteRequest) -> HttpResponse:
    """Shows the switch, the topics of now and the refused tags. A POST refuses the tag on each line."""
    form = TopicsForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with say_why_not(form, "tags"):
            writes.refuse_topics(by=request.user, tags=form.cleaned_data["tags"])
    if form.is_valid():
        messages.success(request, _("Tags refused as topics."))
        return redirect(PAGE)
    site = read_site_rules()
    context = {
        "form": form,
        "is_shown": site.topics_shown,
        "refused": sorted(site.refused_topics),
        "topics": [one for one in topics_now() if one.tag not in site.refused_topics],
        "most": writes.MOST_REFUSED,
    }
    return form_page(request, "moderation/topics/topics.html", context)


@require_POST
@permission_required(Permission.SITE)
def show(request: SiteRequest) -> HttpResponse:
    """Shows topics on Explore (`on=1`), or ends that (`on=0`)."""
    on = wanted_state(request)
    save_settings(by=request.user, values={"topics_shown": on})
    said = _("Explore shows topics now.") if on else _("Explore shows no topics any more.")
    messages.success(request, said)
    return redirect(PAGE)


@require_POST
@permission_required(Permission.SITE)
def allow(request: SiteRequest) -> HttpResponse:
    """Allows a refused tag again. Does nothing if it is not refused."""
    return remove_and_say(
        request,
        lambda: writes.allow_topic(by=request.user, tag=request.POST.get("tag", "")[:LONGEST]),
        _("Tag allowed again."),
        to=PAGE,
    )
