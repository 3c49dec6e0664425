#!/bin/sh
# Starts the processes of this machine again with the current release and settings, one after the other, so that requests
# are answered meanwhile. When one does not become ready, the script ends and the others serve on (docs/deploy.md).
set -eu
for name in web1 web2 worker; do
  port=$(. "/etc/fanvas/$name.env" && echo "$PORT")
  systemctl restart "fanvas@$name"
  if ! curl --silent --fail --output /dev/null --retry 90 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz"; then
    echo "fanvas@$name does not become ready. Read: journalctl --unit=fanvas@$name" >&2
    exit 1
  fi
  echo "fanvas@$name is ready."
done
