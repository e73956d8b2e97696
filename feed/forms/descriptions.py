"""The descriptions of the photos of a post that is published."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from photos.limits import DESCRIPTION_BYTES, DESCRIPTION_CHARACTERS
from socialsite.web.fields import PlainTextField


class DescriptionsForm(forms.Form):
    """A field for each photo, named by its id, with what is said of it now."""

    def __init__(self, *args: Any, described: Mapping[str, str], **kwargs: Any) -> None:
        kwargs["auto_id"] = "described_%s"  # the page below has a composer
        super().__init__(*args, **kwargs)
        for number, (photo_id, text) in enumerate(described.items(), 1):
            label = _("Photo %(n)s of %(of)s") % {"n": number, "of": len(described)}
            self.fields[photo_id] = PlainTextField(
                label=label,
                initial=text,
                max_characters=DESCRIPTION_CHARACTERS,
                max_bytes=DESCRIPTION_BYTES,
                multiline=True,
                required=False,
            )
