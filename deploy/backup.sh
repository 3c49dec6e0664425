#!/bin/bash
# Backups of the database with its encrypted keys, and of the pictures in the data folder. Runs in the service `backup`
# of docker-compose.yml, and by a timer (docs/deploy.md) with other folders:
#
#   backup.sh daily            does `once` now and each day
#   backup.sh once             saves, and deletes backups that are older than BACKUP_DAYS
#   backup.sh save             saves
#   backup.sh restore <name>   replaces the database and the data folder; stop the app first
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
  echo "Saved $name."
}

prune() {
  rm -rf "$folder"/*.unfinished
  # Only what `save` has made: the folder may have a copy of the bucket, too.
  find "$folder" -mindepth 1 -maxdepth 1 -type d -name '2*Z' -mmin "+$((BACKUP_DAYS * 1440))" -exec rm -r {} +
}

restore() {
  local from="$folder/$1"
  # Both parts must be readable before anything is removed.
  pg_restore --list "$from/database.dump" > /dev/null
  tar --list --file="$from/data.tar" > /dev/null
  dropdb --if-exists --force --maintenance-db=postgres "$PGDATABASE"
  createdb --maintenance-db=postgres --encoding=UTF8 --template=template0 "$PGDATABASE"
  # The app gives its users their rights again when it starts.
  pg_restore --no-owner --no-privileges --exit-on-error --dbname="$PGDATABASE" "$from/database.dump"
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
