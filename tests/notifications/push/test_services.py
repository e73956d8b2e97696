"""Only known push services are asked, and those that an operator adds."""

import pytest

from notifications.push.services import KNOWN, UnknownService, service_of


@pytest.mark.parametrize(
    "address",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://fcm.googleapis.com:443/wp/abc",
        "https://android.googleapis.com/gcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://eu.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QOx?a=b",
        "https://wns2-by3p.notify.windows.com/w/?token=BQYA%3d",
        "https://FCM.GOOGLEAPIS.COM/x",
    ],
)
def test_a_known_push_service_is_asked(address):
    service = service_of(address)
    assert service.is_tls
    assert service.port == 443
    assert service.name in KNOWN


@pytest.mark.parametrize(
    "address",
    [
        "",
        "x",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com:99999/x",
        "https://fcm.googleapis.com:x/x",
        "https://user@fcm.googleapis.com/x",
        "https://fcm.googleapis.com@evil.example/x",
        "https://fcm.googleapis.com.evil.example/x",
        "https://evil.example/fcm.googleapis.com",
        "https://evil.example#fcm.googleapis.com",
        "https://evil.example\\@fcm.googleapis.com/",
        "https://push.apple.com/x",
        "https://a.b.push.apple.com/x",
        "https://.push.apple.com/x",
        "https://-.push.apple.com/x",
        "https://169.push.apple.com/x",
        "https://notify.windows.com/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://localhost/x",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/x\r\nHost: evil.example",
        "https://fcm.googleapis.com/ü",
        "https://ｆcm.googleapis.com/x",
        "ftp://fcm.googleapis.com/x",
        "//fcm.googleapis.com/x",
        "https://fcm.googleapis.com/" + "x" * 1000,
    ],
)
def test_no_other_address_is(address):
    with pytest.raises(UnknownService):
        service_of(address)


def test_an_operator_adds_services(settings):
    settings.PUSH_HOSTS = ["push.example.org", "*.up.example"]
    assert service_of("https://push.example.org/x").name == "push.example.org"
    assert service_of("https://a.up.example/x").name == "*.up.example"
    for address in ("https://x.push.example.org/", "https://up.example/", "https://1.up.example/"):
        with pytest.raises(UnknownService):
            service_of(address)
