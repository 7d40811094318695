"""The table of pairs as it is shown. Pure."""

import numpy as np

from dynaboard.comparison_schemas import Correction, Named, PairsView, PairView
from services.scoring.comparison_query import PairsQuery
from services.scoring.pairwise import Pairs, pairs
from services.scoring.query import METRIC_NAMES
from services.scoring.sureness import shown_number
from services.scoring.view import Shown

LEVEL = 0.05
MEANINGS: dict[Correction, str] = {
    "max-t": "The chance that any pair at all is wrongly called different is at most 5 %.",
    "by": "At most 5 % of the pairs called different are expected not to be, however they depend on one another.",
    "bh": "At most 5 % of the pairs called different are expected not to be, if their errors go together.",
    "none": "Not corrected: of the pairs that do not differ, 5 % are called different.",
}


def named(shown: Shown, row: int) -> Named:
    """The model in a row of the ranking, as this caller may know it."""
    entry = shown.entries[row]
    return Named(model_id=entry.model_id, name=entry.name, version=entry.version, owner=entry.owner_for(shown.caller))


def pairs_view(shown: Shown, query: PairsQuery) -> PairsView:
    """The page of pairs asked for, in the order of the board."""
    found = pairs(shown.uncertainty, query.correction)
    ids = np.array([entry.model_id for entry in shown.entries])
    wanted = np.arange(len(found.p))
    if query.model:
        wanted = wanted[(ids[found.better] == query.model) | (ids[found.worse] == query.model)]
    return PairsView(
        task=shown.task.name,
        correction=query.correction,
        meaning=MEANINGS[query.correction],
        models=[named(shown, row) for row in shown.uncertainty.rows],
        pairs=[_pair(found, place, ids.tolist()) for place in wanted[query.offset : query.offset + query.limit]],
        total=len(wanted),
        limit=query.limit,
        offset=query.offset,
        weights=dict(zip(METRIC_NAMES, shown.ranking.weights.tolist(), strict=True)),
        replicates=shown.uncertainty.scores.shape[-1],
        generated_at=shown.at,
    )


def _pair(found: Pairs, place: int, ids: list[str]) -> PairView:
    columns = ("difference", "low", "high", "probability", "p")
    return PairView(
        better=ids[found.better[place]],
        worse=ids[found.worse[place]],
        **{name: shown_number(getattr(found, name)[place]) or 0.0 for name in columns},
        adjusted_p=shown_number(found.adjusted[place]) or 0.0,
        different=bool(found.adjusted[place] < LEVEL),
    )
