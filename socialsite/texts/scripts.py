"""Which letters do not show where a word ends, as sets for expressions of `regex`."""

# Between words of these scripts stand no spaces: a word is found inside a sentence.
UNSPACED = r"\p{Han}\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
# Korean has spaces, but its particles follow a word of another script without one.
GLUED = rf"{UNSPACED}\p{{Hangul}}"
# Zero-width joiners change how these are written, and sometimes the word. Elsewhere nobody sees them.
JOINED = (
    r"\p{Arabic}\p{Syriac}\p{Nko}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}"
    r"\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Myanmar}\p{Khmer}\p{Tibetan}\p{ccc=9}"
)
# Letters of these stand below each other, or carry accents of a chant beside their vowels; both are marks.
STACKED = (
    r"\p{Tibetan}\p{Hebrew}\p{Myanmar}\p{Tai_Tham}\p{Devanagari}\p{Bengali}\p{Gujarati}\p{Oriya}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Grantha}\u0951-\u0954\u1cd0-\u1cff\ua8e0-\ua8f1"
)
JOINERS = r"\u200c\u200d"
