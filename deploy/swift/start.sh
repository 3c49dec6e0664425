#!/bin/bash
# Runs all programs of Swift in a container, and makes the bucket `fanvas`. The container ends when one of them does.
set -euo pipefail
: "${AWS_SECRET_ACCESS_KEY:?Set it in .env, with AWS_ACCESS_KEY_ID=fanvas:app.}"
umask 077
random() { od --address-radix=n --format=x1 --read-bytes=24 /dev/urandom | tr --delete ' \n'; }
# Its secrets are a part of the place of each object, so they are kept with the objects.
if [ ! -s /srv/swift.conf ]; then
  sed --file=/dev/stdin /etc/swift/swift.conf > /srv/swift.conf.new <<END
s/PREFIX/$(random)/
s/SUFFIX/$(random)/
END
  mv /srv/swift.conf.new /srv/swift.conf
fi
cp /srv/swift.conf /etc/swift/swift.conf
mkdir -p /srv/node/disk
# Arguments can be read in the list of processes.
sed --in-place --file=/dev/stdin /etc/swift/proxy-server.conf <<END
s|^user_fanvas_app = .*|user_fanvas_app = $AWS_SECRET_ACCESS_KEY .admin|
END
cat > "$S3CMD_CONFIG" <<END
[default]
access_key = fanvas:app
secret_key = $AWS_SECRET_ACCESS_KEY
host_base = 127.0.0.1:8090
host_bucket = 127.0.0.1:8090
use_https = False
END

memcached --listen=127.0.0.1 &
for server in account container object proxy; do "swift-$server-server" "/etc/swift/$server-server.conf" --verbose & done
for worker in account-auditor container-auditor container-updater object-auditor object-updater; do
  "swift-$worker" "/etc/swift/${worker%-*}-server.conf" --verbose &
done
trap 'kill $(jobs -p); wait; exit 0' TERM INT
started=$(jobs -rp | wc -l)
until s3cmd --quiet mb s3://fanvas || s3cmd --quiet info s3://fanvas > /dev/null 2>&1; do
  sleep 1
  [ "$(jobs -rp | wc -l)" = "$started" ] || exit 1
done 2> /dev/null
wait -n
