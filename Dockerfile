# `npm run image:check` builds and starts it, with docker, podman or buildah.
# Debian, because the embedded PostgreSQL has no build for musl. Node 22.23.3; another base: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=docker.io/library/node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json ./clients/typescript/
COPY cli/package.json ./cli/
COPY bench/package.json ./bench/
RUN npm ci --ignore-scripts
COPY . .
# dist/ contains most packages. Of the others prune leaves those that npm ci has verified by their hash.
RUN npm run build && node scripts/published-manifest.js && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
# The official image has this user, another base may not.
RUN id node >/dev/null 2>&1 || useradd --uid 1000 --user-group node
RUN mkdir /data && chown node:node /data && ln -s /app/bin/rodado.js /usr/local/bin/rodado
USER node
VOLUME /data
EXPOSE 3000
# For Prometheus outside the container: METRICS_PORT=9100 METRICS_HOST=0.0.0.0, and METRICS_TOKEN where others reach that port.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["rodado", "serve"]
