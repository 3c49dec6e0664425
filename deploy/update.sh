#!/bin/sh
# Builds the image and replaces the processes of the app one after the other, so that requests are answered meanwhile.
# COMPOSE is the command of compose and its options; without it, `docker compose` or `docker-compose`.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${COMPOSE:-}" ]; then
  if docker compose version > /dev/null 2>&1; then COMPOSE='docker compose'; else COMPOSE=docker-compose; fi
fi

[ "${1:-}" = --no-build ] || $COMPOSE build app1
for app in app1 app2; do
  $COMPOSE up -d --no-deps "$app"
  container=$($COMPOSE ps -q "$app")
  tries=0
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 180 ]; then
      echo "$app did not become healthy in three minutes; the other process was not touched. Read: $COMPOSE logs $app" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$app is ready."
done
