"""TextFlint 0.1.0 behind one pipe: JSON lines in, JSON lines out. Run by the interpreter TextFlint is installed for.

    python textflint_bridge.py CACHE

CACHE is a folder for the resources TextFlint would fetch over plain http when it is imported; what the seven
transformations need of them is made here, from spaCy and from nlpaug's wheel (MIT). Nothing is downloaded.

A line in:  {"task": …, "fields": {name: text}, "answers": [text, …], "kinds": [name, …], "seeds": [whole number, …]}
A line out: {kind: {field: perturbed text}}, without the kinds and fields that TextFlint leaves alone.

This is the only file that knows TextFlint, which is GPL-3.0: it is no part of the services and imports none of them.
"""

import importlib.util
import json
import os
import random
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

WORDNET_FILES = [
    "lexnames",
    "index.sense",
    "cntlist.rev",
    *(f"{kind}.{part}" for kind in ("index", "data") for part in ("noun", "verb", "adj", "adv")),
    *(f"{part}.exc" for part in ("noun", "verb", "adj", "adv")),
]
KINDS = ("Contraction", "Keyboard", "Ocr", "Punctuation", "SpellingError", "Typos", "WordCase")


def prepare(cache: Path) -> None:
    """Fill the cache: an empty WordNet, spaCy's English tokenizer, nlpaug's keyboard and spelling files."""
    model = cache / "SPACY_MODEL" / "en_core_web_lg" / "en_core_web_lg-3.0.0"
    model.parent.mkdir(parents=True, exist_ok=True)
    import_module("spacy").blank("en").to_disk(model)
    for folder in ("NLTK_DATA/wordnet", "NLTK_DATA/corpora/wordnet"):
        (cache / folder).mkdir(parents=True, exist_ok=True)
        for name in WORDNET_FILES:
            (cache / folder / name).touch()
    for name in ("neighbour", "postag_dict"):
        (cache / "MRC_DATA").mkdir(exist_ok=True)
        (cache / "MRC_DATA" / f"{name}.json").write_text("{}")
    nlpaug = importlib.util.find_spec("nlpaug")
    if nlpaug is None or nlpaug.origin is None:
        raise ModuleNotFoundError("nlpaug is not installed beside TextFlint; its two resource files are needed")
    resources = Path(nlpaug.origin).parent / "res"
    (cache / "UT_DATA" / "keyboard").mkdir(parents=True, exist_ok=True)
    shutil.copy(resources / "char" / "keyboard" / "en.json", cache / "UT_DATA" / "keyboard")
    shutil.copy(resources / "word" / "spelling" / "spelling_en.txt", cache / "UT_DATA")
    (cache / "complete").touch()


# A sample of TextFlint's, and its fields that are transformed: our name for each, and theirs.
Sample = tuple[Any, dict[str, str]]
Fields = dict[str, str]


def samples() -> dict[str, Callable[[Fields, list[str]], Sample]]:
    """How an example of each task becomes a TextFlint sample."""
    kinds = import_module("textflint.input.component.sample")

    def plain(fields: Fields, answers: list[str]) -> Sample:
        ((name, text),) = fields.items()
        return kinds.UTSample({"x": text}), {name: "x"}

    def nli(fields: Fields, answers: list[str]) -> Sample:
        data = {"premise": fields["context"], "hypothesis": fields["hypothesis"], "y": "neutral"}
        return kinds.NLISample(data), {"context": "premise", "hypothesis": "hypothesis"}

    def qa(fields: Fields, answers: list[str]) -> Sample:
        context = fields["context"]
        places = [{"text": text, "answer_start": context.index(text)} for text in answers if text in context]
        data = {**fields, "answers": places, "title": "", "is_impossible": False}
        return kinds.MRCSample(data), {"context": "context"}

    return {"nli": nli, "qa": qa, "sentiment": plain, "hate-speech": plain}


def transform(sample: Any, names: dict[str, str], transformation: Any) -> Fields:
    """The perturbed fields of one sample by our names; {} where TextFlint makes no variant."""
    fields = list(names.values())
    made = transformation.transform(sample, n=1, field=fields if len(fields) > 1 else fields[0])
    after = made[0].dump() if made else {}
    return {name: after[theirs] for name, theirs in names.items() if theirs in after}


def serve(replies: TextIO) -> None:
    """Answer lines until there are no more."""
    numpy, engine = import_module("numpy"), import_module("textflint.generation.transformation.UT")
    make, transformations = samples(), {kind: getattr(engine, kind)() for kind in KINDS}
    for line in sys.stdin:
        asked = json.loads(line)
        answer = {}
        for kind, seed in zip(asked["kinds"], asked["seeds"], strict=True):
            random.seed(seed)
            numpy.random.seed(seed)
            try:
                sample, names = make[asked["task"]](asked["fields"], asked["answers"])
                answer[kind] = transform(sample, names, transformations[kind])
            except (AssertionError, IndexError, ValueError) as refused:  # what it raises for texts it cannot take
                print(f"{kind}: {refused!r}", file=sys.stderr)
                answer[kind] = {}
        replies.write(json.dumps(answer) + "\n")
        replies.flush()


def main() -> None:
    """Prepare once, then serve. TextFlint prints to stdout, so the replies get a descriptor of their own."""
    cache = Path(sys.argv[1]).resolve()
    os.environ["TR_CACHE_DIR"] = str(cache)
    os.environ["NLTK_DATA"] = str(cache / "NLTK_DATA")
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if not (cache / "complete").exists():
        prepare(cache)
    serve(replies)


if __name__ == "__main__":
    main()
