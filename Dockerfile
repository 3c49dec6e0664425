# The app without its stores: see docker-compose.yml. `npm run test:image` builds it and runs it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# The bundle of the server has all packages but these two.
RUN npm run build -- --production && node scripts/lib/image-packages.mjs /packages reflect-metadata sharp

FROM node:24-bookworm-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /packages ./node_modules
COPY --from=build /app/dist ./dist
# `ledger verify` and the other command lines, also for `docker exec`
COPY deploy/fanvas-command /usr/local/bin/ledger
RUN for name in projections prices media keys migrate doctor; do ln -s ledger "/usr/local/bin/$name"; done
# A named volume takes owner and rights of what it covers. Any other user of the image has the group 0.
RUN install --directory --owner=node --group=0 --mode=775 /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "--enable-source-maps", "dist/server/main.js"]
