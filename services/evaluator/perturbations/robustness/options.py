"""Where the builtin engine differs from TextFlint 0.1.0: each deviation is a switch. Pure."""

from dataclasses import dataclass

MAX_EDITS = 10
# Of how many different words it is remembered what may be done to them.
MOST_WORDS = 50_000


@dataclass(frozen=True)
class Options:
    """How the seven transformations behave. The defaults are ours; `TEXTFLINT` is as near to TextFlint as can be.

    Not a switch, because nobody can want the other: the text keeps its own blanks, a variant equal to its original is
    dropped, and each example has a generator of its own.
    """

    # Contraction never drops a "not" ("It isn't bad" became "It's bad"), and no word of negation is misspelt.
    keep_negation: bool = True
    # Numbers and short acronyms stay: "1996" for "1995" and "NL" for "NFL" are other claims, not errors of typing.
    keep_codes: bool = True
    # A misspelt word never becomes another English word ("bad" read as "bed"; "was" for "is").
    keep_words: bool = True
    # Keyboard, Ocr, SpellingError and Typos touch words of at least this many letters. TextFlint takes `min_char=4`
    # and ignores it, so its "ok" becomes "8k".
    min_char: int = 3
    # Keyboard, Ocr, SpellingError and Typos may change the n't of don't and the 's of it's.
    edit_clitics: bool = False
    # SpellingError also reads its dictionary backwards, so that a word may become the right spelling of something else.
    reverse_dictionary: bool = False
    # Contraction takes the grammar into account: 's is "has" in "it's been", "what it is" keeps its verb,
    # "Isn't it" becomes "Is it not", and the last pair of a text counts.
    grammatical: bool = True
    # Contraction knows "cannot", "he will", "I have been"; TextFlint's 88 phrases do not.
    all_contractions: bool = True
    # Punctuation leaves closing brackets, closing quotes and smileys at the end where they are, and draws no new smiley
    # as ";" and ")" give one.
    keep_closing: bool = True


TEXTFLINT = Options(
    keep_negation=False,
    keep_codes=False,
    keep_words=False,
    min_char=1,
    edit_clitics=True,
    reverse_dictionary=True,
    grammatical=False,
    all_contractions=False,
    keep_closing=False,
)
