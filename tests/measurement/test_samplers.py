"""One contract for every memory sampler, and their agreement on the same run."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers import (
    ControlGroup,
    MemoryUse,
    ProcessTree,
    Prometheus,
    Sampler,
    SamplerChoice,
    Version1,
    Version2,
    group_of,
    sampler_for,
)
from dynaboard.measurement.statistics import time_weighted_mean
from dynaboard.runtime import Limits, PodAddress, RemoteServer, start_server
from dynaboard.runtime.sandbox import sandbox_kind
from tests.measurement.memory_hog import MIB, Hog, RunningPrometheus, control_group, prometheus

HERTZ = 20.0
KINDS = ("process-tree", "cgroup-v1", "cgroup-v2", "prometheus")


@pytest.fixture
def hog() -> Iterator[Hog]:
    """A hog in a control group of its own, where that can be had."""
    with control_group() as folder, Hog(folder / "cgroup.procs" if folder else None) as hog:
        yield hog


@pytest.fixture(scope="module")
def one_prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPrometheus]:
    """One for all tests."""
    if not shutil.which("prometheus"):
        pytest.skip("prometheus is not installed: apt-get install prometheus")
    with prometheus(tmp_path_factory.mktemp("prometheus")) as running:
        yield running


@pytest.fixture
def cadvisor(one_prometheus: RunningPrometheus, hog: Hog) -> Iterator[RunningPrometheus]:
    """A Prometheus that scrapes the hog as cAdvisor tells it."""
    one_prometheus.hog = hog
    yield one_prometheus
    one_prometheus.hog = None


@pytest.fixture
def sampler(request: pytest.FixtureRequest, hog: Hog) -> Sampler:
    """The sampler of this name over the hog."""
    kind = request.param
    if kind == "prometheus":
        running: RunningPrometheus = request.getfixturevalue("cadvisor")
        return Prometheus(running.url, running.selector, running.scrape_s)
    if kind == "process-tree":
        return ProcessTree(hog.pids)
    group = group_of(hog.process.pid)
    if group is None or group.name != kind:
        pytest.skip(f"this machine has no {kind} memory group to make")
    return ControlGroup(group)


def run(sampler: Sampler, during: Callable[[], None], seconds: float = 0.0) -> MemoryUse:
    """A run with samples at 20 Hz while something happens, and so many seconds longer: 3 scrapes for Prometheus."""
    seconds = max(seconds, 1.5) if sampler.name == "prometheus" else seconds
    over = threading.Event()

    def take() -> None:
        while not over.wait(1 / HERTZ):
            sampler.take()

    sampler.begin()
    taking = threading.Thread(target=take)
    taking.start()
    during()
    time.sleep(seconds)  # a run lasts a while; nothing is waited for
    over.set()
    taking.join()
    return sampler.end()


every_sampler = pytest.mark.parametrize("sampler", KINDS, indirect=True)


@every_sampler
def test_held_memory_is_seen_within_3_percent(sampler: Sampler, hog: Hog) -> None:
    before = run(sampler, lambda: None, 0.1)
    hog.do("hold 300")
    after = run(sampler, lambda: None, 0.1)
    grown = time_weighted_mean(after.samples[-2:]) - time_weighted_mean(before.samples[-2:])
    assert grown == pytest.approx(300 * MIB, rel=0.03)


@every_sampler
def test_shared_memory_counts(sampler: Sampler, hog: Hog) -> None:
    before = run(sampler, lambda: None, 0.1)
    hog.do("share 200")
    after = run(sampler, lambda: None, 0.1)
    assert after.samples[-1][1] - before.samples[-1][1] == pytest.approx(200 * MIB, rel=0.03)


@every_sampler
def test_pages_of_files_do_not_count(sampler: Sampler, hog: Hog, tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"\1" * (100 * MIB))
    before = run(sampler, lambda: None, 0.1)
    hog.do(f"file {tmp_path}/weights")
    after = run(sampler, lambda: None, 0.1)
    assert after.samples[-1][1] - before.samples[-1][1] < 5 * MIB


@every_sampler
def test_samples_are_in_order_and_cover_the_run(sampler: Sampler, hog: Hog) -> None:
    hog.do("hold 50")
    use = run(sampler, lambda: None, 0.5)
    times = [at for at, _ in use.samples]
    assert times == sorted(times)
    assert times[0] <= 0.6
    assert times[-1] >= 0.5
    assert use.peak >= max(size for _, size in use.samples)
    assert use.peak_source in ("kernel", "samples")


@pytest.mark.parametrize("sampler", KINDS[:3], indirect=True)
def test_a_transient_of_50_ms_is_in_the_peak(sampler: Sampler, hog: Hog) -> None:
    hog.do("hold 100")
    for _ in range(5):
        use = run(sampler, lambda: hog.do("spike 600 0.05"), 0.1)
        if use.peak_source == "samples":
            pytest.skip("before Linux 6.12 a mark of cgroup v2 cannot be reset")
        assert 690 * MIB < use.peak < 740 * MIB


@pytest.mark.parametrize("sampler", KINDS[:3], indirect=True)
def test_the_peak_of_a_run_forgets_the_runs_before(sampler: Sampler, hog: Hog) -> None:
    run(sampler, lambda: hog.do("spike 600 0.05"))
    assert run(sampler, lambda: None, 0.2).peak < 200 * MIB


@pytest.mark.parametrize("sampler", KINDS[:3], indirect=True)
def test_pages_shared_after_a_fork_count_once(sampler: Sampler, hog: Hog) -> None:
    hog.do("hold 200")
    alone = run(sampler, lambda: None, 0.1)
    hog.do("fork")
    both = run(sampler, lambda: None, 0.3)
    assert both.samples[-1][1] - alone.samples[-1][1] < 10 * MIB


def test_all_agree_within_3_percent_on_the_same_run(hog: Hog, cadvisor: RunningPrometheus) -> None:
    hog.do("hold 200")
    hog.do("share 50")
    samplers: list[Sampler] = [ProcessTree(hog.pids), Prometheus(cadvisor.url, cadvisor.selector, cadvisor.scrape_s)]
    group = group_of(hog.process.pid)
    samplers += [ControlGroup(group)] if group else []
    means = _on_one_run(samplers)
    print({name: round(mean / MIB, 1) for name, mean in means.items()})
    assert max(means.values()) <= 1.03 * min(means.values())


def _on_one_run(samplers: list[Sampler]) -> dict[str, float]:
    for sampler in samplers:
        sampler.begin()
    until = time.monotonic() + 2
    while time.monotonic() < until:
        for sampler in samplers:
            sampler.take()
        time.sleep(1 / HERTZ)
    uses = [sampler.end() for sampler in samplers]
    return {use.sampler: time_weighted_mean(use.samples) for use in uses}


def test_the_model_servers_java_is_reported_apart(hog: Hog) -> None:
    with Hog() as java:
        java.do("hold 150")
        use = run(ProcessTree(hog.pids, java.pids), lambda: None, 0.1)
    assert use.samples[-1][1] < 50 * MIB
    assert use.server is not None
    assert use.server > 150 * MIB


def test_a_control_group_that_holds_java_too_gives_the_model_alone() -> None:
    with control_group() as folder:
        if folder is None:
            pytest.skip("no control group can be made here")
        with Hog(folder / "cgroup.procs") as model, Hog(folder / "cgroup.procs") as java:
            model.do("hold 100")
            java.do("hold 150")
            group = group_of(model.process.pid)
            assert group
            use = run(ControlGroup(group, java.pids), lambda: None, 0.1)
    assert use.samples[-1][1] == pytest.approx(100 * MIB, rel=0.15)
    assert use.server is not None
    assert use.server > 150 * MIB


class Served:
    """A model server of two hogs."""

    def __init__(self, model: Hog, java: Hog) -> None:
        self.worker_pids = model.pids
        self.server_pids = java.pids


def test_the_choice_falls_on_the_models_process_tree_where_it_has_no_group_of_its_own() -> None:
    with Hog() as plain, Hog() as java:
        assert sampler_for(Served(plain, java), SamplerChoice()).name == "process-tree"
        with pytest.raises(PlatformFailure, match="no control group of its own"):
            sampler_for(Served(plain, java), SamplerChoice("cgroup"))
        with pytest.raises(PlatformFailure, match="say where it is"):
            sampler_for(Served(plain, java), SamplerChoice("prometheus"))


def test_the_choice_falls_on_the_models_own_group_where_it_has_one() -> None:
    with control_group() as folder:
        if folder is None:
            pytest.skip("no control group can be made here")
        with Hog(folder / "cgroup.procs") as fenced, Hog() as java:
            assert sampler_for(Served(fenced, java), SamplerChoice()).name.startswith("cgroup-v")
            assert sampler_for(Served(fenced, java), SamplerChoice("process-tree")).name == "process-tree"


def test_what_the_server_takes_in_a_container_is_taken_off_what_prometheus_says(cadvisor: RunningPrometheus) -> None:
    assert cadvisor.hog
    cadvisor.hog.do("hold 100")
    sampler = Prometheus(cadvisor.url, cadvisor.selector, cadvisor.scrape_s, server_bytes=40 * MIB)
    use = run(sampler, lambda: None)
    assert use.server == 40 * MIB
    assert use.samples[-1][1] < 70 * MIB


def test_in_a_cluster_the_selector_names_the_models_pod(cadvisor: RunningPrometheus) -> None:
    assert cadvisor.hog
    cadvisor.hog.do("hold 100")
    remote = RemoteServer(PodAddress("m-1", "http://127.0.0.1:9", "http://127.0.0.1:9", "token"), Limits())
    choice = SamplerChoice("prometheus", cadvisor.url, 'pod="{pod}"', cadvisor.scrape_s)
    assert run(remote.host.sampler(remote, choice, HERTZ), lambda: None).samples[-1][1] > 90 * MIB


def test_prometheus_without_such_series_is_the_platforms_failure(cadvisor: RunningPrometheus) -> None:
    sampler = Prometheus(cadvisor.url, 'pod="other"', cadvisor.scrape_s)
    sampler.begin()
    with pytest.raises(PlatformFailure, match="holds no memory"):
        sampler.end()


def test_a_prometheus_that_is_not_there_is_the_platforms_failure() -> None:
    sampler = Prometheus("http://127.0.0.1:9", 'pod="m"', 0.2)
    sampler.begin()
    with pytest.raises(PlatformFailure, match="does not answer"):
        sampler.end()


STAT_V2 = "anon {anon}\nfile 5000000\nkernel 100000\nshmem 2000000\nfile_mapped 0\nanon_thp 0\n"


def test_version_2_is_read_by_the_same_definition(tmp_path: Path) -> None:
    """Laid out as Linux does: where no v2 memory group can be made, at least its files are understood."""
    (tmp_path / "memory.stat").write_text(STAT_V2.format(anon=100 * MIB))
    (tmp_path / "memory.current").write_text(f"{110 * MIB}\n")
    sampler = ControlGroup(Version2(tmp_path))
    sampler.begin()
    use = sampler.end()
    assert [size for _, size in use.samples] == [100 * MIB + 2_000_000] * 2


def test_a_container_whose_own_group_is_mounted_is_found_under_the_machines_name_for_it(tmp_path: Path) -> None:
    memberships = [line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines()]
    path = next((path for names, path in memberships if "memory" in names.split(",") and path != "/"), None)
    if path is None:
        pytest.skip("this machine has no memory group of version 1 that we are in")
    (tmp_path / "memory.stat").write_text("total_rss 1000\ntotal_shmem 20\n")
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"700 693 0:32 {path} {tmp_path} ro,nosuid - cgroup cgroup rw,memory\n")
    group = group_of(os.getpid(), mounts)
    assert group
    assert group.used() == 1020


def test_a_mark_that_cannot_be_reset_is_not_the_runs(tmp_path: Path) -> None:
    (tmp_path / "memory.stat").write_text(f"total_rss {100 * MIB}\n")
    (tmp_path / "memory.usage_in_bytes").write_text(str(110 * MIB))
    (tmp_path / "memory.max_usage_in_bytes").mkdir()  # so that nobody writes to it, root neither
    sampler = ControlGroup(Version1(tmp_path))
    sampler.begin()
    use = sampler.end()
    assert (use.peak, use.peak_source) == (100 * MIB, "samples")


def test_kills_for_want_of_memory_are_counted(tmp_path: Path) -> None:
    (tmp_path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 3\n")
    (tmp_path / "memory.events").write_text("low 0\noom 5\noom_kill 4\n")
    assert (Version1(tmp_path).killed(), Version2(tmp_path).killed()) == (3, 4)
    assert Version2(tmp_path / "nowhere").killed() == 0


def test_version_2_without_a_mark_tells_the_highest_sample(tmp_path: Path) -> None:
    (tmp_path / "memory.stat").write_text(STAT_V2.format(anon=100 * MIB))
    (tmp_path / "memory.current").write_text(f"{110 * MIB}\n")
    sampler = ControlGroup(Version2(tmp_path))
    sampler.begin()
    use = sampler.end()
    assert use.peak == 100 * MIB + 2_000_000
    assert use.peak_source == "samples"


def test_a_process_that_vanishes_under_way_is_no_error(hog: Hog) -> None:
    other = Hog()
    sampler = ProcessTree(lambda: [*hog.pids(), other.process.pid])
    sampler.begin()
    other.stop()
    assert sampler.end().samples[-1][1] > 0


HIDES_ITS_WEIGHTS = """
class Handler:
    def load(self, model_dir):
        for folder in ("/tmp", "/dev/shm"):
            with open(folder + "/weights", "wb") as file:
                file.write(bytes([1]) * (60 * 1024**2))

    def predict(self, examples):
        return [{"id": e["id"], "label": "positive"} for e in examples]
"""


def test_weights_hidden_in_the_sandboxs_folders_count_for_they_are_memory(tmp_path: Path) -> None:
    if sandbox_kind() != "bubblewrap":
        pytest.skip("without bubblewrap these folders are the host's")
    (tmp_path / "handler.py").write_text(HIDES_ITS_WEIGHTS)
    server = start_server(tmp_path, "handler.py:Handler", tmp_path / "run", Limits())
    try:
        server.wait_ready()
        use = run(sampler_for(server, SamplerChoice()), lambda: None, 0.1)
    finally:
        server.discard()
    assert use.sampler == "process-tree"
    assert 125 * MIB < use.samples[-1][1] < 200 * MIB
    assert use.server is not None
    assert use.server > 50 * MIB  # Java
