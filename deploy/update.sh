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

# Waits until the check $1 of the process $2 succeeds. Ends the script with the sentence $3 after three minutes.
wait_for() {
  tries=0
  until "$1" "$2"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 180 ]; then
      echo "$3 Read: $COMPOSE logs $2" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$2 is ready."
}

[ "${1:-}" = --no-build ] || $COMPOSE build app1
for app in app1 app2; do
  $COMPOSE up -d --no-deps "$app"
  wait_for is_served "$app" "The proxy does not get $app ready; the other process was left as it is."
done
$COMPOSE up -d --no-deps worker
wait_for is_ready worker 'The worker does not get ready, so no scheduled work is done.'
