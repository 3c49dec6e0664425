# The app without its stores: see docker-compose.yml. Never built on this project's machines (docs/event-store.md).
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
RUN npm run build -- --production && npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A named volume takes the owner of what it covers.
RUN install --directory --owner=node --group=node /data
USER node
EXPOSE 3000
CMD ["node", "--max-semi-space-size=64", "--enable-source-maps", "dist/server/main.js"]
