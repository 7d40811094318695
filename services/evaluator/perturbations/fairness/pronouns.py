"""her, his, him and hers: which partner each has where it stands. Rules first, a tagger's word when there is one. Pure.

"her keys" → "his keys", "saw her" → "saw him": English writes both readings alike, so the words around decide.
"""

from services.evaluator.perturbations.fairness.lexicon import lexicon
from services.evaluator.perturbations.fairness.words import Word, Words

AUXILIARIES = frozenset(
    [
        "is",
        "was",
        "are",
        "were",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "might",
        "may",
        "must",
        "s",
        "d",
    ]
)


def of_her(words: Words, position: int) -> str:
    """ "his" where "her" is possessive, "him" where it is an object."""
    following = words.next(position)
    if following is None:
        return "his" if _hyphenates(words, position) else "him"
    if following.lower == "s":
        return "his"
    return "him" if _is_object(words, position, following) else "his"


def of_his(words: Words, position: int) -> str:
    """ "her" where "his" has a noun, "hers" where it stands alone ("a friend of his", "his is bigger")."""
    following = words.next(position)
    if following is None:
        return "her" if _hyphenates(words, position) or _quotes_noun(words, position) else "hers"
    stands_alone = following.lower in lexicon().classes["after_object"] - NOUN_AFTER_HIS
    return "hers" if stands_alone else "her"


# Of the words that end a clause after "her", these may also begin the noun phrase of "his": "his then wife".
NOUN_AFTER_HIS = frozenset(
    [
        "then",
        "now",
        "never",
        "once",
        "ever",
        "near",
        "above",
        "below",
        "past",
        "off",
        "like",
        "may",
        "can",
        "will",
        "out",
        "up",
        "down",
        "inside",
        "soon",
        "often",
        "always",
        "already",
        "still",
        "under",
        "our",
        "on-off",
        "upstairs",
        "downstairs",
        "outside",
        "please",
        "like",
        "backwards",
        "over",
    ]
)


def _hyphenates(words: Words, position: int) -> bool:
    return words.gap(position).startswith("-") and not words.gap(position).startswith("--")


def _quotes_noun(words: Words, position: int) -> bool:
    """his "friend": a quoted or bracketed noun follows."""
    gap = words.gap(position)
    return position + 1 < len(words.words) and gap[:1] == " " and gap.strip() in {'"', "“", "'", "‘", "``", "$", "#"}


def _is_object(words: Words, position: int, following: Word) -> bool:
    classes = lexicon().classes
    verb = words.before(position)
    if following.lower in classes["degree"]:
        return _ends_here(words, position + 1)
    if following.lower in classes["directional"]:
        return verb in classes["carries"] and _ends_here(words, position + 1)
    if following.lower in classes["after_object"]:
        return True
    return (
        _is_named(words, position, following, verb)
        or _is_given(words, position, following, verb)
        or _is_caused(words, position, following, verb)
        or _is_adverb(words, position, following)
        or _is_participle(words, position, following, verb)
    )


def _ends_here(words: Words, position: int) -> bool:
    """Whether no noun can follow the word at `position`: a pause, the end, or a function word."""
    following = words.next(position)
    return following is None or following.lower in lexicon().classes["after_object"]


def _is_named(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "called her Mary" """
    named = verb in lexicon().classes["names_her"] and not words.title_case and not words.shouting
    return named and following.text[0].isupper() and not following.text.isupper()


def _is_given(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "charged her 20 dollars", "wished her luck" """
    classes = lexicon().classes
    if verb in classes["wishes"]:
        return True
    return verb in classes["gives"] and (following.text[0].isdigit() or words.gap(position).strip() == "$")


def _is_caused(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "made her cry", "keeps her safe" """
    classes = lexicon().classes
    if verb not in classes["causes"]:
        return False
    if following.lower in classes["adjective"]:
        return _ends_here(words, position + 1)
    return following.lower in classes["verb"] and not _possesses(words, position + 1)


def _possesses(words: Words, position: int) -> bool:
    """ "heard her cry's echo" never; "saw her work was": a verb after the word makes it a noun."""
    following = words.next(position)
    return following is not None and following.lower in AUXILIARIES


def _is_adverb(words: Words, position: int, following: Word) -> bool:
    """ "kissed her passionately", but "her newly bought car" """
    if not following.lower.endswith("ly") or following.lower in lexicon().classes["ly_adjective"]:
        return False
    return _ends_here(words, position + 1)


# "a man behind her holding": after these an -ing word speaks of her.
PLACES = frozenset(
    ["behind", "beside", "near", "by", "around", "toward", "towards", "past", "to", "of", "above", "below", "at"]
)


def _is_participle(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "saw her walking", but "her wedding" """
    classes = lexicon().classes
    if not following.lower.endswith("ing") or following.lower in classes["ing_noun"]:
        return False
    return verb in PLACES or verb in classes["causes"]
