"""Addresses of the cost page."""

from django.urls import path

from costs import views as costs
from costs import views as count
from costs import views as download

app_name = "costs"

urlpatterns = [
    path("moderation/costs", costs.costs, name="costs"),
    path("moderation/costs/count", count.count, name="count"),
    path("moderation/costs/<slug:table>.csv", download.download, name="download"),
]
