# The service on Node alone: production packages, slimmed, nothing of the build. Runs as `node` and needs to write /data and /tmp
# only. docs/docker.md says how to build and run it.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS packages
# The official release of uWebSockets.js, which its makers publish on GitHub only; empty leaves it out, and `ws` serves.
ARG UWEBSOCKETS_TAG=v20.51.0
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
RUN if [ -n "$UWEBSOCKETS_TAG" ]; then npm install --no-save --omit=dev \
      "https://codeload.github.com/uNetworking/uWebSockets.js/tar.gz/refs/tags/$UWEBSOCKETS_TAG"; fi
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
USER node
VOLUME /data
EXPOSE 5060/udp 5060/tcp 8080 8081 20000-29999/udp
# Of both processes. Where each has a container of its own, docker-compose.yml asks each by itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "api/health-check.ts", "/readyz"]
ENTRYPOINT ["node", "supervise.mjs"]
CMD ["start"]
