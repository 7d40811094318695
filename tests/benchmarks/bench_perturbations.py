"""How fast the builtin perturbations are beside TextFlint, nlpaug and AugLy, on the same texts in one run.

Targets: 10 x TextFlint per core at 10 and at 55 words; all variants of 9,824 pairs (the size of SNLI's test set) within
20 s.

Run from the repository's root: `.venv/bin/python tests/benchmarks/bench_perturbations.py`. The peers are measured where
DYNABOARD_TEXTFLINT_PYTHON, DYNABOARD_NLPAUG_PYTHON and DYNABOARD_AUGLY_PYTHON name interpreters that have them.
The docs say how to install TextFlint; the others: `pip install nlpaug==1.1.11 numpy pandas requests` and, apart
as it wants another nlpaug, `pip install "augly[text]" numpy pandas requests nltk`. Times are CPU times.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter, process_time

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[2] / "shared")]

from dynaboard.nlp_tasks import TASKS  # noqa: E402 (after the path, so that it runs from a plain checkout)
from services.evaluator.perturbations.robustness import ROBUSTNESS  # noqa: E402
from services.evaluator.perturbations.robustness.spelling import known_errors  # noqa: E402
from services.evaluator.perturbations.robustness.textflint import BRIDGE  # noqa: E402
from services.evaluator.perturbations.robustness.tokens import STOP_WORDS  # noqa: E402
from services.evaluator.perturbations.robustness.words import common_words  # noqa: E402
from services.evaluator.perturbations.variants import variants  # noqa: E402

TEXTS, PAIRS, LENGTHS = 2_000, 9_824, (10, 55)
FUNCTION_WORDS = sorted(STOP_WORDS)

TEXTFLINT = """
import json, os, sys, time
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
import textflint_bridge as bridge
cache = Path(sys.argv[2])
os.environ.update(TR_CACHE_DIR=str(cache), NLTK_DATA=str(cache / "NLTK_DATA"))
bridge.prepare(cache)
sys.path.pop(0)
from textflint.generation.transformation import UT
from textflint.input.component.sample import UTSample
for name, texts in json.load(sys.stdin).items():
    for kind in bridge.KINDS:
        transformation = getattr(UT, kind)()
        for part in texts:
            start = time.process_time()
            for text in part:
                transformation.transform(UTSample({"x": text}), n=1, field="x")
            rate = len(part) / (time.process_time() - start)
        print("RATE", name, kind, rate)
"""
# The others' own calls, with what they do by default; {name: what changes one text}.
NLPAUG = """
import nlpaug.augmenter.char as char, nlpaug.augmenter.word as word
changes = {"Keyboard": char.KeyboardAug(), "Ocr": char.OcrAug(), "SpellingError": word.SpellingAug()}
changes = {kind: augmenter.augment for kind, augmenter in changes.items()}
"""
AUGLY = """
import augly.text as augly
changes = {
    "Contraction": augly.Contractions(), "Ocr": augly.ReplaceSimilarChars(), "Typos": augly.SimulateTypos(),
    "WordCase": augly.ChangeCase(granularity="all", cadence=1.0, case="upper"),
}
"""
MEASURING = """
import json, sys, time
for name, texts in json.load(sys.stdin).items():
    for kind, change in changes.items():
        for part in texts:
            start = time.process_time()
            for text in part:
                change(text)
            rate = len(part) / (time.process_time() - start)
        print("RATE", name, kind, rate)
