# Debian's Prometheus in the place of the official image, for machines that reach no registry.
FROM python:3.11-slim-bookworm
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends prometheus wget && rm -rf /var/lib/apt/lists/* \
    && install -d -o nobody /prometheus
USER nobody
