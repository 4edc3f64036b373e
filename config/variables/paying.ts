import { z } from 'zod';
import {
  list,
  secretsByName,
  text,
  toAccounts,
  toApiUrls,
  toRequestLimits,
  toSimulators,
  wholeNumber,
} from '../value-schemas.ts';
import { ENGINE, flag, httpUrl, milliseconds, numberFrom, type VariableGroup, variables } from './variable.ts';

export const WEBHOOK_SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
export const SHORTEST_API_KEY = 16;

function days(byDefault: number) {
  return numberFrom(1, 3_650, byDefault, 'be days from 1 to 3650');
}

const PROVIDER_VARIABLES = variables({
  SIMULATORS: {
    schema: list().transform(toSimulators).default([]),
    must: 'be name=address pairs like alpha=http://127.0.0.1:4001,beta=http://127.0.0.1:4002',
    readBy: ['api', 'worker', 'demo', 'dashboard'],
    example: 'alpha=http://127.0.0.1:4001,beta=http://127.0.0.1:4002',
    description: 'Simulators that the engine may call, as name=address pairs.',
  },
  SIMULATOR_API_KEYS: {
    schema: secretsByName((key) => key.length >= SHORTEST_API_KEY).default(new Map()),
    must: 'be name=key pairs like alpha=…,beta=…, each with a key of its own of 16 characters or more',
    readBy: ENGINE,
    isSecret: true,
    example: 'alpha=its_key,beta=its_own_key',
    description: 'The key of each simulator, with which it is called. None may be that of another one.',
  },
  SIMULATOR_WEBHOOK_SECRETS: {
    schema: secretsByName((secret) => WEBHOOK_SECRET.test(secret)).default(new Map()),
    must: 'be name=secret pairs like alpha=whsec_…,beta=whsec_…, each with a secret of its own of 24 bytes or more in base64',
    readBy: ENGINE,
    isSecret: true,
    example: 'alpha=whsec_…,beta=whsec_…',
    description: 'The secret of each simulator, with which it signs its webhooks. None may be that of another one.',
  },
  PROVIDER_API_URLS: {
    schema: list().transform(toApiUrls).default(new Map()),
    must: 'be kind=address pairs like simulator=http://127.0.0.1:4001, each of a kind of provider',
    readBy: ENGINE,
    example: 'simulator=http://127.0.0.1:4001',
    description:
      "Where the APIs of providers are at which merchants have accounts, by kind, if not at the vendor's own address. Accounts of the kind simulator need it; `npm start` sets it to the first simulator. In production only https is used.",
  },
  PROVIDER_REQUESTS_PER_SECOND: {
    schema: list().transform(toRequestLimits).default(new Map()),
    must: 'be kind=number pairs like stripe=12,adyen=50, each of a kind with a vendor, and a number from 1 to 9999',
    readBy: ['worker'],
    example: 'stripe=12',
    description:
      "How many requests a second a worker process sends for one account at stripe, adyen or cashfree: the account's limit divided by the number of worker processes. Without it 25 to each endpoint of Stripe, and no limit for the others.",
  },
  PROVIDER_TIMEOUT_MS: {
    ...milliseconds(100, 50_000, 10_000),
    readBy: ['worker'],
    description: 'How long one call to a provider may take.',
  },
  ALLOW_SIMULATOR_IN_PRODUCTION: {
    ...flag(false),
    readBy: ENGINE,
    description: 'Whether production routes may lead to a simulator.',
  },
  EVM_ACCOUNTS: {
    schema: text.transform(toAccounts).default([]),
    must: 'be JSON like [{"name":"evm","environment":"sandbox","credentials":{…}}]; docs/providers/evm.md describes it',
    readBy: ENGINE,
    isSecret: true,
    description: 'Accounts of the platform on EVM chains, as JSON (docs/providers/evm.md).',
  },
  ALLOW_PRIVATE_WEBHOOKS_IN_SANDBOX: {
    ...flag(false),
    readBy: ENGINE,
    description:
      'Whether sandbox webhooks may go to this machine and to private networks; in production, and to cloud metadata, they never do. `npm start` sets it to true.',
  },
  WEBHOOK_PROXY_URL: {
    ...httpUrl('be the http(s) address of a proxy, like http://proxy.example:3128'),
    readBy: ENGINE,
    isSecret: true,
    example: 'http://user:password@proxy.example:3128',
    description: 'A proxy (CONNECT) that webhooks to merchants, and calls to their nodes, go through.',
  },
});

const WORKER_VARIABLES = variables({
  WORKER_MAX_CACHED_WORKFLOWS: {
    ...numberFrom(1, 100_000, 1_000, 'be a whole number from 1 to 100000'),
    readBy: ['worker'],
    description: 'How many workflows a worker keeps in memory.',
  },
  WORKER_SHUTDOWN_GRACE_MS: {
    ...milliseconds(0, 600_000, 10_000),
    readBy: ['worker'],
    description: 'How long a stopping worker waits for the activities that it runs.',
  },
  WORKER_MAKE_CURRENT: {
    ...flag(true),
    readBy: ['worker'],
    description:
      'Whether new payments go to the version of a worker as soon as it polls; false leaves that to the operator (docs/operations/upgrades.md).',
  },
  RETENTION_EVENT_DAYS: { ...days(30), readBy: ['worker'], description: 'How long events are kept.' },
  RETENTION_PROVIDER_EVENT_DAYS: {
    ...days(30),
    readBy: ['worker'],
    description: 'How long reports of providers are kept; those about a payment at least until it has ended.',
  },
  RETENTION_PAYMENT_DAYS: {
    ...days(2_555),
    readBy: ['worker'],
    description: 'How long payments that have ended are kept.',
  },
  RETENTION_REQUEST_DAYS: {
    ...days(7),
    readBy: ['worker'],
    description: 'How long the request log is kept, and a week more at most (docs/operations/postgresql.md).',
  },
  RETENTION_SAVED_CARD_UNUSED_DAYS: {
    ...days(730),
    readBy: ['worker'],
    description: 'How long a saved card may stay unused before it is removed.',
  },
  STORE_CARDS: {
    schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
    must: 'be true or false',
    readBy: ['api'],
    example: 'true',
    description:
      'Whether the numbers of saved cards are kept beyond their payments (docs/pci-dss.md). Left out: in the sandbox only. Without ' +
      "them, saved cards are charged by the providers' tokens alone.",
  },
  // Triggers of the table keep audit events for 90 days in any case.
  RETENTION_AUDIT_DAYS: {
    ...numberFrom(90, 3_650, 400, 'be days from 90 to 3650'),
    readBy: ['worker'],
    description: 'How long audit events are kept, and a month more at most (docs/operations/postgresql.md).',
  },
  RECONCILE_EVERY_HOURS: {
    schema: wholeNumber(0, 168).default(6),
    must: 'be hours from 1 to 168, or 0 for never',
    readBy: ['worker'],
    description:
      'How often the payments of each provider are compared with its list (docs/operations/reconciliation.md).',
  },
});

export const PROVIDERS = { title: 'Providers', variables: PROVIDER_VARIABLES } satisfies VariableGroup;
export const WORKER = { title: 'Worker', variables: WORKER_VARIABLES } satisfies VariableGroup;
