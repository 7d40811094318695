"""What a slice of a board counts on its examples alone, and what it cannot, in words. Pure."""

from collections.abc import Collection, Mapping

SUITES = ("fairness", "robustness")
COSTS = (
    "Throughput and memory are measured on inputs of every length, whatever their tags: on a slice they have no "
    "meaning of their own, and are those of the whole board."
)


def slice_remarks(tag: str, datasets: Mapping[str, str], sliced: Collection[tuple[str, str]]) -> list[str]:
    """`datasets` are the names of the slice's datasets by digest; `sliced` the (dataset digest, suite) pairs on it."""
    remarks = [f"Slice '{tag}': performance counts on its examples only, datasets without it are left out. {COSTS}"]
    for suite in SUITES:
        on_slice = [name for digest, name in datasets.items() if (digest, suite) in sliced]
        whole = [name for digest, name in datasets.items() if (digest, suite) not in sliced]
        if not on_slice:
            remarks.append(f"{suite.capitalize()} is that of whole datasets: not every model has it on this slice.")
        elif whole:
            named = f"{', '.join(on_slice)}; of {', '.join(whole)} it is that of the whole"
            remarks.append(
                f"{suite.capitalize()} counts on the slice of {named}, which not every model has on the slice."
            )
        else:
            remarks.append(f"{suite.capitalize()} counts on the slice's examples only.")
    return remarks
