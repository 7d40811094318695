"""What travels over HTTP, as pydantic models; used by the services, the client and the tests alike."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

TaskName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$", examples=["sentiment"])]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,61}$", examples=["tfidf-sentiment"])]
UserName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$", examples=["ada"])]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Schema(BaseModel):
    """Unknown keys are refused: a typing error in a field's name is told, not ignored."""

    model_config = ConfigDict(extra="forbid")


class ErrorBody(Schema):
    """Every error: its class and one sentence."""

    error: str = Field(examples=["NotFound"])
    detail: str = Field(examples=["There is no such thing, or it is not yours to see."])


class SubmissionCreate(Schema):
    """Announces an archive; its parts follow."""

    task: TaskName
    name: Name
    size: int = Field(gt=0, le=10**18, description="Bytes of the archive.")
    sha256: Digest | None = Field(None, description="Checked when the upload is complete.")
    publish: bool = Field(False, description="Show the model on the leaderboard as soon as it is ranked.")
    anonymous: bool = Field(False, description="Hide the owner from everybody else.")


class SubmissionCreated(Schema):
    """Where to send the parts: PUT parts/1, parts/2 …, each of part_size bytes but the last."""

    id: str
    model_id: str
    version: int
    part_size: int
    parts: int


class PartsView(Schema):
    """What of an archive has arrived."""

    part_size: int
    parts: int
    received: list[int]
    restarted: bool = Field(False, description="The platform lost what had arrived; send every part again.")


class Complete(Schema):
    """Ends an upload."""

    sha256: Digest


class EvaluationView(Schema):
    """The progress on one dataset or on a perturbed copy of it."""

    dataset: str
    dataset_version: int
    role: str
    perturbation: str = Field("", description="Empty for the dataset itself, else fairness or robustness.")
    status: str
    done: int
    total: int
    spared: int | None = Field(None, description="Texts that the perturbations left unchanged, so nothing is run.")
    examples_per_second: float | None = None
    eta_seconds: float | None = None


class SubmissionView(Schema):
    """One version of a model, and how far its evaluation is."""

    id: str
    model_id: str
    task: str
    name: str
    owner: str | None
    version: int
    kind: str
    status: str
    step: str | None = None
    reason: str | None = None
    failure: str | None = None
    digest: str | None = None
    size: int = 0
    verified: bool = True
    published: bool = False
    anonymous: bool = False
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    queue_position: int | None = None
    eta_seconds: float | None = None
    evaluations: list[EvaluationView] = []


class ModelView(Schema):
    """A model with its versions and the card of the newest one."""

    id: str
    task: str
    name: str
    owner: str | None
    anonymous: bool
    published: bool
    baseline: bool = False
    created_at: datetime
    card: dict[str, Any] | None = None
    versions: list[SubmissionView] = []


class ModelChange(Schema):
    """What an owner may change; left out means as it is."""

    published: bool | None = None
    anonymous: bool | None = None


class Overlap(Schema):
    """Examples that another dataset of the task has too."""

    dataset: str
    version: int
    phase: str
    hidden: bool
    exact: int = Field(description="With the very same inputs.")
    near: int = Field(description="The same but for case, punctuation, accents and blanks; the exact ones among them.")


class Repeats(Schema):
    """Examples of a dataset that are not its own alone."""

    exact: int = Field(description="Examples whose very inputs occur earlier in the dataset.")
    near: int = Field(description="The same but for case, punctuation, accents and blanks; the exact ones among them.")
    overlaps: list[Overlap] = Field(description="Other datasets of the task that share examples, most first.")


class DatasetView(Schema):
    """One version of a dataset; never its examples."""

    id: str
    task: str
    name: str
    version: int
    digest: str
    role: Literal["scoring", "standard", "hidden"]
    phase: str = Field(description="training, test-unlabelled or labels-released, as of now.")
    unlabelled_from: datetime | None = Field(None, description="When the inputs are opened.")
    released_from: datetime | None = Field(None, description="When the labels are released and scores computed.")
    active: bool
    licence: str
    citation: str
    description: str
    examples: int
    size: int
    labels: dict[str, int]
    tags: dict[str, int]
    repeats: Repeats | None = Field(None, description="None for one that was added before this was looked for.")
    backfill: str | None = Field(
        None,
        description="When it was just added: what running the models there are on it takes.",
        examples=["47 models × 1 dataset, about 3 h on 2 evaluators"],
    )
    created_at: datetime


class DatasetChange(Schema):
    """What a task's owner may change; left out means as it is."""

    role: Literal["scoring", "standard", "hidden"] | None = Field(
        None, description="scoring: ranked; standard: reported, not ranked; hidden: for task owners only."
    )
    active: bool | None = Field(None, description="Whether models are run on this version; one of a dataset at most.")
    unlabelled_from: AwareDatetime | None = Field(None, description="When the inputs are opened; null: at once.")
    released_from: AwareDatetime | None = Field(None, description="When the labels are released; null: no date yet.")


class PreviewPiece(Schema):
    """A piece of a text before and after a perturbation."""

    original: str
    variant: str
    edited: bool


class PreviewVariant(Schema):
    """One variant of an example; only the fields that change, cut into pieces."""

    kind: str = Field(description="What was done.", examples=["Keyboard"])
    group: str = Field(description="Between whom; empty where nobody is meant.", examples=["black-white"])
    fields: dict[str, list[PreviewPiece]] = Field(
        description="Joining the pieces' `original` gives the text of the dataset, joining `variant` the perturbed one."
    )


class PerturbationPreview(Schema):
    """An example as a model sees it, with its variants."""

    original: dict[str, str]
    variants: list[PreviewVariant]


class PerturbRequest(Schema):
    """A text of one's own to perturb, with the input fields of its task."""

    task: TaskName
    example: dict[str, str | list[str]]
    draw: int = Field(0, ge=0, le=10**6, description="Another number gives other slips and other names.")


class PredictRequest(Schema):
    """Examples to try on a model, each with the input fields of its task."""

    examples: list[dict[str, str | list[str]]] = Field(min_length=1, max_length=32)


class PredictResponse(Schema):
    """The model's answers, in order, and how long it took."""

    submission_id: str
    answers: list[dict[str, Any]]
    milliseconds: float
    started_now: bool = Field(description="Whether the model had to be started first.")


class UserCreate(Schema):
    """A new user."""

    name: UserName
    role: Literal["reader", "submitter", "task-owner", "admin"] = "submitter"


class KeyCreate(Schema):
    """A further API key."""

    label: str = Field("", max_length=64, pattern=r"^[^\x00-\x1f\x7f]*$", examples=["laptop"], description="Its use.")
    user: UserName | None = Field(None, description="For whom; only administrators may name somebody else.")


class KeyCreated(Schema):
    """A new API key, shown this once."""

    id: str
    user: str
    role: str
    key: str


class KeyView(Schema):
    """An API key without its secret."""

    id: str
    label: str
    created_at: datetime
    revoked_at: datetime | None = None


class WhoAmI(Schema):
    """Whose key this is."""

    name: str
    role: str
