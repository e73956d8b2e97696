"""The vital sign of a site that is only read."""

from collections.abc import Iterator

from socialsite.site_settings.read_only import read_only_now
from socialsite.vital_signs import Vital, vital_signs


@vital_signs(kept=0)
def of_writing() -> Iterator[Vital]:
    """Whether nothing can be saved, for whatever reason. As `read_only_now`."""
    yield Vital("read_only", "Whether nothing can be saved", read_only_now() is not None)
