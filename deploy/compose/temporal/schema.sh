#!/bin/sh
# Brings Temporal's databases to the schema of this version. It may be repeated.
set -eu
set -a
. /secrets/env
set +a
for database in temporal temporal_visibility; do
  case $database in
    temporal) folder=temporal ;;
    *) folder=visibility ;;
  esac
  tool="temporal-sql-tool --plugin postgres12 --ep postgresql -p 5432 -u temporal --db $database"
  $tool setup-schema -v 0.0
  $tool update-schema -d "/etc/temporal/schema/postgresql/v12/$folder/versioned"
done
