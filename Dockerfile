# The service on Node alone: production packages, slimmed, nothing of the build. Runs as `node` and needs to write /data and /tmp
# only. docs/docker.md says how to build and run it.
ARG NODE_IMAGE=node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

FROM ${NODE_IMAGE} AS packages
# Whether uWebSockets.js is installed where there is a binary of it with a known sum (x64); else `ws` serves.
ARG UWEBSOCKETS=1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY media/socket/install-uws.mjs media/socket/
RUN if [ "$UWEBSOCKETS" = 1 ]; then node media/socket/install-uws.mjs --omit=dev; fi
COPY slim.mjs ./
RUN npm run slim -- --own-node

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    APP_ENV=production \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/compile-cache \
    npm_config_cache=/tmp/npm \
    npm_config_update_notifier=false
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY . .
# A start finds it here: the container's own files are read-only.
RUN node --disable-warning=ExperimentalWarning start-cache-make.mjs
USER node
VOLUME /data
EXPOSE 5060/udp 5060/tcp 8080 8081 20000-29999/udp
# Of both processes. Where each has a container of its own, docker-compose.yml asks each by itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "api/health-check.ts", "/readyz"]
ENTRYPOINT ["node", "supervise.mjs"]
CMD ["start"]
