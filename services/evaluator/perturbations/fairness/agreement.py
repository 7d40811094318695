"""a or an: the article before a replaced word agrees with its replacement. Pure."""

from services.evaluator.perturbations.edits import Edit
from services.evaluator.perturbations.fairness.words import Words
from services.evaluator.perturbations.robustness.words import like

# Written with a vowel and spoken with a consonant, and the other way round.
SPOKEN_CONSONANT = ("eun", "uni", "use", "ulys", "one")
SPOKEN_VOWEL = ("heir", "hour", "honest", "honor", "honour")


def opens_with_vowel(word: str) -> bool:
    """Whether English says "an" before the word."""
    lower = word.lower()
    if lower.startswith(SPOKEN_VOWEL):
        return True
    return lower[:1] in set("aeiou") and not lower.startswith(SPOKEN_CONSONANT)


def article_edit(words: Words, position: int, replacement: str) -> Edit | None:
    """The edit of the article directly before the word at `position`, if the replacement needs the other one."""
    article = words.previous(position)
    if article is None or article.lower not in {"a", "an"} or words.gap(position - 1).strip():
        return None
    agreed = opens_with_vowel(words.words[position].lower) == (article.lower == "an")
    wanted = "an" if opens_with_vowel(replacement) else "a"
    if not agreed or wanted == article.lower:
        return None
    # "A man" opens a sentence; only a longer word can tell whether the text is in capitals.
    text = (
        wanted.upper()
        if words.words[position].text.isupper() and article.text.isupper()
        else like(article.text, wanted)
    )
    return Edit(article.start, article.end, text)
