"""Who is next: whoever has been given the least, so that one owner's hundred models do not keep another's waiting."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Each = TypeVar("Each")


def in_turn(
    waiting: Iterable[Each],
    owner: Callable[[Each], str],
    seconds: Callable[[Each], float],
    served: Mapping[str, float],
) -> list[Each]:
    """All of them, each next one of the owner with the least machine time so far; of one owner in the given order.

    `served` are the seconds that each owner has had lately; ties go by name.
    """
    queues: dict[str, list[Each]] = {}
    for each in waiting:
        queues.setdefault(owner(each), []).append(each)
    had = {name: served.get(name, 0.0) for name in queues}
    ordered: list[Each] = []
    places = dict.fromkeys(queues, 0)
    while places:
        name = min(places, key=lambda name: (had[name], name))
        each = queues[name][places[name]]
        ordered.append(each)
        had[name] += max(seconds(each), 1.0)
        places[name] += 1
        if places[name] == len(queues[name]):
            del places[name]
    return ordered
