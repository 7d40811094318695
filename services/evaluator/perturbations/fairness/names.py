"""First names in a text: which of its capitalised words name somebody who could as well have another name. Pure.

"James" in "James lost his keys" does; in "LeBron James", "St. James Street", "King James" and "the James" it does not.
"""

import re
from enum import Enum
from typing import NamedTuple

from services.evaluator.perturbations.fairness.lexicon import lexicon
from services.evaluator.perturbations.fairness.words import Word, Words
from services.evaluator.perturbations.robustness.words import common_words

# A run of capitalised words is read no further than this for "Street" or "University".
LONGEST_RUN = 4
FIRM = frozenset({"sons", "son", "brothers", "bros", "company", "co", "associates", "partners", "daughters"})
SHORTEST_UPPER = 5
ALLIES = frozenset("&/_@\\=")
# "Molly's Lips": a quotation of capitalised words is a title.
TITLE = re.compile(
    r"[\"“][A-Z][\w'’]*(?: (?:[A-Z0-9][\w'’]*|a|an|and|at|by|for|from|in|of|on|the|to|with|&),?){1,8}[\"”]"
)


class Use(Enum):
    """What a first name of the lexicon is used for."""

    FIRST_NAME = "a first name"
    OTHER = "a surname, a second name, or part of a longer name"
    THING = "a place or thing"
    RULER = "someone whom everybody is meant to know"


class NameMention(NamedTuple):
    """A name at text[start:end]; `name` in lower case; whether the lexicon has a replacement for it."""

    start: int
    end: int
    name: str
    use: Use
    swappable: bool


def name_mentions(words: Words) -> list[NameMention]:
    """Every place of a first name that is written as one."""
    lists = lexicon()
    found = []
    for position, word in enumerate(words.words):
        swappable = word.lower in lists.names
        if (swappable or word.lower in lists.other_names) and _written_as_name(words, position, swappable):
            found.append(NameMention(word.start, word.end, word.lower, _use(words, position), swappable))
    return found


def _written_as_name(words: Words, position: int, swappable: bool) -> bool:
    word = words.words[position].text
    # JAMES is a name, EVA in a sentence of small letters is a space walk.
    if not (word.istitle() or (word.isupper() and (len(word) >= SHORTEST_UPPER or words.shouting))):
        return False
    # Elsewhere than in mid-sentence a capital says nothing, so "Mark my words" names nobody.
    return swappable or words.words[position].lower not in common_words() or not words.opens_sentence(position)


def _use(words: Words, position: int) -> Use:
    if _joined(words, position) or _in_title(words, position) or _is_thing(words, position):
        return Use.THING
    if _is_ruler(words, position):
        return Use.RULER
    return Use.OTHER if _is_surname(words, position) else Use.FIRST_NAME


def _joined(words: Words, position: int) -> bool:
    """Mary-Ann, Ben & Jerry, O'Brien, John 3:16, John3."""
    word, text = words.words[position], words.text
    before, after = text[: word.start][-3:].rstrip(" "), text[word.end : word.end + 3].lstrip(" ")
    if before[-1:] in ALLIES or after[:1] in ALLIES:
        return True
    if text[word.start - 1 : word.start] in {"-", "‐", "’", "'"} and text[: word.start][-2:-1].isalpha():
        return True
    if text[word.end : word.end + 1] in {"-", "‐"} and text[word.end + 1 : word.end + 2].isalnum():
        return True
    return re.match(r"\s\d", text[word.end :]) is not None


def _in_title(words: Words, position: int) -> bool:
    start = words.words[position].start
    return any(match.start() < start < match.end() for match in TITLE.finditer(words.text))


def _is_thing(words: Words, position: int) -> bool:
    classes = lexicon().classes
    before = words.previous(position)
    if before is not None and (before.lower in classes["names_a_thing"] or _is_town(words, position, before)):
        return True
    return (
        _is_business(words, position)
        or _is_firm(words, position)
        or any(word.lower in classes["organisation"] for word in _run_after(words, position))
    )


def _is_town(words: Words, position: int, before: Word) -> bool:
    """ "the town of Brandon", "in Brandon, Mississippi", "a company called Wilbert" """
    if before.lower == "of" and words.before(position, 2) in lexicon().classes["organisation"]:
        return True
    if before.lower in lexicon().classes["names_it"]:
        return words.before(position, 2) in lexicon().classes["called_thing"]
    region = words.gap(position) == ", " and position + 1 < len(words.words) and words.capital(position + 1)
    return before.lower in {"in", "near", "from", "outside"} and region


