"""What the worker and the clock do about photos, one file for each effect. Every handler may run twice."""

from photos.stream_handlers import delete_files, sweep_photos  # noqa: F401 - importing registers them
