"""Addresses for operators."""

from django.urls import path

from operations.worker_page import worker

app_name = "operations"

urlpatterns = [path("operations/worker", worker, name="worker")]
