"""Memory of a container by two accounts at once: nothing that is held escapes the one, and no moment the other."""

from pathlib import Path

from dynaboard.measurement.samplers import ControlGroup, ProcessTree, Version1
from dynaboard.runtime.pod.container import Both
from tests.measurement.memory_hog import MIB, Hog


def test_the_account_tells_the_samples_and_the_processes_marks_the_peak(tmp_path: Path) -> None:
    (tmp_path / "memory.stat").write_text(f"total_rss {40 * MIB}\ntotal_shmem {60 * MIB}\n")
    (tmp_path / "memory.usage_in_bytes").write_text(str(110 * MIB))
    (tmp_path / "memory.max_usage_in_bytes").mkdir()  # a mark that nobody can reset, as in a container
    with Hog() as hog:
        sampler = Both(ControlGroup(Version1(tmp_path)), ProcessTree(hog.pids))
        sampler.begin()
        hog.do("spike 300 0.01")
        sampler.take()
        use = sampler.end()
    assert {size for _, size in use.samples} == {100 * MIB}
    assert (use.sampler, use.peak_source) == ("cgroup-v1", "kernel")
    assert 300 * MIB < use.peak < 400 * MIB
