"""What a person takes with them: one zip with pages to read, JSON with schemas, lists as CSV and a manifest.

The stream worker gathers their data in steps (`sources.py`, the records), each of which leaves a part. The clock's
thread then makes the zip of all parts (`zip_file.py`), so that the stream does not wait for it. `kinds.py`
says which data there are. docs/export.md is the format for those who read it.
"""
