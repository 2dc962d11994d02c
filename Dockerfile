# syntax=docker/dockerfile:1

# The packages are fetched by any Node; the one that runs Sluice is among them.
FROM node:24-bookworm-slim AS dashboard
WORKDIR /opt/sluice
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/package.json
COPY scripts/setup.mjs scripts/setup.mjs
RUN node scripts/setup.mjs
COPY scripts/build-dashboard.ts scripts/build-dashboard.ts
COPY src/adapters/dashboard src/adapters/dashboard
COPY src/snippets src/snippets
COPY dashboard dashboard
RUN node scripts/build-dashboard.ts

# Without what only the dashboard is built of.
FROM node:24-bookworm-slim AS packages
WORKDIR /opt/sluice
COPY package.json package-lock.json .npmrc ./
RUN npm ci --workspaces=false --omit=dev --include=optional --no-fund --no-audit && npm cache clean --force

FROM debian:bookworm-slim
# tini is process 1: it passes signals on and reaps what is left behind. The Node among the packages needs libatomic.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libatomic1 tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin sluice \
  && install -d -o sluice -g sluice -m 0700 /data /var/cache/sluice
WORKDIR /opt/sluice
COPY --from=packages /opt/sluice/node_modules node_modules
COPY package.json LICENSE CHANGELOG.md ./
COPY bin bin
COPY docs docs
COPY src src
COPY --from=dashboard /opt/sluice/dashboard/dist dashboard/dist

ENV SLUICE_HOST=0.0.0.0 \
  SLUICE_PORT=8080 \
  SLUICE_DATA_DIR=/data \
  NODE_COMPILE_CACHE=/var/cache/sluice
USER sluice
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["/opt/sluice/node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.SLUICE_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "/opt/sluice/bin/sluice"]
CMD ["serve"]
