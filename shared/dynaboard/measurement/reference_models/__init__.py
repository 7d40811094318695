"""The reference model and its inputs: the same on every machine, so that its speed is the machine's."""

from pathlib import Path
from random import Random

from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Limits, ModelServer, start_server

FOLDER = Path(__file__).parent
HANDLER = "handler.py:Handler"
# All of them in one request, of fifteen milliseconds: what the server costs a request, which varies with the host by a
# fifth of itself, is then a small part. Of short requests it is a quarter, and moves every ratio by several percent.
BATCH_SIZE, INPUTS = 64, 64
TASK = Task("reference", "The reference model's own", ("work",), ("first", "second", "third"), "accuracy", 1.0)
_SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "wu", "za")


def echo_task(task: Task) -> Task:
    """The same inputs as `task`, answered by an echo."""
    return Task("echo", "Inputs that nothing is done with", task.inputs, ("same",), "accuracy", 1.0)


def inputs() -> list[dict[str, str]]:
    """The reference's examples: 20 to 60 made-up words each."""
    random = Random("dynaboard reference inputs")
    return [{"id": str(number), "work": " ".join(_words(random))} for number in range(INPUTS)]


def _words(random: Random) -> list[str]:
    return ["".join(random.choices(_SYLLABLES, k=random.randint(1, 4))) for _ in range(random.randint(20, 60))]


def start_reference(run_dir: Path, limits: Limits) -> ModelServer:
    """Start the reference model as a submission is started, with our own Python. Raises PlatformFailure."""
    return start_server(FOLDER, HANDLER, run_dir, limits)
