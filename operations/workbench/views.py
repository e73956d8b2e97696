"""The page on which developers open a model of NoSQL Workbench."""

from pathlib import Path

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from lens.access import is_developer
from operations.workbench.opened import Model, NotOpened, open_model
from socialsite.table import NotFound
from socialsite.web.bodies import takes_upload

EXAMPLE = Path(__file__).with_name("SocialNetworkSchema.json")
# Our own with 20 items of each type has 0.6 MB, the largest published model 20 KB.
MOST_BYTES = 2 * 1024 * 1024


class ModelForm(forms.Form):
    """A file with a model, which becomes `model` if it can be opened."""

    file = forms.FileField(
        label=gettext_lazy("File with a model"),
        help_text=gettext_lazy("JSON of version 1.0, 2.0 or 3.0, up to 2 MB. Nothing is kept."),
        widget=forms.FileInput(attrs={"accept": "application/json,.json"}),
    )
    model: Model

    def clean_file(self) -> UploadedFile:
        upload: UploadedFile = self.cleaned_data["file"]
        if (upload.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 2 MB."))
        try:
            self.model = open_model(upload.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError(_("The file is not JSON.")) from error
        except NotOpened as error:
            raise forms.ValidationError(str(error)) from error
        return upload


@takes_upload(2 * MOST_BYTES)  # one that is too large is told beside the field
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def workbench(request: HttpRequest) -> HttpResponse:
    """Shows the model of an uploaded file, or with `example` the one that AWS publishes. Keeps and writes nothing."""
    if not is_developer(request):
        raise NotFound("models are opened by developers alone")
    model, status = None, 200
    form = ModelForm()
    if request.method == "POST":
        form = ModelForm(request.POST, request.FILES)
        if form.is_valid():
            model = form.model
        else:
            status = 422
    elif request.GET.get("example"):
        model = open_model(EXAMPLE.read_text())
    context = {"form": form, "model": model, "is_developer": True}
    return render(request, "operations/workbench.html", context, status=status)
