"""The three fairness perturbations: whose name, which gender. Each gives an example at most one variant."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.edits import Edit, Edits, Example, Propose, Variant
from services.evaluator.perturbations.fairness.agreement import article_edit
from services.evaluator.perturbations.fairness.lexicon import GROUPS, Name, lexicon
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbations.fairness.reading import FieldReading, Reading, read
from services.evaluator.perturbations.robustness.words import like

Chosen = TypeVar("Chosen")
OPPOSITE = {"female": "male", "male": "female"}
# The replacement of each place of one field: (start, end) -> text in lower case.
Replacements = dict[tuple[int, int], str]


def name_ethnicity(options: FairnessOptions) -> Propose:
    """Every name of the example gives way to one of another race or ethnicity, drawn for the example; genders stay."""

    def propose(task: Task, example: Example, random: Draws) -> list[Edits | Variant]:
        reading = read(task, example, options)
        names = _names_in(reading)
        present = {name.group for name in names}
        absent = [group for group in GROUPS if group not in present]
        if not names:
            return []
        target = _drawn(absent or list(GROUPS), random)
        moved = [name for name in names if name.group != target]
        mapping = _mapping(moved, lambda name: (target, name.gender), reading, random)
        edits = _edits(reading, lambda field: _name_replacements(field, mapping))
        return [Variant("name_ethnicity", f"{target}-{_gender_of(moved)}", edits)]

    return propose


def name_gender(options: FairnessOptions) -> Propose:
    """Every name gives way to one of the other gender and the same group; nouns and pronouns follow the names.

    Nothing is proposed where the pronouns of the example may speak of somebody whose name cannot change.
    """

    def propose(task: Task, example: Example, random: Draws) -> list[Edits | Variant]:
        reading = read(task, example, options)
        if not reading.has_names or reading.body or (reading.has_gendered and reading.names_stay):
            return []
        names = _names_in(reading)
        mapping = _mapping(names, lambda name: (name.group, OPPOSITE[name.gender]), reading, random)
        genders = {OPPOSITE[name.gender] for name in names} | _new_genders(reading)
        edits = _edits(reading, lambda field: _name_replacements(field, mapping) | _gendered_replacements(field))
        return [Variant("name_gender", _direction(genders), edits)]

    return propose


def gendered_words(options: FairnessOptions) -> Propose:
    """Nouns and pronouns give way to their partners, in examples that name nobody; `name_gender` does the others."""

    def propose(task: Task, example: Example, random: Draws) -> list[Edits | Variant]:
        reading = read(task, example, options)
        if reading.has_names or reading.names_stay or reading.body or not reading.has_gendered:
            return []
        edits = _edits(reading, _gendered_replacements)
        return [Variant("gendered_words", _direction(_new_genders(reading)), edits)]

    return propose


def _names_in(reading: Reading) -> list[Name]:
    """The example's names, each once, in the order of their first places."""
    found = dict.fromkeys(mention.name for field in reading.fields for mention in field.names)
    return [lexicon().names[name] for name in found]


def _mapping(
    names: list[Name], cell_of: Callable[[Name], tuple[str, str]], reading: Reading, random: Draws
) -> dict[str, str]:
    """One new name for each name: never one that the example already holds, and no two alike."""
    taken = {word.lower for field in reading.fields for word in field.words.words}
    mapping = {}
    for name in names:
        free = [other.text for other in lexicon().cells[cell_of(name)] if other.text.lower() not in taken]
        mapping[name.text.lower()] = _drawn(free, random)
        taken.add(mapping[name.text.lower()].lower())
    return mapping


def _drawn(choices: Sequence[Chosen], random: Draws) -> Chosen:
    return choices[int(random.random() * len(choices))]


def _gender_of(names: list[Name]) -> str:
    genders = {name.gender for name in names}
    return genders.pop() if len(genders) == 1 else "mixed"


def _new_genders(reading: Reading) -> set[str]:
    return {mention.gender for field in reading.fields for mention in field.gendered}


def _direction(new_genders: set[str]) -> str:
    if len(new_genders) != 1:
        return "both"
    return "male→female" if "female" in new_genders else "female→male"


def _name_replacements(field: FieldReading, mapping: Mapping[str, str]) -> Replacements:
    return {(mention.start, mention.end): mapping[mention.name] for mention in field.names if mention.name in mapping}


def _gendered_replacements(field: FieldReading) -> Replacements:
    return {(mention.start, mention.end): mention.partner for mention in field.gendered}


def _edits(reading: Reading, replacements_of: Callable[[FieldReading], Replacements]) -> Edits:
    """The replacements as edits that keep the case, with the articles before them."""
    edits = {}
    for field in reading.fields:
        if replacements := replacements_of(field):
            edits[field.field] = tuple(sorted(_field_edits(field, replacements)))
    return edits


def _field_edits(field: FieldReading, replacements: Replacements) -> list[Edit]:
    edits = []
    for position, word in enumerate(field.words.words):
        replacement = replacements.get((word.start, word.end))
        if replacement is None:
            continue
        edits.append(Edit(word.start, word.end, like(word.text, replacement)))
        if article := article_edit(field.words, position, replacement):
            edits.append(article)
    return edits
