"""All figures of the page, for what it was asked."""

from collections.abc import Mapping
from typing import Any

from costs.forecast import forecast, measured_by
from costs.report import make_report
from costs.stored import get_stored
from costs.tables import Figures
from costs.window import Window


def read_figures(asked: Mapping[str, Any]) -> Figures:
    """Reads what `CostForm` asks for: as `make_report` and `get_stored`."""
    report, stored = make_report(Window.until_today(asked["days"])), get_stored()
    measured = measured_by(report, stored)
    months = (
        forecast(measured, active_share=asked["active"] / 100, followers=asked["followers"])
        if measured
        else []
    )
    return Figures(report, stored, measured, months)
