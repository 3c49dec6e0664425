#!/bin/bash
# Backups of the database with its encrypted keys, and of the pictures in the data folder. Runs in the service `backup`
# of docker-compose.yml, and by a timer (docs/deploy.md) with other folders and the bucket BACKUP_BUCKET:
#
#   backup.sh daily            does `once` now and each day
#   backup.sh once             saves, and deletes backups that are older than BACKUP_DAYS
#   backup.sh save             saves
#   backup.sh restore <name>   replaces the database and the data folder, not the bucket; stop the app first
#   backup.sh list
set -euo pipefail
folder=${BACKUP_FOLDER:-/backups}
data=${BACKUP_DATA:-/data}

save() {
  local name
  name=$(date --utc +%Y-%m-%dT%H-%M-%SZ)
  mkdir "$folder/$name.unfinished"
  # The database first: the files of its pictures are then in the folder.
  pg_dump --format=custom --file="$folder/$name.unfinished/database.dump"
  # A picture that is deleted meanwhile is no reason to fail: tar says 1 then, and 2 for an error.
  tar --create --file="$folder/$name.unfinished/data.tar" --directory="$data" --exclude=./converted-media . || [ $? = 1 ]
  sync "$folder/$name.unfinished"/*
  mv "$folder/$name.unfinished" "$folder/$name"
  # The bucket last, for the same reason.
  if [ -n "${BACKUP_BUCKET:-}" ]; then save_bucket "$folder/$name"; fi
  echo "Saved $name."
}

# Copies the bucket into the backup $1. An object that the newest copy has is a hard link to that one: s3cmd replaces files
# and never writes into them. So a bucket that loses objects does not change older backups.
save_bucket() {
  local newest
  newest=$(find "$folder" -mindepth 2 -maxdepth 2 -path "$folder/2*Z/bucket" | sort | tail --lines=1)
  if [ -n "$newest" ]; then cp --archive --link "$newest" "$1/bucket.unfinished"; else mkdir "$1/bucket.unfinished"; fi
  # Without the slash at the end, s3cmd does not find the files that are there, and fetches all again.
  s3cmd --config="$BACKUP_S3CFG" --quiet --delete-removed sync "${BACKUP_BUCKET%/}/" "$1/bucket.unfinished/"
  mv "$1/bucket.unfinished" "$1/bucket"
}

prune() {
  rm -rf "$folder"/*.unfinished "$folder"/2*Z/*.unfinished
  # Only what `save` has made: the folder may have a copy of the bucket, too.
  find "$folder" -mindepth 1 -maxdepth 1 -type d -name '2*Z' -mmin "+$((BACKUP_DAYS * 1440))" -exec rm -r {} +
}

restore() {
  local from="$folder/$1"
  # Both parts must be readable before anything is removed.
  pg_restore --list "$from/database.dump" > /dev/null
  tar --list --file="$from/data.tar" > /dev/null
  dropdb --if-exists --force --maintenance-db=postgres "$PGDATABASE"
  # Makes the database with the name, the encoding and the locale that it had. The app gives its users their rights again
  # when it starts.
  pg_restore --create --no-owner --no-privileges --exit-on-error --dbname=postgres "$from/database.dump"
  find "$data" -mindepth 1 -delete
  tar --extract --file="$from/data.tar" --directory="$data" --numeric-owner --same-permissions
  echo "Restored $1."
}

case "${1:-}" in
  save) save ;;
  once)
    save
    prune
    ;;
  restore) restore "${2:?Name the backup: one of the list.}" ;;
  list) ls -1 "$folder" ;;
  daily)
    while true; do
      # A process of its own: in a condition, bash would go on after a command that fails.
      if bash "$0" once; then
        sleep 86400
      else
        echo 'The backup failed; the next try is in an hour. Older backups are kept.' >&2
        sleep 3600
      fi
    done
    ;;
  *)
    echo 'Choose one of: daily, once, save, restore <name>, list.' >&2
    exit 2
    ;;
esac
