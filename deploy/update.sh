#!/bin/sh
# Builds the image and replaces the processes of the app one after the other, so that requests are answered meanwhile. The
# worker is the last one: its work waits for some seconds.
# With --no-build it takes the image that is there. COMPOSE is the command of compose and its options; without it, the
# script takes `docker compose` or `docker-compose`.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${COMPOSE:-}" ]; then
  if docker compose version > /dev/null 2>&1; then COMPOSE='docker compose'; else COMPOSE=docker-compose; fi
fi

# Whether the proxy sends requests to this process. It may see a process later than its health check does.
is_served() {
  $COMPOSE exec -T "$1" node --eval "
    fetch('http://proxy:8404/;csv')
      .then((answer) => answer.text())
      .then((states) => process.exit(/^app,$1,.*,UP,/m.test(states) ? 0 : 1))
      .catch(() => process.exit(1))" > /dev/null 2>&1
}

# Whether the worker works. The proxy does not know it.
is_ready() {
  $COMPOSE exec -T "$1" node --eval "
    fetch('http://127.0.0.1:' + process.env.PORT + '/readyz')
      .then(({ ok }) => process.exit(ok ? 0 : 1))
      .catch(() => process.exit(1))" > /dev/null 2>&1
}

[ "${1:-}" = --no-build ] || $COMPOSE build app1
for app in app1 app2; do
  $COMPOSE up -d --no-deps "$app"
  tries=0
  until is_served "$app"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 180 ]; then
      echo "The proxy does not get $app ready; the other process was left as it is. Read: $COMPOSE logs $app" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$app is ready."
done
$COMPOSE up -d --no-deps worker
tries=0
until is_ready worker; do
  tries=$((tries + 1))
  if [ "$tries" -gt 180 ]; then
    echo "The worker does not get ready, so no scheduled work is done. Read: $COMPOSE logs worker" >&2
    exit 1
  fi
  sleep 1
done
echo 'worker is ready.'
