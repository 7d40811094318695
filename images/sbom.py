"""Writes an image's bill of materials, CycloneDX 1.6 in JSON: its Python and Debian packages, and the page's from npm.

python sbom.py NAME VERSION SITE_PACKAGES... [PACKAGE_LOCK.json] > sbom.json      (inside the image)
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageMetadata, distributions
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, License, LicenseExpression
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

INSTALLED = "${db:Status-Status} ${Package} ${Version} ${Architecture}\n"


def bill(name: str, version: str, components: Sequence[Component]) -> str:
    """The document for the application `name`."""
    bom = Bom(components=components)
    whole = Component(name=name, version=version, type=ComponentType.APPLICATION, bom_ref=name)
    bom.metadata.component = whole
    bom.register_dependency(whole, components)
    return make_outputter(bom, OutputFormat.JSON, SchemaVersion.V1_6).output_as_string(indent=1)


def python_packages(folders: Sequence[str]) -> Iterator[Component]:
    """What lies in these folders for Python to import."""
    for found in distributions(path=list(folders)):
        name = found.name.lower().replace("_", "-")
        yield _component("pypi", name, found.version, _licence(found.metadata))


def _licence(said: PackageMetadata) -> License | None:
    if said["License-Expression"]:
        return LicenseExpression(value=said["License-Expression"])
    name = said["License"]
    # Some put the whole text there.
    return DisjunctiveLicense(name=name) if name and "\n" not in name else None


def debian_packages() -> Iterator[Component]:
    """What dpkg has installed."""
    listed = subprocess.run(["dpkg-query", "-W", f"-f={INSTALLED}"], capture_output=True, text=True, check=True).stdout
    for state, name, version, architecture in (line.split() for line in listed.splitlines()):
        if state == "installed":
            yield _component("deb", name, version, namespace="debian", qualifiers={"arch": architecture})


def npm_packages(lock: Path) -> Iterator[Component]:
    """What the page is made of, tools for building it left out."""
    for place, package in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
        if place and not package.get("dev"):
            namespace, _, name = place.rpartition("node_modules/")[2].rpartition("/")
            yield _component("npm", name, package["version"], namespace=namespace or None)


def _component(
    kind: str,
    name: str,
    version: str,
    licence: License | None = None,
    namespace: str | None = None,
    qualifiers: dict[str, str] | None = None,
) -> Component:
    url = PackageURL(kind, namespace, name, version, qualifiers)
    licences = [licence] if licence else []
    return Component(name=name, version=version, purl=url, bom_ref=str(url), licenses=licences)


if __name__ == "__main__":
    title, number, *places = sys.argv[1:]
    locks = [Path(place) for place in places if place.endswith(".json")]
    folders = [place for place in places if not place.endswith(".json")]
    page = [component for lock in locks for component in npm_packages(lock)]
    print(bill(title, number, [*python_packages(folders), *debian_packages(), *page]))