"""


# By the number of words: one part to warm the caches of every engine, one to measure.
Given = dict[str, list[list[str]]]
# Texts per second by (number of words, kind).
Rates = dict[tuple[str, str], float]


def texts(words: int, count: int, seed: int) -> list[str]:
    """Sentences of made-up sense: a third function words, most others common, one in six from the whole dictionary."""
    random, common, rare = Random(seed), sorted(known_errors()), sorted(common_words())

    def word() -> str:
        draw = random.random()
        return random.choice(FUNCTION_WORDS if draw < 1 / 3 else common if draw < 5 / 6 else rare)

    return [" ".join(word() for _ in range(words)).capitalize() + "." for _ in range(count)]


def given_texts() -> Given:
    """ANLI's hypotheses (10 words) and contexts (55 words) where DYNABOARD_DATA has them, else sentences made up."""
    files = sorted(Path(os.environ.get("DYNABOARD_DATA") or ".").glob("nli/anli-r?-dev.jsonl.gz"))
    rows = [json.loads(line) for path in files for line in gzip.decompress(path.read_bytes()).splitlines()]
    Random(0).shuffle(rows)
    print("texts: ANLI dev" if rows else "texts: made up; real ones with DYNABOARD_DATA=FOLDER")
    half = min(len(rows) // 2, TEXTS)
    parts = (rows[:half], rows[half : 2 * half])
    if rows:
        fields = zip(LENGTHS, ("hypothesis", "context"), strict=True)
        return {str(words): [[row[field] for row in part] for part in parts] for words, field in fields}
    return {str(words): [texts(words, TEXTS, words), texts(words, TEXTS, 1_000 + words)] for words in LENGTHS}


def builtin_rates(given: Given) -> Rates:
    """Texts per second of one core for each length and kind, checks included; "all seven" in one call, as in use."""
    rates = {}
    chosen = {kind: [perturbation] for kind, perturbation in ROBUSTNESS.items()}
    for name, parts in given.items():
        for kind, perturbations in {**chosen, "all seven": list(ROBUSTNESS.values())}.items():
            for part in parts:
                examples = [{"id": str(number), "statement": text} for number, text in enumerate(part)]
                start = process_time()
                for example in examples:
                    variants(TASKS["sentiment"], example, perturbations, 0)
                rates[name, kind] = len(examples) / (process_time() - start)
    return rates


def peer_rates(setting: str, script: str, given: Given, *arguments: str) -> Rates:
    """The same of a peer, measured within its own process; nothing where the setting names no interpreter."""
    python = os.environ.get(setting)
    if not python:
        print(f"{setting} is not set: not measured")
        return {}
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    command = [python, "-W", "ignore", "-c", script, *arguments]
    done = subprocess.run(command, input=json.dumps(given), env=environment, capture_output=True, text=True, check=True)
    rows = (line.split() for line in done.stdout.splitlines() if line.startswith("RATE"))
    return {(name, kind): float(rate) for _, name, kind, rate in rows}


def count_variants(numbers: range) -> int:
    """All robustness variants of some pairs of 14 and 8 words, as SNLI's are."""
    contexts, hypotheses = texts(14, len(numbers), numbers.start), texts(8, len(numbers), 10_000 + numbers.start)
    rows = zip(numbers, contexts, hypotheses, strict=True)
    examples = ({"id": str(number), "context": one, "hypothesis": other} for number, one, other in rows)
    return sum(len(variants(TASKS["nli"], example, ROBUSTNESS.values(), 0)) for example in examples)


def main() -> None:
    """Print a row for each length and kind, then the time of a whole dataset on two cores."""
    print("load of this machine: {:.1f} {:.1f} {:.1f}, cores: {}".format(*os.getloadavg(), os.cpu_count()))
    given = given_texts()
    with tempfile.TemporaryDirectory() as cache:
        textflint = peer_rates("DYNABOARD_TEXTFLINT_PYTHON", TEXTFLINT, given, str(BRIDGE.parent), cache)
    for words in given if textflint else ():
        textflint[words, "all seven"] = 1 / sum(1 / rate for (length, _), rate in textflint.items() if length == words)
    nlpaug = peer_rates("DYNABOARD_NLPAUG_PYTHON", NLPAUG + MEASURING, given)
    augly = peer_rates("DYNABOARD_AUGLY_PYTHON", AUGLY + MEASURING, given)
    print(f"{'words':>5} {'transformation':14} {'builtin/s':>9} {'TextFlint/s':>18} {'nlpaug/s':>18} {'AugLy/s':>18}")
    for (words, kind), rate in builtin_rates(given).items():
        peers = (peer.get((words, kind)) for peer in (textflint, nlpaug, augly))
        shown = "".join(f"{peer:>10,.0f} ({rate / peer:>4.1f} x)" if peer else " " * 19 for peer in peers)
        print(f"{words:>5} {kind:14} {rate:>9,.0f} {shown}")
    start = perf_counter()
    with ProcessPoolExecutor(2) as pool:
        found = sum(pool.map(count_variants, [range(PAIRS // 2), range(PAIRS // 2, PAIRS)]))
    print(f"{found:,} variants of {PAIRS:,} pairs in {perf_counter() - start:.1f} s on two cores; target 20 s")


if __name__ == "__main__":
    main()
