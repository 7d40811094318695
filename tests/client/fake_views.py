"""What the fake gateway answers, in the shapes of dynaboard.schemas."""

from typing import Any

NOW = "2026-01-02T03:04:05Z"
ANSWER = {"id": "0", "label": "positive", "prob": {"positive": 0.91, "negative": 0.06, "neutral": 0.03}}
REASON = "Example 7 (number 1): the label 'good' is not one of positive, negative, neutral."
UNITS = {"performance": "%", "throughput": "examples/s", "memory": "GiB", "fairness": "%"}


def submission(submission_id: str, status: str) -> dict[str, Any]:
    """A SubmissionView."""
    return {
        "id": submission_id,
        "model_id": "m" * 32,
        "task": "sentiment",
        "name": "tfidf",
        "owner": "ada",
        "version": 1,
        "kind": "model",
        "created_at": NOW,
        "updated_at": NOW,
    } | at(status)


def at(status: str) -> dict[str, Any]:
    """The fields of a SubmissionView that change on its way."""
    done = {"submitted": 0, "running": 250}.get(status, 1000)
    return {
        "status": status,
        "step": "predicting reviews" if status == "running" else None,
        "queue_position": 3 if status == "submitted" else None,
        "eta_seconds": 125.0 if status == "running" else None,
        "reason": REASON if status == "failed" else None,
        "failure": "model" if status == "failed" else None,
        "evaluations": [evaluation(done)] if status != "submitting" else [],
    }


def evaluation(done: int) -> dict[str, Any]:
    """An EvaluationView of 1,000 examples."""
    return {
        "dataset": "reviews",
        "dataset_version": 2,
        "role": "scoring",
        "status": "finished" if done == 1000 else "running",
        "done": done,
        "total": 1000,
        "examples_per_second": 6.0 if done else None,
        "eta_seconds": 125.0 if 0 < done < 1000 else None,
    }


def model() -> dict[str, Any]:
    """A ModelView with one finished version."""
    return {
        "id": "m" * 32,
        "task": "sentiment",
        "name": "tfidf",
        "owner": "ada",
        "anonymous": False,
        "published": False,
        "created_at": NOW,
        "card": {"summary": "Words counted.", "licence": "MIT", "languages": ["en"], "parameters": None},
        "versions": [submission("5" * 32, "finished")],
    }


def dataset(name: str, version: int) -> dict[str, Any]:
    """A DatasetView."""
    return {
        "id": f"{version}" * 32,
        "task": "sentiment",
        "name": name,
        "version": version,
        "digest": "d" * 64,
        "role": "scoring",
        "phase": "test-unlabelled",
        "active": True,
        "licence": "CC-BY-4.0",
        "citation": "Nobody, 2026",
        "description": "",
        "examples": 1000,
        "size": 1,
        "labels": {},
        "tags": {},
        "created_at": NOW,
    }


def cell(metric: str, value: float, margin: float | None) -> dict[str, Any]:
    """A CellView."""
    ends = {} if margin is None else {"low": value - margin, "high": value + margin / 2}
    return {"metric": metric, "value": value, "n": 1000, "unit": UNITS.get(metric, "%"), **ends}


def score(on: str, metric: str, value: float) -> dict[str, Any]:
    """A ScoreView."""
    where = {"dataset": on, "dataset_version": 1, "dataset_digest": "d" * 64, "role": "scoring"}
    return cell(metric, value, 1.5) | where | {"metric_version": "1", "created_at": NOW}


def row(rank: int | None, name: str, values: dict[str, float]) -> dict[str, Any]:
    """A LeaderboardRow."""
    return {
        "rank": rank,
        "score": None if rank is None else 70.0 / rank,
        "rank_low": rank and 1,
        "rank_high": rank and 2,
        "tie_group": rank and 1,
        "model_id": "m" * 32,
        "submission_id": "5" * 32,
        "name": name,
        "version": 1,
        "owner": None if name == "secret" else "ada",
        "digest": "d" * 64,
        "verified": name != "secret",
        "baseline": name == "majority",
        "published": True,
        "metrics": {metric: cell(metric, values[metric], 1.5) if metric in values else None for metric in UNITS},
        "flags": ["unverified"] if name == "secret" else [],
        "missing": [] if rank else ["performance on tweets"],
    }


def board(task: str) -> dict[str, Any]:
    """A LeaderboardView of three models; nobody has fairness."""
    rows = [
        row(1, "tfidf", {"performance": 81.25, "throughput": 1234.5, "memory": 0.25}),
        row(2, "majority", {"performance": 7.5, "throughput": 98765.0, "memory": 0.125}),
        row(None, "secret", {"throughput": 3.0}),
    ]
    return {
        "task": task,
        "aggregation": "dynascore",
        "rows": rows,
        "total": 4,
        "limit": 3,
        "offset": 0,
        "sort": "score",
        "order": "descending",
        "base_metric": "performance",
        "weights": {"performance": 0.5, "throughput": 0.25, "memory": 0.25, "fairness": 0.0},
        "dataset_weights": {"reviews": 1.0},
        "datasets": [],
        "units": UNITS,
        "amrs": {},
        "exchange_rates": {},
        "kept_pairs": {},
        "excluded": {"fairness": "No model has a value yet."},
        "epsilon": {},
        "memory_budget_gib": 32.0,
        "hardware_profile": None,
        "pool": [],
        "explanations": ["One GiB of memory saved is worth 2.1 points of performance here."],
        "warnings": ["A leaderboard is not the whole story."],
        "generated_at": NOW,
    }


def key(key_id: str, label: str) -> dict[str, Any]:
    """A KeyView."""
    return {"id": key_id, "label": label, "created_at": NOW, "revoked_at": None}


TASK = {
    "name": "sentiment",
    "title": "Sentiment analysis",
    "inputs": ["statement"],
    "labels": ["positive", "negative", "neutral"],
    "answer_field": "label",
    "performance_metric": "accuracy",
    "default_weights": {"performance": 1.0},
    "example": {"statement": "Fine."},
    "settings_version": 0,
    "settings": {},
}


PREVIEW = {
    "original": {"statement": "James is kind."},
    "variants": [
        {
            "kind": "name_ethnicity",
            "group": "black-male",
            "fields": {
                "statement": [
                    {"original": "James", "variant": "Jamal", "edited": True},
                    {"original": " is kind.", "variant": " is kind.", "edited": False},
                ]
            },
        }
    ],
}


def hardware() -> list[dict[str, Any]]:
    """HardwareViews: a machine that measured much, and one that is hardly known."""
    limits = {"threads": 1, "memory_bytes": 4 * 2**30}
    rating = {"protocol_version": "2-full", "value": 1234.0, "low": 1200.0, "high": 1260.0, "created_at": NOW}
    return [
        {
            "fingerprint": "3f2a9c0d5b7e",
            "description": {"cpu": "A quick one", "cores": 2, "memory_gib": 24, "limits": limits},
            "models": 7,
            "ratings": [rating],
            "canary": {"drift": -0.12, "limit": 0.1, "steady": False, "measured_at": NOW},
            "created_at": NOW,
        },
        {
            "fingerprint": "0123456789ab",
            "description": {"cpu": "Another"},
            "models": 0,
            "ratings": [],
            "canary": None,
            "created_at": NOW,
        },
    ]
