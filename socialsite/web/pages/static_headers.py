"""The headers of static files: a policy of their own, as strict as that of photos, and a quarter of a page's length.

A file of ours needs nothing of what a page may do, and a first visit fetches six of them with their headers.
"""

POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


def add_policy(headers: dict[str, str], _path: str, _url: str) -> None:
    """Adds the policy before the middleware of pages would add theirs."""
    headers["Content-Security-Policy"] = POLICY
