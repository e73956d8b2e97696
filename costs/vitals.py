"""The vital sign of costs: what the site has spent today, beside its budget."""

from collections.abc import Iterator

from django.conf import settings

from costs.prices import Window
from costs.spent import list_spent
from socialsite.vital_signs import Vital, vital_signs

KEPT_SECONDS = 300.0  # as processes write what they spent about as seldom


@vital_signs(kept=KEPT_SECONDS)
def of_budget() -> Iterator[Vital]:
    """Nothing without `BUDGET_A_DAY`. As `list_spent` of one day, in UTC."""
    if settings.BUDGET_A_DAY:
        spent = sum(one.dollars for one in list_spent(Window.until_today(1)))
        yield Vital("spent_today_dollars", "Units of today in dollars, as estimated", spent)
        yield Vital("budget_dollars", "As much may be spent (BUDGET_A_DAY)", settings.BUDGET_A_DAY)
