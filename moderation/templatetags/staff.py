"""`{% staff_tabs "rules" %}`: the navigation between the pages of the staff, which says where one is."""

from typing import Any

from django import template

from moderation import staff_tabs as tabs

register = template.Library()


@register.inclusion_tag("moderation/_tabs.html", takes_context=True)
def staff_tabs(context: dict[str, Any], here: str = "") -> dict[str, Any]:
    return {"groups": tabs.staff_tabs(context["request"].user), "here": here}
