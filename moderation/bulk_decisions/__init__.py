"""Waves: one decision about many cases at once, with a preview, as a job, and with one Undo."""
