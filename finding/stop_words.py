"""Words that nearly every text of a language has: they find nothing, and the index does without them.

One list serves all languages, as neither a search nor most posts say in which they are. So a word that means something
in another language (the English "die" and "war") is in no list. What else is too common on a site shows there: the
worker notes it (`WordUse` in `models.py`).
"""

from socialsite.texts.folding import fold

ENGLISH = (
    "a about after all also am an and any are as at be because been before being but by can could did do does for from "
    "get go got had has have he her here him his how i if in into is it its just like me more my no not now of on one "
    "only or other our out over she so some than that the their them then there these they this to too up us very was "
    "we were what when where which who why will with would you your"
)
GERMAN = (
    "aber als am an auch auf aus bei bin bis bist da das dass dem den der des doch du durch ein eine einem "
    "einen einer eines er es euch für hab habe haben hat hatte ich ihm ihn ihr im in ist ja kann kein keine "
    "mal mein meine mich mir mit nach nicht noch nun nur ob oder schon sein sich sie sind so über um und uns "
    "vom von vor wann warum weil wenn werden wie wieder will wir wird wo wurde zu zum zur"
)
FRENCH = (
    "au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui mais ne nous où par pas pour "
    "qu que qui sa se ses son sont sur tu un une vous"
)
SPANISH = (
    "al como con de del el ella en es esta este está ha la las le lo los más me mi muy no nos para pero por que se si "
    "sin su sus también te tu un una y ya yo"
)

STOP_WORDS = frozenset(fold(" ".join((ENGLISH, GERMAN, FRENCH, SPANISH))).split())
