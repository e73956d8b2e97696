"""What moderators cannot do about colleagues, in words, so that no page offers it."""

from django.utils.translation import gettext

from moderation.cases.effects import RESTRICTIONS
from moderation.cases.services.decide import WITH_NOTICE
from moderation.models import ActionKind


def refusal(kind: ActionKind, *, role: str, is_above: bool) -> str:
    """Returns why nobody in the viewer's place takes this action about someone with this role, empty if they may."""
    if not role or kind not in WITH_NOTICE:
        return ""
    if not is_above:
        return of_staff(is_above=False)
    return of_staff(is_above=True) if kind in RESTRICTIONS else ""


def of_staff(*, is_above: bool) -> str:
    """Returns what a page about one of the staff says, to someone above their role or not."""
    if is_above:
        return gettext("This person is on the staff. Remove their role first to restrict them.")
    return gettext(
        "This person is on the staff, and your role is not above theirs. You can end the reports about them, and "
        "someone above them does the rest."
    )
