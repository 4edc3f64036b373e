#!/bin/sh
# Starts the server with the password that only it can read.
set -eu
set -a
. /secrets/env
set +a
exec /etc/temporal/entrypoint.sh
