"""spaCy's word on a text: the familiar entities in it and, where a trained pipeline is installed, all others.

Our gazetteer is an EntityRuler of a blank English pipeline: a trained recogniser finds people but cannot tell which of
them everybody knows. Imported when first needed: spaCy takes half a second.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from services.evaluator.perturbations.fairness.lexicon import familiar_entities
from services.evaluator.perturbations.robustness.words import common_words

if TYPE_CHECKING:
    from spacy.language import Language

# OntoNotes kinds whose name a first name may be part of; numbers and times are none of them.
NAMED = frozenset({"ORG", "GPE", "LOC", "FAC", "PRODUCT", "WORK_OF_ART", "EVENT", "NORP", "LAW", "LANGUAGE"})
# Texts remembered; one batch of `warm` must be smaller.
REMEMBERED = 20_000
BATCH = 256


class Entity(NamedTuple):
    """text[start:end] is an entity of spaCy's kind `label`; `familiar`: it stands in our gazetteer."""

    start: int
    end: int
    label: str
    familiar: bool


class Analysis(NamedTuple):
    """Entities in order, and for each "her" whether a tagger calls it possessive, by its place."""

    entities: tuple[Entity, ...]
    possessive: dict[int, bool]


class Guard:
    """The gazetteer and the first installed of `pipelines`, loaded once. Same text, same analysis."""

    def __init__(self, pipelines: tuple[str, ...]) -> None:
        self._gazetteer = _gazetteer()
        self._trained = _installed(pipelines)
        self._analyses: dict[str, Analysis] = {}

    def analysis(self, text: str) -> Analysis:
        """What spaCy says of one text."""
        if text not in self._analyses:
            self.warm([text])
        return self._analyses[text]

    def warm(self, texts: Iterable[str]) -> None:
        """Analyse texts together, which a trained pipeline does several times faster than one by one."""
        new = [text for text in dict.fromkeys(texts) if text not in self._analyses]
        if len(self._analyses) + len(new) > REMEMBERED:
            self._analyses.clear()
        familiar = self._gazetteer.pipe(new, batch_size=BATCH)
        trained = self._trained.pipe(new, batch_size=BATCH) if self._trained else [None] * len(new)
        for text, known, doc in zip(new, familiar, trained, strict=True):
            entities = [Entity(entity.start_char, entity.end_char, entity.label_, True) for entity in known.ents]
            possessive = {}
            if doc is not None:
                entities += [
                    Entity(entity.start_char, entity.end_char, entity.label_, False)
                    for entity in doc.ents
                    if entity.label_ in NAMED or entity.label_ == "PERSON"
                ]
                possessive = {token.idx: token.tag_ == "PRP$" for token in doc if token.lower_ == "her" and token.tag_}
            self._analyses[text] = Analysis(tuple(sorted(entities)), possessive)

    def describe(self) -> dict[str, str]:
        """spaCy's version and the pipeline's name and version, for manifests."""
        from spacy.about import __version__

        trained = "blank en, entity_ruler"
        if self._trained is not None:
            meta = self._trained.meta
            trained = f"{meta['lang']}_{meta['name']} {meta['version']}, blank en, entity_ruler"
        return {"spacy": __version__, "pipeline": trained}


@cache
def guard(pipelines: tuple[str, ...]) -> Guard:
    """The guard of these pipelines, one for a process."""
    return Guard(pipelines)


@cache
def _gazetteer() -> "Language":
    import spacy

    nlp = spacy.blank("en")
    # String patterns: those made of token attributes are a hundred times slower.
    ruler: Any = nlp.add_pipe("entity_ruler")
    patterns = []
    for label, entity in familiar_entities():
        # A single word in lower case is a word ("prince", "trump"), in capitals it may be; several are the entity.
        spellings = {entity} | ({entity.lower(), entity.upper()} if " " in entity else set())
        if entity.lower() not in common_words():
            spellings.add(entity.upper())
        spellings |= {spelling.replace("'", "’") for spelling in spellings}
        patterns += [{"label": label, "pattern": spelling} for spelling in sorted(spellings)]
    ruler.add_patterns(patterns)
    return nlp


def _installed(pipelines: tuple[str, ...]) -> "Language | None":
    if not pipelines:
        return None
    import spacy

    for name in pipelines:
        if spacy.util.is_package(name):
            return spacy.load(name, exclude=["parser", "lemmatizer"])
    return None
