"""Colours that go well together."""

from dataclasses import dataclass

SKINS = ("#fbd9b8", "#f3c39b", "#e3a77c", "#c98a5e", "#ad7048", "#935c3b", "#7c4b31")
HAIRS = ("#2b2230", "#4a2f27", "#7a4a2b", "#b9743a", "#e0b060", "#8e8c93", "#d9d6d2", "#a8452f")


@dataclass(frozen=True)
class Palette:
    """A ground from `above` to `below`, four colours to draw with, and a dark one for lines."""

    above: str
    below: str
    colours: tuple[str, str, str, str]
    dark: str


PALETTES = (
    Palette("#fde8d0", "#f9c6b0", ("#e4572e", "#f3a712", "#29335c", "#669bbc"), "#29233b"),
    Palette("#d7f0ee", "#9fd8d2", ("#17877f", "#f4a259", "#f25c66", "#fff3d6"), "#12343b"),
    Palette("#e9e3fb", "#c3b5f1", ("#6c4fd0", "#f7a9c4", "#ffd166", "#3a2e6e"), "#2a2150"),
    Palette("#fff3c9", "#ffd98a", ("#ef7b45", "#5b8c5a", "#d84a3a", "#fffaf0"), "#4a2c2a"),
    Palette("#dceefb", "#a7cff0", ("#2f6fb5", "#f7b538", "#fffdf7", "#e36588"), "#1b2a49"),
    Palette("#e6f4d9", "#b9dd9b", ("#4f9d4c", "#f2c14e", "#f78154", "#fbfff1"), "#22402b"),
    Palette("#ffe3ec", "#fbb4c9", ("#d6336c", "#ff8fa3", "#6a4c93", "#fff0c9"), "#4a1a33"),
    Palette("#2e3a6b", "#5b5ea6", ("#f9c74f", "#f9844a", "#90be6d", "#e8e9f7"), "#161c3a"),
    Palette("#144552", "#2a7f83", ("#f4d58d", "#ef8354", "#bfe3d0", "#f7fff7"), "#0a262e"),
    Palette("#f3ece3", "#dccab4", ("#8a5a44", "#c98b5b", "#5f7a61", "#fffaf3"), "#3a2a21"),
    Palette("#fcd5ce", "#c9a7eb", ("#7b5ea7", "#f08080", "#fbc4ab", "#fff1e6"), "#3d2a56"),
    Palette("#cdeffd", "#ffe5b4", ("#00a6a6", "#efca08", "#f49f0a", "#3d5a80"), "#213547"),
)
