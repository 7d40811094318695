"""Which strings are English words, so that a misspelling is not another word. Data: words.txt (SCOWL), insults.txt."""

from functools import cache
from pathlib import Path

WORDS = Path(__file__).with_name("words.txt")
# Insults that SCOWL lacks: a slip in "guy" or "spin" must not make one.
INSULTS = Path(__file__).with_name("insults.txt")


@cache
def _entries() -> tuple[str, ...]:
    return tuple(WORDS.read_text(encoding="ascii").split())


@cache
def english_words() -> frozenset[str]:
    """About 80,000 words and names of American and British English in lower case, inflected forms included."""
    return frozenset(entry.lower() for entry in _entries()).union(INSULTS.read_text(encoding="ascii").split())


@cache
def common_words() -> frozenset[str]:
    """Those that are not only names, and so are written small within a sentence."""
    return frozenset(entry for entry in _entries() if entry.islower())


def like(model: str, word: str) -> str:
    """`word` in the case of `model`: lower, Title or UPPER; mixed case counts as what its first letter is."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
