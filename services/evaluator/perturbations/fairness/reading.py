"""How an example is read: one reading for all of its fields, so that premise and hypothesis change alike."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.edits import Example
from services.evaluator.perturbations.fairness.gendered import GenderedMention, gendered_mentions, names_somebody
from services.evaluator.perturbations.fairness.guard import Analysis, Entity, guard
from services.evaluator.perturbations.fairness.lexicon import lexicon
from services.evaluator.perturbations.fairness.names import NameMention, Use, name_mentions, unlisted_person
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbations.fairness.words import Words, words_of
from services.evaluator.perturbations.protected import markup_spans

Mention = TypeVar("Mention", NameMention, GenderedMention)


@dataclass(frozen=True)
class FieldReading:
    """What can change in one input field."""

    field: str
    words: Words
    names: tuple[NameMention, ...]
    gendered: tuple[GenderedMention, ...]


@dataclass(frozen=True)
class Reading:
    """What can change in an example.

    `names_stay`: somebody is named whose name cannot change, so that the pronouns that may speak of them stay too.
    `body`: the text is about a body that only one gender has.
    """

    fields: tuple[FieldReading, ...]
    names_stay: bool
    body: bool

    @property
    def has_names(self) -> bool:
        """Whether a name can change."""
        return any(field.names for field in self.fields)

    @property
    def has_gendered(self) -> bool:
        """Whether a noun or pronoun can change."""
        return any(field.gendered for field in self.fields)


EMPTY = Reading((), False, False)


def read(task: Task, example: Example, options: FairnessOptions) -> Reading:
    """The reading of an example's input fields. Under skip_example one familiar entity at risk empties it."""
    return _read(tuple((field, example[field]) for field in task.text_inputs), options)


def concerns(text: str) -> bool:
    """Whether the text holds any word of the lexicon, so that spaCy need look at it."""
    return not _interesting().isdisjoint(word.lower for word in words_of(text).words)


def texts_to_analyse(task: Task, examples: Iterable[Example]) -> list[str]:
    """The fields that `read` will ask spaCy about."""
    return [example[field] for example in examples for field in task.text_inputs if concerns(example[field])]


@lru_cache(maxsize=1)
def _interesting() -> frozenset[str]:
    lists = lexicon()
    return frozenset(lists.names) | frozenset(lists.partners) | {"her", "his", "him", "hers"}


@lru_cache(maxsize=16)
def _read(fields: tuple[tuple[str, str], ...], options: FairnessOptions) -> Reading:
    texts = [text for _, text in fields]
    if not any(concerns(text) for text in texts):
        return EMPTY
    analyses = [guard(options.pipelines).analysis(text) for text in texts]
    named = [_markup_free(text, name_mentions(words_of(text))) for text in texts]
    gendered = [
        _markup_free(text, gendered_mentions(words_of(text), analysis.possessive))
        for text, analysis in zip(texts, analyses, strict=True)
    ]
    if options.entity_policy == "skip_example" and _familiar_at_risk(named, gendered, analyses):
        return EMPTY
    stay = _names_that_stay(named, analyses)
    readings = [
        FieldReading(
            field,
            words_of(text),
            tuple(mention for mention in names if mention.swappable and mention.name not in stay),
            tuple(mention for mention in words if not _inside(mention, analysis.entities)),
        )
        for (field, text), names, words, analysis in zip(fields, named, gendered, analyses, strict=True)
    ]
    return Reading(
        tuple(readings),
        _someone_stays(named, analyses, stay)
        or any(unlisted_person(words_of(text)) or names_somebody(words_of(text)) for text in texts),
        any(_about_body(words_of(text)) for text in texts),
    )


def _markup_free(text: str, mentions: list[Mention]) -> list[Mention]:
    markup = markup_spans(text)
    return [it for it in mentions if not any(it.start < end and it.end > start for start, end in markup)]


def _inside(mention: NameMention | GenderedMention, entities: Iterable[Entity]) -> bool:
    """Whether the mention is part of an entity; of somebody whom only a recogniser found, only what is not his name."""
    return any(
        mention.start < entity.end and mention.end > entity.start
        for entity in entities
        if entity.familiar or entity.label != "PERSON"
    )


def _familiar_at_risk(
    named: list[list[NameMention]], gendered: list[list[GenderedMention]], analyses: list[Analysis]
) -> bool:
    """Whether a famous person is spoken of, or a word that would change is part of a known name."""
    return any(
        any(entity.familiar and entity.label == "PERSON" for entity in analysis.entities)
        or any(mention.use is Use.RULER for mention in names)
        or any(mention.use is Use.FIRST_NAME and _inside(mention, analysis.entities) for mention in names)
        or any(_inside(mention, analysis.entities) for mention in words)
        for names, words, analysis in zip(named, gendered, analyses, strict=True)
    )


def _names_that_stay(named: list[list[NameMention]], analyses: list[Analysis]) -> set[str]:
    """A name skipped in one place is skipped in all, in every field."""
    return {
        mention.name
        for names, analysis in zip(named, analyses, strict=True)
        for mention in names
        if mention.use is not Use.FIRST_NAME
        or _inside(mention, analysis.entities)
        or _is_later_name(mention, analysis.entities)
    }


def _is_later_name(mention: NameMention, entities: Iterable[Entity]) -> bool:
    """Whether a recogniser puts the name inside a person's name, but not first."""
    return any(entity.label == "PERSON" and entity.start < mention.start < entity.end for entity in entities)


def _someone_stays(named: list[list[NameMention]], analyses: list[Analysis], stay: set[str]) -> bool:
    if any(entity.familiar and entity.label == "PERSON" for analysis in analyses for entity in analysis.entities):
        return True
    return any(
        mention.use is not Use.THING and (not mention.swappable or mention.name in stay)
        for names in named
        for mention in names
    )


def _about_body(words: Words) -> bool:
    return not lexicon().classes["body"].isdisjoint(word.lower for word in words.words)
