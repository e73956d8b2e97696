"""The composer before anything stands in it, as home shows it."""

from collections.abc import Iterable

from accounts.circles import Circle
from feed.forms.drafts import ContinuedForm
from feed.forms.words import TextForm


class BlankForm(ContinuedForm, TextForm):
    """What a composer needs of its own while it is empty: its text, and the ids of what will become of it. The other
    fields of `PostForm` are the same for everyone, so `feed/templatetags/composer.py` keeps them drawn. Making a whole
    `PostForm` for them would take longer than drawing the rest of the composer."""

    # How Django leaves out fields of a base.
    warning = language = turn = None  # type: ignore[assignment]
    is_blank = True

    def __init__(self, *, circles: Iterable[Circle] = (), auto_id: str = "id_%s") -> None:
        super().__init__(auto_id=auto_id)
        self.circles = tuple(circles)
