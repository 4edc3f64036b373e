#!/bin/sh
# Makes the namespace where it is missing. It fails while the server starts, and is then run again.
set -eu
temporal operator cluster health --address "$TEMPORAL_ADDRESS"
temporal operator namespace describe --address "$TEMPORAL_ADDRESS" --namespace "$NAMESPACE" ||
  temporal operator namespace create --address "$TEMPORAL_ADDRESS" --namespace "$NAMESPACE" --retention "$RETENTION"
