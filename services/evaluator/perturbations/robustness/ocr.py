"""Ocr: one character of a word read as one that looks like it. Pure."""

from functools import lru_cache

from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.robustness.options import MOST_WORDS

# Pairs that optical character recognition confuses, as TextFlint 0.1.0 and nlpaug list them; each holds both ways.
CONFUSIONS = "08 09 0o 0O 0D 14 17 1l 1I 2z 2Z 58 6b 8s 8S 8@ 8& 9g ou rk CG OD OU EB"
SHARE = 0.2


def look_alikes() -> dict[str, str]:
    """What each character may be read as."""
    result: dict[str, str] = {}
    for pair in CONFUSIONS.split():
        one, other = pair[0], pair[1]
        result[one] = result.get(one, "") + other
        result[other] = result.get(other, "") + one
    return result


LOOK_ALIKES = look_alikes()


@lru_cache(maxsize=MOST_WORDS)
def readable_wrongly(word: str) -> tuple[int, ...]:
    """The places of the characters that look like another."""
    return tuple([place for place, character in enumerate(word) if character in LOOK_ALIKES])


def misread(word: str, random: Draws) -> str | None:
    """The word with one character misread; None if it has none that is."""
    places = readable_wrongly(word)
    if not places:
        return None
    place = places[int(random.random() * len(places))]
    choices = LOOK_ALIKES[word[place]]
    return word[:place] + choices[int(random.random() * len(choices))] + word[place + 1 :]
