"""What the worker does about photos, one file for each effect. Every handler may run twice."""

from photos.stream_handlers import delete_files  # noqa: F401 - importing registers it
