# Not tested yet: no container engine was available. See CHANGELOG.md.
# Debian, because the embedded PostgreSQL has no build for musl.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json ./clients/typescript/
COPY cli/package.json ./cli/
COPY bench/package.json ./bench/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/clients/typescript/package.json ./clients/typescript/
COPY --from=build /app/clients/typescript/dist ./clients/typescript/dist
COPY --from=build /app/cli/package.json ./cli/
COPY --from=build /app/cli/dist ./cli/dist
COPY --from=build /app/cli/help ./cli/help
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
RUN mkdir /data && chown node:node /data && ln -s /app/bin/rodado.js /usr/local/bin/rodado
USER node
VOLUME /data
EXPOSE 3000
# For Prometheus outside the container: METRICS_PORT=9100 METRICS_HOST=0.0.0.0, and METRICS_TOKEN where others reach that port.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/rodado.js", "serve"]
