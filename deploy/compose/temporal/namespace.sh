#!/bin/sh
# Makes the namespace where it is missing, and else sets its retention. It fails while the server starts, and is then run again.
set -eu
temporal operator cluster health --address "$TEMPORAL_ADDRESS"
if temporal operator namespace describe --address "$TEMPORAL_ADDRESS" --namespace "$NAMESPACE"; then
  temporal operator namespace update --address "$TEMPORAL_ADDRESS" --namespace "$NAMESPACE" --retention "$RETENTION"
else
  temporal operator namespace create --address "$TEMPORAL_ADDRESS" --namespace "$NAMESPACE" --retention "$RETENTION"
fi
