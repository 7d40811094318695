"""Contraction: "is not" written "isn't", and the other way round. Deterministic, and no negation is ever lost. Pure."""

import re

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example, Propose
from services.evaluator.perturbations.protected import Spans, protected_spans, touches
from services.evaluator.perturbations.robustness import phrases
from services.evaluator.perturbations.robustness.options import Options
from services.evaluator.perturbations.robustness.substitution import fields


def contraction(options: Options) -> Propose:
    """A proposal that writes out every contraction and contracts every phrase that can be."""

    def propose(task: Task, example: Example, random: Draws) -> list[Edits]:
        changed = {}
        for field in fields(task):
            if edits := _edits(example[field], protected_spans(example, field)):
                changed[field] = edits
        return [changed] if changed else []

    def _edits(text: str, protected: Spans) -> tuple[Edit, ...]:
        found = [edit for match in phrases.SECOND.finditer(text) if (edit := contracted(text, match, options))]
        apostrophes = "'" in text or "’" in text
        if apostrophes:
            found += [edit for match in phrases.EXPANDABLE.finditer(text) if (edit := expanded(text, match, options))]
        if not (apostrophes or protected):
            return _apart(found, options)
        return _apart([edit for edit in sorted(found) if not touches(edit, protected)], options)

    return propose


def _apart(found: list[Edit], options: Options) -> tuple[Edit, ...]:
    """The edits that share no phrase with one before: "they are not" is contracted once."""
    edits: list[Edit] = []
    for edit in found:
        if not edits or edit.start > edits[-1].end or (options.grammatical is False and edit.start == edits[-1].end):
            edits.append(edit)
    return tuple(edits)


def expanded(text: str, match: re.Match[str], options: Options) -> Edit | None:
    """The edit that writes a contraction out; None where it is none ("you's")."""
    if match["modal"]:
        return _edit(text, match.end("modal"), match.end(), " have")
    if match["subject"]:
        return _expanded_subject(text, match, options)
    verb = match["verb"].lower()
    start, written = match.end("verb"), ""
    if verb in phrases.IRREGULAR:
        start, written = match.start("verb"), _cased(phrases.IRREGULAR[verb], match["verb"])
    following = phrases.NEXT_WORDS.match(text, match.end())
    if options.grammatical and following and following[1].lower() in phrases.PRONOUNS and _opens(text, match.start()):
        return _edit(text, start, following.end(1), f"{written} {following[1]} not")
    return _edit(text, start, match.end(), f"{written}not" if verb == "ca" else f"{written} not")


def _expanded_subject(text: str, match: re.Match[str], options: Options) -> Edit | None:
    long = phrases.LONG[match["form"].lower()]
    if match["subject"].lower() not in phrases.FORMS[long]:
        return None
    if options.grammatical and (words := _following(text, match.end())):
        after_adverb = words[-1] if words[0] in phrases.ADVERBS else words[0]
        if long == "is" and after_adverb in phrases.HAS:
            long = "has"
        elif long == "would" and (after_adverb in phrases.PARTICIPLES or _is_regular_past(after_adverb)):
            long = "had"
    return _edit(text, match.end("subject"), match.end(), f" {long}")


def contracted(text: str, match: re.Match[str], options: Options) -> Edit | None:
    """The edit that contracts the phrase whose second word was found; None where there is none, or nobody would."""
    first = phrases.FIRST.search(text, max(match.start() - phrases.LONGEST_FIRST, 0), match.start())
    if first is None:
        return None
    apostrophe = "’" if "’" in text else "'"
    word = (match["word"] or match["joined"]).lower()
    if word == "not":
        return _negated(text, first, match, options, apostrophe)
    subject = (first["subject"] or "").lower()
    if subject not in phrases.FORMS[word] or (word in phrases.OURS and not options.all_contractions):
        return None
    if options.grammatical and (match["word"].istitle() or not _may_lean(text, first.start(), match.end(), word)):
        return None
    return _edit(text, match.start(), match.end(), phrases.SHORT[word].replace("'", apostrophe))


def _negated(text: str, first: re.Match[str], match: re.Match[str], options: Options, apostrophe: str) -> Edit | None:
    verb = (first["verb"] or "").lower()
    if not verb or (match["joined"] and not options.all_contractions):
        return None
    if verb in ("can", "will"):
        return _edit(text, first.start() + 1, match.end(), f"{'an' if verb == 'can' else 'on'}{apostrophe}t")
    return _edit(text, match.start(), match.end(), f"n{apostrophe}t")


def _may_lean(text: str, start: int, end: int, verb: str) -> bool:
    """Whether the verb may lean on its subject: something follows it in its clause, and no gap does."""
    words = _following(text, end)
    if not words or (verb == "have" and words[0] not in phrases.HAS | phrases.ADVERBS):
        return False
    before = text[:start].rsplit(None, 1)
    return not before or before[-1].lower() not in phrases.GAPS


def _opens(text: str, start: int) -> bool:
    """Whether a verb opens its clause, so that a pronoun after it is its subject ("Isn't it good?")."""
    before = text[:start].rstrip()
    return not before or not before[-1].isalnum() or before.rsplit(None, 1)[-1].lower() in phrases.QUESTION_WORDS


def _is_regular_past(word: str) -> bool:
    return word.endswith("ed") and not word.endswith("eed")


def _following(text: str, end: int) -> list[str]:
    """The next two words, lower case, if nothing but blanks stands before them."""
    match = phrases.NEXT_WORDS.match(text, end)
    return [word.lower() for word in match.groups() if word] if match else []


def _edit(text: str, start: int, end: int, words: str) -> Edit:
    """An edit in upper case where what it replaces is."""
    return Edit(start, end, words.upper() if text[start:end].isupper() else words)


def _cased(verb: str, model: str) -> str:
    return verb[:1].upper() + verb[1:] if model[:1].isupper() else verb
