import { z } from 'zod';
import { text, url } from '../value-schemas.ts';
import {
  ENGINE,
  flag,
  httpUrl,
  milliseconds,
  numberFrom,
  PROCESSES,
  SERVERS,
  type VariableGroup,
  variables,
} from './variable.ts';

const NAME_VALUE_PAIRS = text.regex(/^[^=,]+=[^,]*(?:,[^=,]+=[^,]*)*$/);

const CONNECTION_VARIABLES = variables({
  DATABASE_URL: {
    schema: url(['postgresql:', 'postgres:']),
    must: 'be an address like postgresql://user:password@host:5432/database',
    readBy: ['api', 'gateway', 'worker', 'dashboard', 'migrate', 'start'],
    isSecret: true,
    example: 'postgresql://payments:secret@127.0.0.1:5432/payments',
    description:
      'PostgreSQL, for each process with its own role (docs/operations/postgresql.md). On another machine the address must end in ?sslmode=verify-full, with &sslrootcert=FILE for an authority of your own. If it is given to `npm start`, that starts no PostgreSQL.',
  },
  DATABASE_ALLOW_PLAINTEXT: {
    ...flag(false),
    readBy: ['api', 'gateway', 'worker', 'dashboard', 'migrate'],
    description: 'Whether DATABASE_URL may name another machine without verified TLS, on a private network.',
  },
  DATABASE_POOL_SIZE: {
    ...numberFrom(1, 500, 10, 'be a whole number from 1 to 500'),
    readBy: PROCESSES,
    description: 'Most connections of a process to the database.',
  },
  TEMPORAL_ADDRESS: {
    schema: text.regex(/^[^\s/:]+:\d{1,5}$/),
    must: 'be host:port, for example 127.0.0.1:7233',
    readBy: ['api', 'worker', 'start'],
    example: '127.0.0.1:7233',
    description: 'The Temporal server, as host:port. If it is given to `npm start`, that starts no Temporal server.',
  },
  TEMPORAL_NAMESPACE: {
    schema: text.default('default'),
    must: 'be the name of a Temporal namespace',
    readBy: ['api', 'worker', 'start'],
    description: 'The namespace of the workflows.',
  },
  TEMPORAL_UI_URL: {
    ...httpUrl('be an address like https://temporal.example.com'),
    readBy: ['api'],
    example: 'https://temporal.example.com',
    description:
      'The Temporal UI as support staff reach it. With it, keys that have the scope support:read get `workflowUrl`.',
  },
  TEMPORAL_TLS: {
    ...flag(false),
    readBy: ENGINE,
    description:
      'TLS to the Temporal server, with the authorities that the system trusts. A file, a name or an API key below switches it on too.',
  },
  TEMPORAL_TLS_CA_FILE: {
    schema: text,
    must: 'be the path of a PEM file with the authorities to trust',
    readBy: ENGINE,
    description: 'The authorities to trust (PEM), in place of those of the system.',
  },
  TEMPORAL_TLS_CERT_FILE: {
    schema: text,
    must: 'be the path of a PEM file with the client certificate',
    readBy: ENGINE,
    description:
      'The client certificate (PEM) for mutual TLS. It is read at the start: restart APIs and workers when it was renewed.',
  },
  TEMPORAL_TLS_KEY_FILE: {
    schema: text,
    must: 'be the path of a PEM file with the key of the client certificate',
    readBy: ENGINE,
    isSecret: true,
    description: 'The key of that certificate (PEM).',
  },
  TEMPORAL_TLS_SERVER_NAME: {
    schema: text,
    must: "be the name in the server's certificate",
    readBy: ENGINE,
    description: "The name in the server's certificate, where it is not the host of TEMPORAL_ADDRESS.",
  },
  TEMPORAL_API_KEY: {
    schema: text.regex(/^[\x21-\x7e]+$/),
    must: 'be an API key as Temporal Cloud issues it',
    readBy: ENGINE,
    isSecret: true,
    description: 'The API key of Temporal Cloud.',
  },
  TEMPORAL_ALLOW_PLAINTEXT: {
    ...flag(false),
    readBy: ENGINE,
    description: 'Whether TEMPORAL_ADDRESS may name another machine without TLS, on a private network.',
  },
  TEMPORAL_ENCRYPT_PAYLOADS: {
    ...flag(false),
    readBy: ['api', 'worker', 'start'],
    description:
      'Whether payloads are encrypted with the root keys before they go to the Temporal server (docs/operations/temporal.md).',
  },
  REDIS_URL: {
    schema: url(['redis:', 'rediss:']),
    must: 'be an address like redis://user:password@host:6379/0, or rediss:// for TLS',
    readBy: SERVERS,
    isSecret: true,
    example: 'redis://127.0.0.1:6379',
    description:
      'Where all processes count requests. Without it, and while it does not answer, they count in PostgreSQL.',
  },
  REDIS_TIMEOUT_MS: {
    ...milliseconds(10, 10_000, 100),
    readBy: SERVERS,
    description: 'After how long PostgreSQL is asked in place of Redis.',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    must: 'be fatal, error, warn, info, debug, trace or silent',
    readBy: ['api', 'gateway', 'worker', 'dashboard', 'codec-server', 'simulator'],
    description: 'The least important lines that are logged.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...httpUrl('be the http(s) address of a collector that takes OTLP over HTTP, like http://127.0.0.1:4318'),
    readBy: ENGINE,
    description:
      'Where traces go: a collector of OpenTelemetry that takes OTLP over HTTP. Without it nothing is traced (docs/operations/traces.md).',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: NAME_VALUE_PAIRS,
    must: 'be name=value pairs',
    readBy: ENGINE,
    isSecret: true,
    description: 'Sent with each export. Often a key, so it needs https:// or a collector on this machine.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    ...milliseconds(100, 60_000, 10_000),
    readBy: ENGINE,
    description: 'How many milliseconds one export may take.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: NAME_VALUE_PAIRS,
    must: 'be name=value pairs like deployment.environment.name=production',
    readBy: ENGINE,
    example: 'deployment.environment.name=production',
    description: 'What all spans of this installation carry.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z
      .enum([
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ])
      .default('parentbased_always_on'),
    must: 'be a sampler of OpenTelemetry, such as parentbased_traceidratio',
    readBy: ENGINE,
    description:
      'Which traces are exported: all, or with parentbased_traceidratio the share that OTEL_TRACES_SAMPLER_ARG gives.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: text.regex(/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/),
    must: 'be a share from 0 to 1',
    readBy: ENGINE,
    example: '0.1',
    description: 'That share.',
  },
});

export const CONNECTIONS = {
  title: 'Database, Temporal, Redis, logs and traces',
  variables: CONNECTION_VARIABLES,
} satisfies VariableGroup;
