"""Addresses for operators."""

from django.urls import path

from operations.alarms.views import alarms
from operations.pages import letter_html, letters, show_letter, worker
from operations.workbench.views import workbench

app_name = "operations"

urlpatterns = [
    path("operations/alarms", alarms, name="alarms"),
    path("operations/worker", worker, name="worker"),
    path("dev/workbench", workbench, name="workbench"),
    path("dev/mail", letters, name="letters"),
    path("dev/mail/<id:letter_id>", show_letter, name="show_letter"),
    path("dev/mail/<id:letter_id>/html", letter_html, name="letter_html"),
]
