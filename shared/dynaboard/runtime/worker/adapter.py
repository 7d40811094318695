"""Between TorchServe and a submitter's handler: a list in, a list out, and every exception as words for its author."""

import importlib.util
import json
import os
import sys
import traceback
from typing import Any

LONGEST_MESSAGE = 400


class Adapter:
    """Loads one handler and calls it. Failures become replies, so that the author learns why."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.model_dir = job["model_dir"]
        self.file, _, self.class_name = job["handler"].partition(":")
        self.largest_reply = job["largest_reply"]
        self.failure: dict[str, str] | None = None
        self.handler: Any = None

    def load(self) -> None:
        """Import the handler and load the model, once; what goes wrong is told on the first request."""
        print(f"loading {self.file}:{self.class_name}", file=sys.stderr, flush=True)
        os.chdir(self.model_dir)
        sys.path.insert(0, self.model_dir)
        where = f"importing {self.file}"
        try:
            handler_class = getattr(self._module(), self.class_name)
            where = f"{self.class_name}.load()"
            handler = handler_class()
            handler.load(self.model_dir)
            self.handler = handler
        except BaseException as error:  # whatever a stranger's code raises, sys.exit() too, is for its author
            self.failure = _told(where, error)

    def _module(self) -> Any:
        name = os.path.splitext(os.path.basename(self.file))[0]
        spec = importlib.util.spec_from_file_location(name, os.path.join(self.model_dir, self.file))
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.file} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    def handle(self, requests: list[dict[str, Any]]) -> list[str]:
        """Answer one request: a list of examples, or an object, which asks how the loading went."""
        body = requests[0]["body"]
        if self.failure is not None:
            return [json.dumps({"failure": self.failure})]
        if isinstance(body, dict):
            return [json.dumps({"loaded": True, "torch": "torch" in sys.modules})]
        return [self._predict(body)]

    def _predict(self, examples: list[dict[str, Any]]) -> str:
        where = f"{self.class_name}.predict()"
        try:
            reply = json.dumps({"answers": self.handler.predict(examples)}, default=_plain, separators=(",", ":"))
        except BaseException as error:
            return json.dumps({"failure": _told(where, error)})
        if len(reply) > self.largest_reply:
            size = f"{len(reply):,} bytes for {len(examples)} examples; at most {self.largest_reply:,} are allowed"
            return json.dumps({"failure": {"where": where, "type": "TooLarge", "message": size}})
        return reply


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy and torch as Python's own, so that an author need not convert them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"predict() returned a {type(value).__name__}, which JSON cannot carry")


def _told(where: str, error: BaseException) -> dict[str, str]:
    traceback.print_exception(error, limit=-30)
    sys.stderr.flush()
    out_of_memory = isinstance(error, MemoryError) or "can't allocate memory" in str(error)
    kind = "MemoryError" if out_of_memory else type(error).__name__
    return {"where": where, "type": kind, "message": " ".join(str(error).split())[:LONGEST_MESSAGE]}
