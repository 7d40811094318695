"""The reference models, built once for all tests of this folder."""

from pathlib import Path

import pytest

from examples.build import main

DATASETS = Path(__file__).parents[2] / "examples" / "datasets"


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a submitter's folder per reference model that needs no torch."""
    out = tmp_path_factory.mktemp("models")
    main([str(out)])
    return out
