"""Which strings are English words, so that a misspelling is not another word. Data: words.txt (SCOWL)."""

from functools import cache
from pathlib import Path

WORDS = Path(__file__).with_name("words.txt")


@cache
def english_words() -> frozenset[str]:
    """About 50,000 common words of American and British English in lower case, inflected forms included."""
    return frozenset(WORDS.read_text(encoding="ascii").split())


def like(model: str, word: str) -> str:
    """`word` in the case of `model`: lower, Title or UPPER; mixed case counts as what its first letter is."""
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