def _is_firm(words: Words, position: int) -> bool:
    """ "Frederick and Sons" """
    joint, partner = words.next(position), words.next(position + 1)
    return joint is not None and joint.lower == "and" and partner is not None and partner.lower in FIRM


def _is_business(words: Words, position: int) -> bool:
    """ "lunch at Anthony's", "Anthony's across the street": a possessive without a noun."""
    following = words.words[position + 1] if position + 1 < len(words.words) else None
    if following is None or following.lower != "s" or words.gap(position) not in {"'", "’"}:
        return False
    after = words.next(position + 1)
    return after is None or after.lower in lexicon().classes["after_business"]


def _run_after(words: Words, position: int) -> list[Word]:
    """The capitalised words that follow without a pause."""
    run: list[Word] = []
    following = words.next(position)
    while following is not None and len(run) < LONGEST_RUN and following.text[0].isupper():
        run.append(following)
        following = words.next(position + len(run))
    return run if not words.shouting else []


def _is_ruler(words: Words, position: int) -> bool:
    """King James, James II, Charles I, Catherine the Great, Richard of York."""
    classes = lexicon().classes
    before, following = words.previous(position), words.next(position)
    if before is not None and before.lower in classes["names_a_ruler"]:
        return True
    if following is None:
        return False
    if following.text.isupper() and following.lower in classes["monarch_number"]:
        return True
    if following.text == "I" and _reigns(words, position + 1):
        return True
    beyond = words.next(position + 1)
    named = beyond is not None and (beyond.text[0].isupper() or beyond.text[0].isdigit())
    return following.lower in {"the", "of"} and named and not words.shouting


def _reigns(words: Words, position: int) -> bool:
    """Whether the "I" at `position` is a number, as in "Charles I was", and not the pronoun."""
    verbs = {"of", "s", "was", "had", "is", "in", "and", "died", "became", "himself", "herself"}
    following = words.words[position + 1].lower if position + 1 < len(words.words) else ""
    return following in verbs or words.gap(position).startswith(",")


def _is_surname(words: Words, position: int) -> bool:
    """LeBron James, Mr. James, J. James; Mary in "Anna Mary"."""
    before = words.previous(position)
    if before is None or not before.text[0].isupper() or words.shouting or words.title_case:
        return False
    classes = lexicon().classes
    if before.lower in classes["kin_title"] and before.lower not in {"brother", "sister"}:
        return False
    if before.lower in classes["title"]:
        return not _run_after(words, position)
    if before.lower in classes["opener"] or before.text == "I":
        return False
    return not (words.opens_sentence(position - 1) and _ordinary(before))


def unlisted_person(words: Words) -> bool:
    """Whether two capitalised words in a row, neither of them English, seem to be a person's name (Giorgio Vasari)."""
    if words.shouting or words.title_case:
        return False
    return any(
        _unlisted_pair(words, position) or _numbered_monarch(words, position)
        for position in range(len(words.words) - 1)
    )


def _numbered_monarch(words: Words, position: int) -> bool:
    """Ptolemy II."""
    number = words.next(position)
    if number is None or not words.words[position].text.istitle() or not number.text.isupper():
        return False
    return number.lower in lexicon().classes["monarch_number"] and words.words[position].lower not in common_words()


def _unlisted_pair(words: Words, position: int) -> bool:
    first, second = words.words[position], words.words[position + 1]
    if not (first.text.istitle() and second.text[0].isupper() and len(first.text) > 2 and len(second.text) > 2):
        return False
    if words.gap(position) != " " or not words.text[first.start : second.end].replace(" ", "").isalpha():
        return False
    classes, lists = lexicon().classes, lexicon()
    known = (common_words(), classes["organisation"], classes["title"])
    unknown = not any(word in words_known for words_known in known for word in (first.lower, second.lower))
    listed = first.lower in lists.names or first.lower in classes["names_a_thing"] | classes["names_a_ruler"]
    before = words.previous(position)
    return unknown and not listed and not (before is not None and before.lower in lists.names)


def _ordinary(word: Word) -> bool:
    """Whether a word that opens a sentence would be written small elsewhere."""
    lists = lexicon()
    known = word.lower in common_words() or len(word.lower) == 1
    return known and word.lower not in lists.names and word.lower not in lists.other_names
