import { isContact, isOrigin, list, text } from '../value-schemas.ts';
import {
  addressGroups,
  countOf,
  flag,
  HTTP_PROCESSES,
  limitOf,
  listenAddress,
  milliseconds,
  numberFrom,
  origins,
  PORT,
  port,
  PROCESSES,
  proxies,
  SERVERS,
  type VariableGroup,
  variables,
} from './variable.ts';

const SERVING_VARIABLES = variables({
  HOST: { ...listenAddress(), readBy: PROCESSES, description: 'Where the processes listen.' },
  PORT: { ...port(3_000), readBy: ['api', 'start'], description: 'The port of the API.' },
  GATEWAY_PORT: { ...port(3_001), readBy: ['gateway'], description: 'The port of a gateway that runs alone.' },
  WORKER_PORT: {
    ...PORT,
    readBy: ['worker', 'start'],
    description:
      'Where a worker serves /metrics, /healthz and /readyz, on HOST. Without it, nowhere; `npm start` takes 3002, or another port if that is taken.',
  },
  GATEWAY_IN_API: {
    ...flag(true),
    readBy: ['api'],
    description: 'Whether the API serves sockets too; false where gateways run alone.',
  },
  METRICS_ALLOWED_ADDRESSES: {
    ...addressGroups(['loopback']),
    readBy: PROCESSES,
    description:
      'Who may read /metrics, connecting directly: addresses, CIDR ranges, loopback, linklocal, uniquelocal (docs/operations/monitoring.md).',
  },
  API_DOCS: { ...flag(true), readBy: ['api'], description: 'Whether the API serves /docs and /openapi.json.' },
  API_PUBLIC_URL: {
    schema: text.refine(isOrigin),
    must: 'be the origin of the API as customers and merchants see it, like https://api.example',
    readBy: ['api', 'worker', 'dashboard'],
    example: 'https://api.example',
    description:
      "The API's origin as customers and merchants see it: payment links lead to it, and customers come back to it from the issuer's page. Without it there are no payment pages, and no 3-D Secure at Adyen.",
  },
  SECURITY_CONTACT: {
    schema: list()
      .refine((contacts) => contacts.every(isContact))
      .default([]),
    must: 'be a comma-separated list of addresses like mailto:security@example.com or https://example.com/report',
    readBy: ['api'],
    description: 'Where vulnerabilities are reported to. With it, the API serves /.well-known/security.txt.',
  },
  SOCKET_ORIGINS: {
    ...origins('https://shop.example'),
    readBy: SERVERS,
    description: 'Pages that may have sockets: origins, separated by commas. Without it, any page.',
  },
  CARD_FIELDS_ORIGINS: {
    ...origins('https://shop.example'),
    readBy: ['api'],
    description:
      'Pages that may embed the card fields of the checkout SDK: origins, separated by commas. Without it, any page over HTTPS.',
  },
  TLS_CERT_FILE: {
    schema: text,
    must: 'be the path of a certificate file',
    readBy: ['api', 'gateway', 'dashboard', 'codec-server'],
    description: 'A certificate (PEM). With it and its key, the processes speak HTTPS themselves, see [HTTPS](#https).',
  },
  TLS_KEY_FILE: {
    schema: text,
    must: 'be the path of a key file',
    readBy: ['api', 'gateway', 'dashboard', 'codec-server'],
    isSecret: true,
    description: 'The key of that certificate (PEM).',
  },
  TRUST_PROXY: {
    ...proxies(),
    readBy: HTTP_PROCESSES,
    description: 'Proxies whose X-Forwarded-* headers count: addresses, CIDR ranges, loopback, linklocal, uniquelocal.',
  },
  RATE_LIMIT_SANDBOX: {
    ...countOf('requests per minute', 100),
    readBy: SERVERS,
    description: 'Requests a minute of each sandbox key, signed ones for sockets included (docs/operations/limits.md).',
  },
  RATE_LIMIT_PRODUCTION: {
    ...countOf('requests per minute', 1_000),
    readBy: SERVERS,
    description: 'Requests a minute of each production key.',
  },
  RATE_LIMIT_UNAUTHENTICATED: {
    ...countOf('requests per minute', 100),
    readBy: HTTP_PROCESSES,
    description: 'Requests a minute of each address without a valid key.',
  },
  RATE_LIMIT_PERSON: {
    ...countOf('requests per minute', 600),
    readBy: SERVERS,
    description: 'Requests a minute of one person in the dashboard, in both environments together.',
  },
  RATE_LIMIT_SOCKETS: {
    ...countOf('requests per minute', 1_000),
    readBy: SERVERS,
    description: 'Requests a minute for sockets, signed or not, of each address in each process.',
  },
  CONNECTIONS_PER_ADDRESS: {
    ...numberFrom(1, 1_000_000, 1_000, 'be connections, 1 or more'),
    readBy: HTTP_PROCESSES,
    description:
      'Open connections of one address, sockets included, and its requests in flight, also behind a trusted proxy; in each process.',
  },
  SOCKETS_PER_ADDRESS: {
    ...numberFrom(1, 1_000_000, 1_000, 'be sockets, 1 or more'),
    readBy: SERVERS,
    description: 'Open sockets of one address, in each process.',
  },
  DECLINES_PER_CARD: {
    ...limitOf('declines per hour', 10),
    readBy: ['api'],
    description: 'Declines per hour of one card. This limit and the next three are ten times as high in the sandbox.',
  },
  DECLINES_PER_ADDRESS: {
    ...limitOf('declines per hour', 30),
    readBy: ['api'],
    description: "Declines per hour from one page's address.",
  },
  DECLINES_PER_BIN: {
    ...limitOf('declines per hour', 100),
    readBy: ['api'],
    description: 'Declines per hour of cards with the same first digits, in one account.',
  },
  DECLINES_PER_ACCOUNT: {
    ...limitOf('declines per hour', 1_000),
    readBy: ['api'],
    description: 'Declines per hour of an account whose confirms are mostly declined.',
  },
  CONFIRM_WAIT_MS: {
    ...milliseconds(100, 60_000, 15_000),
    readBy: ['api'],
    description: 'How long a confirm waits for the outcome before it answers "processing".',
  },
  FAILOVER_WITHIN_MS: {
    ...milliseconds(30_000, 3_600_000, 120_000),
    readBy: ['api'],
    description: 'How long after a confirm its further attempts may begin, at other providers.',
  },
  CONFIRM_TARGET_MS: {
    ...numberFrom(0, 60_000, 500, 'be milliseconds to 60000, or 0 for no limit'),
    readBy: ['api'],
    description:
      'How long the engine may take for a confirm, without its provider, before the API refuses further ones with 503.',
  },
});

export const SERVING = { title: 'API and gateway', variables: SERVING_VARIABLES } satisfies VariableGroup;
