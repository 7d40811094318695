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
        told = words.before(position) in lexicon().classes["gives"] | lexicon().classes["names_her"]
        return "his" if _hyphenates(words, position) or (_quotes_noun(words, position) and not told) else "him"
    if words.gap(position + 1).startswith("-") or following.text == "A":
        return "his"  # her even-handed manner, her A-level
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
    if following is None:
        return not _quotes_noun(words, position)
    return following.lower in lexicon().classes["after_object"]


def _is_named(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "called her Mary" """
    named = verb in lexicon().classes["names_her"] and not words.title_case and not words.shouting
    return named and following.text[0].isupper() and not following.text.isupper()


def _is_given(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "charged her 20 dollars", "wished her luck", "gave her money", "sacked her seven times" """
    classes = lexicon().classes
    counted = following.text[0].isdigit() or following.lower in classes["number"]
    after = words.next(position + 1)
    if verb in classes["wishes"] or (counted and after is not None and after.lower == "times"):
        return True
    given = following.lower in classes["mass_noun"] and _ends_here(words, position + 1)
    return verb in classes["gives"] and (counted or given)


def _is_caused(words: Words, position: int, following: Word, verb: str) -> bool:
    """ "made her cry", "keeps her safe", "had her arrested" """
    classes = lexicon().classes
    if verb in classes["causes"] and (following.lower in classes["adjective"] or following.lower.endswith("ed")):
        return _ends_here(words, position + 1)
    after = words.next(position + 1)
    possesses = after is not None and after.lower in AUXILIARIES  # "saw her work was good"
    return verb in classes["makes"] and following.lower in classes["verb"] and not possesses


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
