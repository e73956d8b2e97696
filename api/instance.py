"""The site itself, and what clients ask at their start and this site does not have: empty lists."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.instance import VERSION, instance_of, older_instance_of, rules


@endpoint(visitors=True)
def instance(request: ApiRequest) -> Any:
    """Says what the site is and can do, from this process's copies of the settings and of the key for
    push: no call."""
    return instance_of(request.get_host(), here(request))


@endpoint(visitors=True)
def older_instance(request: ApiRequest) -> Any:
    return older_instance_of(request.get_host(), here(request))


@endpoint(visitors=True)
def rules_of_site(request: ApiRequest) -> Any:
    return rules()


@endpoint(visitors=True)
def nodeinfo(request: ApiRequest) -> Any:
    address = f"{here(request)}/nodeinfo/2.0"
    schema = "http://nodeinfo.diaspora.software/ns/schema/2.0"
    return {"links": [{"rel": schema, "href": address}]}


@endpoint(visitors=True)
def nodeinfo_2(request: ApiRequest) -> Any:
    """Says which software it is: that whose API this is, as clients know no other, with our own name beside it."""
    return {
        "version": "2.0",
        "software": {"name": "mastodon", "version": VERSION},
        "protocols": [],
        "services": {"inbound": [], "outbound": []},
        "usage": {"users": {}},
        "openRegistrations": instance_of("", "")["registrations"]["enabled"],
        "metadata": {"nodeName": "socialsite"},
    }


@endpoint(visitors=True)
def nothing(request: ApiRequest, **_whose: str) -> Any:
    """Answers where a client waits for a list of what this site has not."""
    return []


@endpoint("read:accounts")
def preferences(request: ApiRequest) -> Any:
    return {
        "posting:default:visibility": "public",
        "posting:default:sensitive": False,
        "posting:default:language": None,
        "reading:expand:media": "default",
        "reading:expand:spoilers": False,
        "reading:autoplay:gifs": False,
    }
