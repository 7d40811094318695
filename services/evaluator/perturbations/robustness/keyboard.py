"""Keyboard: one character of a word replaced by a neighbour on a US keyboard. Pure."""

from collections.abc import Sequence

from services.evaluator.perturbations.draws import Draws

# The US layout (ANSI INCITS 154) as a grid: each key with what it gives with Shift. Letters give their upper case.
ROWS = (
    ("1!", "2@", "3#", "4$", "5%", "6^", "7&", "8*", "9(", "0)"),
    ("qQ", "wW", "eE", "rR", "tT", "yY", "uU", "iI", "oO", "pP"),
    ("aA", "sS", "dD", "fF", "gG", "hH", "jJ", "kK", "lL", ";:"),
    ("zZ", "xX", "cC", "vV", "bB", "nN", "mM", ",<", ".>", "/?"),
)
SHARE = 0.2


def neighbours() -> dict[str, str]:
    """What may be struck in place of each letter and digit: the keys around it with and without Shift, and its own."""
    result = {}
    for row, keys in enumerate(ROWS):
        for column, key in enumerate(keys):
            around = "".join(
                other
                for near in ROWS[max(row - 1, 0) : row + 2]
                for other in near[max(column - 1, 0) : column + 2]
                if other != key
            )
            for own in key if key[0].isalpha() else key[0] if key[0].isdigit() else "":
                result[own] = around + (own.swapcase() if own.isalpha() else key[1])
    return result


NEIGHBOURS = neighbours()


def strike_neighbour(word: str, random: Draws) -> str | None:
    """The word with one character struck wrongly; None if it has no character of the keyboard's letters and digits."""
    places: Sequence[int] = range(len(word))
    if not (word.isascii() and word.isalnum()):
        places = [place for place in places if word[place] in NEIGHBOURS]
        if not places:
            return None
    place = places[int(random.random() * len(places))]
    choices = NEIGHBOURS[word[place]]
    return word[:place] + choices[int(random.random() * len(choices))] + word[place + 1 :]
