# The API with the built client. Without a DATABASE_URL it starts a Postgres of its own in /data; with Postgres, an event store
# and a proxy as services beside it: docker-compose.yml.
FROM node:24-bookworm-slim AS packages
WORKDIR /nova
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev

FROM packages AS build
COPY tsconfig.json ./
COPY scripts scripts
COPY libs libs
COPY apps apps
RUN npm run build

FROM packages AS runtime-packages
# npm leaves two that nothing loads here: the compiler, which is an optional peer of @nestjs/swagger, and sharp's WebAssembly.
RUN npm prune --omit=dev \
  && rm -rf node_modules/typescript node_modules/@typescript node_modules/@img/sharp-wasm32

FROM node:24-bookworm-slim
# Takes pictures of members' videos and converts what browsers do not play. Debian mends its faults: build the image anew for them.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/*
# Names the build in health, metrics and logs: --build-arg NOVA_COMMIT="$(git rev-parse HEAD)"
ARG NOVA_COMMIT=""
ENV NODE_ENV=production NOVA_DATA_DIR=/data PORT=3000 FFMPEG_PATH=/usr/bin/ffmpeg NOVA_COMMIT=$NOVA_COMMIT
WORKDIR /nova
COPY --from=runtime-packages /nova/node_modules node_modules
COPY --from=build /nova/dist dist
COPY package.json ./
# Secrets that are not given and, without an S3 store, members' files: a volume that all servers of an installation share.
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
# Live, not ready: a server whose database is away must not be killed for it. The proxy looks at /health/ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell or npm between, so that SIGTERM reaches the server.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "--no-allocation-site-pretenuring", "dist/apps/api/src/main.js"]
