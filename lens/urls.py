"""Addresses of the lens."""

from django.urls import path

from lens.views import (
    concept,
    concepts,
    item_type,
    list_sights,
    model,
    open_lens,
    patterns,
    show_followed,
    show_sight,
    table,
)

app_name = "lens"

urlpatterns = [
    path("dev/lens", list_sights, name="sights"),
    path("dev/lens/open", open_lens, name="open_lens"),
    path("dev/lens/<id:request_id>", show_sight, name="sight"),
    path("dev/lens/<id:request_id>/followed", show_followed, name="followed"),
    path("dev/table", table, name="table"),
    path("dev/table/types/<slug:name>", item_type, name="item_type"),
    path("dev/patterns", patterns, name="patterns"),
    path("dev/model", model, name="model"),
    path("dev/concepts", concepts, name="concepts"),
    path("dev/concepts/<slug:name>", concept, name="concept"),
]
