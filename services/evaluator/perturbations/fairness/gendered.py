"""Gendered nouns and pronouns in a text, and the partner of each. Pure."""

from typing import NamedTuple

from services.evaluator.perturbations.fairness.lexicon import Gender, lexicon
from services.evaluator.perturbations.fairness.pronouns import of_her, of_his
from services.evaluator.perturbations.fairness.words import Words

PRONOUNS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
SOCIAL_TITLES = frozenset({"mr", "mrs", "ms"})
QUOTES = frozenset('"“”')
# A hyphen before or after a noun makes another word of it (man-made, X-Men), except with these.
PREFIXES = frozenset(
    [
        "step",
        "grand",
        "great",
        "ex",
        "half",
        "co",
        "god",
        "foster",
        "twin",
        "all",
        "non",
        "mid",
        "father",
        "mother",
        "brother",
        "sister",
        "boy",
        "girl",
        "son",
        "daughter",
        "husband",
        "wife",
        "man",
        "woman",
        "male",
        "female",
        "police",
        "business",
        "in",
        "year",
        "old",
        "teen",
        "trans",
        "self",
    ]
)
SUFFIXES = frozenset(
    [
        "in",
        "to",
        "mother",
        "father",
        "daughter",
        "son",
        "sister",
        "brother",
        "girl",
        "boy",
        "dominated",
        "only",
        "like",
        "less",
        "led",
        "owned",
    ]
)


class GenderedMention(NamedTuple):
    """A gendered word at text[start:end], its partner (lower case) and the partner's gender."""

    start: int
    end: int
    partner: str
    gender: Gender


def gendered_mentions(words: Words, possessive: dict[int, bool]) -> list[GenderedMention]:
    """Every gendered word that says somebody's gender. `possessive`: what a tagger says of "her", by place."""
    found = []
    for position, word in enumerate(words.words):
        if word.lower in PRONOUNS:
            mention = _pronoun(words, position, possessive)
        elif word.lower in lexicon().partners:
            mention = _noun(words, position)
        else:
            continue
        if mention is not None:
            found.append(GenderedMention(word.start, word.end, *mention))
    return found


def names_somebody(words: Words) -> bool:
    """Whether a gendered noun is part of somebody's name or title, which stays: King Henry, the Invisible Woman."""
    partners = lexicon().partners
    return any(
        word.text.istitle()
        and word.lower in partners
        and word.lower not in PRONOUNS | SOCIAL_TITLES
        and not words.title_case
        and _is_part_of_name(words, position)
        for position, word in enumerate(words.words)
    )


def _pronoun(words: Words, position: int, possessive: dict[int, bool]) -> tuple[str, Gender] | None:
    word = words.words[position]
    if _in_phrase(words, position) or _slashed(words, position) or _is_divine(words, position):
        return None
    if word.lower == "her":
        tagged = possessive.get(word.start)
        return (of_her(words, position) if tagged is None else "his" if tagged else "him"), "male"
    if word.lower == "his":
        return of_his(words, position), "female"
    if word.lower in {"him", "hers"}:
        return ("her", "female") if word.lower == "him" else ("his", "male")
    return lexicon().partners[word.lower]


def _slashed(words: Words, position: int) -> bool:
    """he/she, (s)he, s/he: no gender is meant."""
    word = words.words[position]
    before = words.text[: word.start][-2:]
    hyphen = before.endswith("-") and before[:1].isalnum()
    return hyphen or before[-1:] in {"/", ")"} or words.text[word.end : word.end + 1] == "/"


def _is_divine(words: Words, position: int) -> bool:
    """ "in His name", and the surname He."""
    word = words.words[position].text
    return word.istitle() and not words.title_case and not words.opens_sentence(position)


def _noun(words: Words, position: int) -> tuple[str, Gender] | None:
    word = words.words[position]
    if _in_phrase(words, position) or _compounded(words, position) or not _speaks_of_people(words, position):
        return None
    if word.lower in SOCIAL_TITLES:
        named = words.next(position) is not None or words.gap(position).startswith(".")
        return lexicon().partners[word.lower] if named and word.text[0].isupper() else None
    if word.text[0].isupper() and not words.shouting and _is_part_of_name(words, position):
        return None
    return lexicon().partners[word.lower]


def _in_phrase(words: Words, position: int) -> bool:
    around = words.words
    for before, after in lexicon().phrases.get(around[position].lower, ()):
        start, end = position - len(before), position + 1 + len(after)
        if start >= 0 and (
            tuple(word.lower for word in around[start:position]) == before
            and tuple(word.lower for word in around[position + 1 : end]) == after
            and not any(mark in words.text[around[start].start : around[end - 1].end] for mark in ".!?;,\n")
        ):
            return True
    return False


def _compounded(words: Words, position: int) -> bool:
    word = words.words[position]
    if words.text[word.start - 1 : word.start] == "-" and position and words.gap(position - 1) == "-":
        if words.words[position - 1].lower not in PREFIXES:
            return True
    elif words.text[word.start - 1 : word.start] in {"'", "’"} and words.text[: word.start][-2:-1].isalnum():
        return True
    if words.gap(position) == "-" and position + 1 < len(words.words):
        return words.words[position + 1].lower not in SUFFIXES
    return False


def _speaks_of_people(words: Words, position: int) -> bool:
    """Not mankind, not an interjection; no "hey guys", "Sir Isaac", "they groom dogs", chess queen."""
    word, classes, before = words.words[position].lower, lexicon().classes, words.before(position)
    if word in classes["monarch"]:
        others = {other.lower for other in words.words}
        return not _rules_a_place(words, position) and classes["not_people"].isdisjoint(others)
    if word == "guys":
        return before not in classes["guys_you"] and not words.opens_sentence(position)
    if word in {"sir", "bro", "sis"} and words.words[position].text.istitle():
        return words.next(position) is None
    if word in {"groom", "grooms", "host", "hosts"}:
        return before not in {"to", "they", "we", "i", "you", "who", "that"}
    mankind = word == "man" and before in classes["mankind"]
    return not mankind and not (word in classes["interjection"] and _is_interjection(words, position))


def _is_interjection(words: Words, position: int) -> bool:
    """ "Man, that was good", "come on, man!" """
    gap = words.gap(position)[:1]
    pause_before = position > 0 and words.gap(position - 1).strip()[-1:] in {",", "—", "…", "."}
    return (gap in {",", "!", "."} and (words.opens_sentence(position) or pause_before)) or (
        pause_before and position + 1 == len(words.words)
    )


def _rules_a_place(words: Words, position: int) -> bool:
    """ "the king of France" is one king."""
    of, place = words.next(position), words.next(position + 1)
    return of is not None and of.lower == "of" and place is not None and place.text[0].isupper()


def _is_part_of_name(words: Words, position: int) -> bool:
    """King Henry, the Invisible Man, Girl Scouts; not "Uncle James", "I told Mom", "Women are"."""
    word, classes, following = words.words[position], lexicon().classes, words.next(position)
    capital_after = following is not None and following.text[0].isupper() and following.text != "I"
    if word.lower in {"uncle", "aunt", "auntie"}:
        return not (following is not None and following.lower in lexicon().names) and capital_after
    if word.text.isupper() and len(word.text) > 1:
        return False
    if word.lower in classes["small_only"]:
        return True
    quoted = words.text[word.start - 1 : word.start] in QUOTES and words.text[word.end : word.end + 1] in QUOTES
    if words.opens_sentence(position) and not words.title_case and not (quoted and position):
        return capital_after
    return capital_after or word.lower not in classes["family_vocative"]
