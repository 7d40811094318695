"""Engine `textflint`: the original package in a process and an environment of its own, its texts turned into edits."""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from difflib import SequenceMatcher
from hashlib import blake2b
from pathlib import Path
from subprocess import PIPE
from types import TracebackType
from typing import IO, Self

from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.edits import Edit, Example, Variant
from services.evaluator.perturbations.robustness.tokens import tokens

BRIDGE = Path(__file__).with_name("textflint_bridge.py")
KINDS = ("Contraction", "Keyboard", "Ocr", "Punctuation", "SpellingError", "Typos", "WordCase")


class TextFlint:
    """A running TextFlint; a context manager. `python` is an interpreter that has it, `cache` a folder it may fill.

    Reproducible per example: TextFlint draws from global generators, which are seeded for each (seed, kind, example),
    and its sets are in one order because hashes are not randomised.
    """

    _process: subprocess.Popen[str]
    _log: IO[str]

    def __init__(self, python: Path, cache: Path) -> None:
        if "textflint" in str(python.absolute()):
            raise PlatformFailure(
                f"TextFlint cannot run from {python}: it looks for its own name in paths. Rename the environment."
            )
        self._command = [str(python), "-P", str(BRIDGE), str(cache)]  # -P: this folder has a textflint.py of its own

    def __enter__(self) -> Self:
        environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
        environment.pop("PYTHONPATH", None)
        self._log = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            self._command, stdin=PIPE, stdout=PIPE, stderr=self._log, env=environment, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self._log.close()

    def texts(self, task: Task, example: Example, seed: int) -> Mapping[str, Mapping[str, str]]:
        """What TextFlint makes of an example: {kind: {field: text}}. Raises PlatformFailure when it has died."""
        kinds = [kind for kind in KINDS if task.labels or kind != "WordCase"]
        question = {
            "task": task.name,
            "fields": {field: example[field] for field in task.inputs},
            "answers": example.get("answers", []),
            "kinds": kinds,
            "seeds": [_seed(seed, kind, example["id"]) for kind in kinds],
        }
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise PlatformFailure(f"TextFlint stopped: {self._last_words()}")
        made: Mapping[str, Mapping[str, str]] = json.loads(answer)
        return made

    def variants(self, task: Task, example: Example, seed: int) -> list[Variant]:
        """The variants of an example, spacing damage and all; texts that equal their original are dropped."""
        found = []
        for kind, fields in self.texts(task, example, seed).items():
            changed = {name: text for name, text in fields.items() if name in task.perturbed("robustness")}
            edits = {field: align(example[field], text) for field, text in changed.items() if text != example[field]}
            if edits:
                found.append(Variant(kind, "", edits))
        return found

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()
        return lines[-1] if lines else "it said nothing"


def align(text: str, changed: str) -> tuple[Edit, ...]:
    """Edits that make `changed` of `text`, each a run of whole tokens and blanks."""
    (old, old_ends), (new, _) = tokens(text), tokens(changed)
    starts = [0, *old_ends]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    edits = (
        Edit(starts[first], starts[last], "".join(new[low:high]))
        for kind, first, last, low, high in blocks
        if kind != "equal"
    )
    return tuple(edit for edit in edits if text[edit.start : edit.end] != edit.text)


def _seed(seed: int, kind: str, identifier: str) -> int:
    return int.from_bytes(blake2b(f"{seed}:{kind}:{identifier}".encode(), digest_size=4).digest())
