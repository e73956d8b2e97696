"""The navigation of staff: `{% staff_tabs "rules" %}` between their pages, `{% staff_nav as staff %}` on every page."""

from typing import Any

from django import template

from accounts.permissions import permissions_of
from moderation.staff import nav

register = template.Library()


@register.inclusion_tag("moderation/staff/_tabs.html", takes_context=True)
def staff_tabs(context: dict[str, Any], here: str = "") -> dict[str, Any]:
    permissions = permissions_of(context["request"].user)
    return {"groups": nav.staff_tabs(permissions), "here": here}


@register.simple_tag(takes_context=True)
def staff_nav(context: dict[str, Any]) -> nav.StaffNav:
    return nav.staff_nav(context["request"].user)
