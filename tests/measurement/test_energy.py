"""Energy from counters laid out as the kernel and NVIDIA's driver do: counted, wrapped around, or left blank."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.energy import Counter, EnergyBlock, energy, meter

NO_NVML = "libthere-is-no-such-library.so"
WRAP_UJ = 262_143_328_850
# A library with the five functions that are called: one card of 250 J, growing by 10 J a call.
NVML_SOURCE = """
typedef void *card;
static unsigned long long energy = 250000;
int nvmlInit_v2(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 1; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, card *found) { *found = (card)1; return 0; }
int nvmlDeviceGetTotalEnergyConsumption(card which, unsigned long long *value)
{ *value = energy; energy += 10000; return which == (card)1 ? 0 : 2; }
"""


def zone(root: Path, place: str, name: str, energy_uj: int) -> Path:
    """One power zone as /sys/class/powercap shows it."""
    folder = root / place
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "name").write_text(name + "\n")
    (folder / "max_energy_range_uj").write_text(f"{WRAP_UJ}\n")
    (folder / "energy_uj").write_text(f"{energy_uj}\n")
    return folder


def test_a_machine_without_counters_gives_no_meter(tmp_path: Path) -> None:
    assert meter(tmp_path, NO_NVML) is None
    assert meter(tmp_path / "nothing", NO_NVML) is None


def test_packages_and_their_memory_count_and_what_is_inside_them_does_not(tmp_path: Path) -> None:
    zones = [
        zone(tmp_path, place, name, 1_000_000)
        for place, name in (
            ("intel-rapl:0", "package-0"),
            ("intel-rapl:0:0", "core"),
            ("intel-rapl:0:1", "uncore"),
            ("intel-rapl:0:2", "dram"),
            ("intel-rapl:1", "package-1"),
            ("intel-rapl:2", "psys"),
            ("intel-rapl-mmio:0", "package-0"),
        )
    ]
    found = meter(tmp_path, NO_NVML)
    assert found
    assert found.names == ("rapl intel-rapl:0 package-0", "rapl intel-rapl:0:2 dram", "rapl intel-rapl:1 package-1")
    for folder in zones:
        (folder / "energy_uj").write_text("6000000")
    assert found.joules() == pytest.approx(15.0)


def test_a_counter_that_wraps_around_goes_on_counting(tmp_path: Path) -> None:
    package = zone(tmp_path, "intel-rapl:0", "package-0", WRAP_UJ - 5_000_000)
    found = meter(tmp_path, NO_NVML)
    assert found
    (package / "energy_uj").write_text("3000000")
    assert found.joules() == pytest.approx(8.0)
    (package / "energy_uj").write_text("4000000")
    assert found.joules() == pytest.approx(9.0)


@given(st.lists(st.floats(min_value=0, max_value=99), min_size=1, max_size=50))
def test_any_steps_shorter_than_a_wrap_add_up(steps: list[float]) -> None:
    total, shown = 0.0, [0.0]
    counter = Counter("test", lambda: shown[0], 100.0)
    for step in steps:
        total += step
        shown[0] = total % 100.0
        counter.joules()
    assert counter.joules() == pytest.approx(total, abs=1e-6)


def test_a_counter_that_may_not_be_read_leaves_everything_blank(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", "package-0", 0)
    second = zone(tmp_path, "intel-rapl:1", "package-1", 0)
    (second / "energy_uj").unlink()
    (second / "energy_uj").mkdir()  # reading it fails, for root too
    assert meter(tmp_path, NO_NVML) is None


def test_graphics_cards_count_by_their_drivers_library(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler to make a library with")
    (tmp_path / "nvml.c").write_text(NVML_SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / "nvml.so", tmp_path / "nvml.c"], check=True)
    found = meter(tmp_path / "none", str(tmp_path / "nvml.so"))
    assert found
    assert found.names == ("nvml 0",)
    assert found.joules() == pytest.approx(10.0)
    assert found.joules() == pytest.approx(20.0)


def test_what_the_idle_machine_takes_is_taken_off() -> None:
    block = EnergyBlock(seconds=2.0, joules=100.0, examples=500, idle_watts=20.0)
    assert block.per_thousand == pytest.approx((100 - 40) / 500 * 1000)


def test_the_median_of_blocks_is_given_with_its_interval() -> None:
    blocks = [EnergyBlock(1.0, 30.0 + n, 100, 10.0) for n in range(8)]
    found = energy(("rapl",), blocks)
    assert found
    assert [found.low, found.value, found.high] == pytest.approx([200.0, 235.0, 270.0])


def test_work_that_does_not_stand_out_from_idle_is_left_blank() -> None:
    blocks = [EnergyBlock(1.0, 10.0 + (n - 4) / 10, 100, 10.0) for n in range(8)]
    assert energy(("rapl",), blocks) is None
