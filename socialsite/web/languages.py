"""The languages that a post can be in, by their own names and as HTML's `lang` names them. Those of the site itself are
in `settings.LANGUAGES`."""

from functools import lru_cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, to_locale

NAMES = (
    *(("en", "English"), ("de", "Deutsch"), ("zh-Hans", "简体中文"), ("zh-Hant", "繁體中文")),
    *(("ar", "العربية"), ("bn", "বাংলা"), ("ca", "Català"), ("cs", "Čeština"), ("da", "Dansk")),
    *(("el", "Ελληνικά"), ("es", "Español"), ("et", "Eesti"), ("fa", "فارسی"), ("fi", "Suomi")),
    *(("fr", "Français"), ("he", "עברית"), ("hi", "हिन्दी"), ("hr", "Hrvatski"), ("hu", "Magyar")),
    *(("id", "Indonesia"), ("it", "Italiano"), ("ja", "日本語"), ("ko", "한국어"), ("nb", "Norsk")),
    *(("nl", "Nederlands"), ("pl", "Polski"), ("pt", "Português"), ("ro", "Română")),
    *(("ru", "Русский"), ("sk", "Slovenčina"), ("sl", "Slovenščina"), ("sr", "Српски")),
    *(("sv", "Svenska"), ("sw", "Kiswahili"), ("ta", "தமிழ்"), ("th", "ไทย"), ("tr", "Türkçe")),
    *(("uk", "Українська"), ("ur", "اردو"), ("vi", "Tiếng Việt")),
)

_SELECTED = mark_safe(" selected")


def language_of_page() -> str:
    """Returns the language in which the site speaks to the viewer, as HTML names it."""
    return to_locale(get_language() or "en").replace("_", "-")


@lru_cache(1024)
def language_options(chosen: str, none: str) -> SafeString:
    """Returns the options of a `<select>`, each in its own language. `none` is what the first one says, which chooses
    no language. Cached, as every composer has all of them."""
    first = format_html('<option value=""{}>{}</option>', "" if chosen else _SELECTED, none)
    rest = format_html_join(
        "",
        '<option value="{0}" lang="{0}"{2}>{1}</option>',
        ((code, name, _SELECTED if code == chosen else "") for code, name in NAMES),
    )
    return first + rest
