# One image for every process; the command says which (docs/deployment.md). To pin the base, give its digest as well:
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
# A registry of your own: --secret id=npmrc,src=$HOME/.npmrc. The image does not keep that file.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# What the processes need, as `npm run package` writes it: compiled files, production packages, bill of materials, licences.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm run package -- /opt/payment-engine
# The base image trusts no authority. Node needs no file for that, but Temporal's native client does, where TLS has no file of its own.
RUN node --print "require('node:tls').rootCertificates.join('\n')" > /opt/ca-certificates.crt

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="payment-engine" \
      org.opencontainers.image.description="A payment engine: one durable Temporal workflow per payment intent, behind a signed REST API." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${NODE_IMAGE}"
# Package managers are of no use to a process, and of some to an intruder. A simulator keeps its ledger in /data, a volume.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
    && install --directory --owner=10001 --group=10001 /data
# The files belong to root, and the process to a user who may only read them.
COPY --from=build /opt/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /opt/payment-engine /opt/payment-engine
WORKDIR /opt/payment-engine
ENV NODE_ENV=production \
    HOST=0.0.0.0
USER 10001:10001
EXPOSE 3000 3001 3002 3003
# Of the API, by HTTPS if it has a certificate. Other processes are asked on their own ports: healthcheck.js 3002 /readyz
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 \
  CMD ["/bin/sh", "-c", "exec node dist/scripts/healthcheck.js 3000 /readyz \"$TLS_CERT_FILE\""]
# Node is the first process and gets the signals itself: every process drains on SIGTERM, also while it starts.
ENTRYPOINT ["node"]
CMD ["dist/api/main.js"]
