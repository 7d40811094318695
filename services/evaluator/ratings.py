"""The reference model's rating on a hardware profile: found when the profile is first seen, used from then on."""

import asyncio
from dataclasses import asdict, replace

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from dynaboard.measurement import Profile
from dynaboard.measurement.reference import Rating, Reference, rated
from dynaboard.tables import ReferenceRating
from services.evaluator.bench import Bench


async def with_rating(bench: Bench, reference: Reference, hardware: str, protocol: str, profile: Profile) -> Reference:
    """The reference with its rating on this hardware profile; inside the measuring slot. Raises PlatformFailure."""
    known = await asyncio.to_thread(_known, bench, hardware, protocol)
    if known is None:
        known = await asyncio.to_thread(_kept, bench, hardware, protocol, await rated(reference, profile))
    return replace(reference, rating=known)


def _known(bench: Bench, hardware: str, protocol: str) -> float | None:
    query = select(ReferenceRating.value).filter_by(hardware_profile=hardware, protocol_version=protocol)
    with bench.database.begin() as db:
        return db.scalar(query)


def _kept(bench: Bench, hardware: str, protocol: str, rating: Rating) -> float:
    """Store a rating, and return the one that is stored: another evaluator may have been first."""
    row = {
        "hardware_profile": hardware,
        "protocol_version": protocol,
        "value": rating.value,
        "low": rating.low,
        "high": rating.high,
        "provenance": {"blocks": [asdict(block) for block in rating.blocks], "quiet": asdict(rating.quiet)},
    }
    with bench.database.begin() as db:
        db.execute(insert(ReferenceRating).values(row).on_conflict_do_nothing())
    return _known(bench, hardware, protocol) or rating.value
