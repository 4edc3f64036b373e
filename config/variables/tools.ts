import { SIMULATOR_NAME, text, wholeNumber } from '../value-schemas.ts';
import { SHORTEST_API_KEY, WEBHOOK_SECRET } from './paying.ts';
import { httpUrl, listenAddress, origins, PORT, port, type VariableGroup, variables } from './variable.ts';

const CODEC_SERVER_TOKEN = /^[\x21-\x7e]{32,}$/;

const CODEC_SERVER_VARIABLES = variables({
  CODEC_SERVER_HOST: {
    ...listenAddress(),
    readBy: ['codec-server'],
    description: 'Where it listens. Other machines can reach it only with a token.',
  },
  CODEC_SERVER_PORT: { ...port(8_234), readBy: ['codec-server', 'start'], description: 'Its port.' },
  CODEC_SERVER_ORIGINS: {
    ...origins('https://temporal.example'),
    readBy: ['codec-server'],
    description: 'Origins of the Temporal UIs that may ask it, separated by commas.',
  },
  CODEC_SERVER_TOKEN: {
    schema: text.regex(CODEC_SERVER_TOKEN),
    must: 'be a secret of 32 characters or more, without spaces',
    readBy: ['codec-server'],
    isSecret: true,
    description: 'What callers prove themselves with, for example of `openssl rand -hex 32`.',
  },
});

const SANDBOX_VARIABLES = variables({
  SIMULATOR_NAME: {
    schema: text.regex(SIMULATOR_NAME),
    must: 'be a short lower-case name, for example alpha',
    readBy: ['simulator'],
    example: 'alpha',
    description: 'The name of the simulator: one process each.',
  },
  SIMULATOR_HOST: {
    ...listenAddress(),
    readBy: ['simulator'],
    description:
      'Where the simulator listens. If it is not this machine alone, only a proxy should let others reach it, and nothing but its /3ds pages.',
  },
  SIMULATOR_PORT: { ...PORT, readBy: ['simulator'], example: '4001', description: 'The port of the simulator.' },
  SIMULATOR_API_KEY: {
    schema: text.min(SHORTEST_API_KEY),
    must: 'be a secret of 16 characters or more',
    readBy: ['simulator'],
    isSecret: true,
    description: 'What the engine has for it in SIMULATOR_API_KEYS.',
  },
  SIMULATOR_WEBHOOK_SECRET: {
    schema: text.regex(WEBHOOK_SECRET),
    must: 'be whsec_ followed by 24 bytes or more in base64',
    readBy: ['simulator'],
    isSecret: true,
    description: 'What the engine has for it in SIMULATOR_WEBHOOK_SECRETS.',
  },
  SIMULATOR_DATA_FILE: {
    schema: text,
    must: 'be the path of the file that keeps its ledger',
    readBy: ['simulator'],
    example: '.data/simulator-alpha.jsonl',
    description: 'The file that keeps its ledger.',
  },
  SIMULATOR_WEBHOOK_URL: {
    ...httpUrl('be the http(s) address that its webhooks go to'),
    readBy: ['simulator'],
    example: 'http://127.0.0.1:3000/api/v1/providers/alpha/webhooks',
    description: 'Where its webhooks go.',
  },
  SIMULATOR_PUBLIC_URL: {
    ...httpUrl('be the http(s) address at which customers reach it'),
    readBy: ['simulator'],
    example: 'http://127.0.0.1:4001',
    description: 'Where customers reach its pages; it answers to that name besides localhost.',
  },
  DEMO_HOST: {
    ...listenAddress(),
    readBy: ['demo'],
    description:
      'Where the demo shop listens. If it is not this machine alone, others make payments with the key below.',
  },
  DEMO_PORT: { ...port(4_003), readBy: ['demo', 'start'], description: 'The port of the demo shop.' },
  DEMO_URL: {
    ...httpUrl('be the http(s) address of the demo shop'),
    readBy: ['api', 'demo'],
    example: 'http://127.0.0.1:4003/demo',
    description:
      "Where browsers reach the demo shop: the API's /demo leads there, and the shop answers to that name besides localhost.",
  },
  DEMO_API_URL: {
    ...httpUrl('be the http(s) address of the API'),
    readBy: ['demo'],
    example: 'http://127.0.0.1:3000',
    description: 'Where the demo shop reaches the API.',
  },
  DEMO_API_KEY: {
    schema: text.regex(/^svc_test_/),
    must: 'be an API key of the sandbox, which begins with svc_test_',
    readBy: ['demo'],
    isSecret: true,
    example: 'svc_test_your_key',
    description: 'The sandbox key of the demo shop.',
  },
  DEMO_SECRET_SALT: {
    schema: text,
    must: 'be the secret salt of that key',
    readBy: ['demo'],
    isSecret: true,
    example: 'its_secret_salt',
    description: 'The secret salt of that key.',
  },
  MAILBOX_PORT: { ...port(4_004), readBy: ['mailbox', 'start'], description: 'The port of the page with the mails.' },
  MAILBOX_SMTP_PORT: {
    ...port(4_005),
    readBy: ['mailbox', 'start'],
    description: 'The port of the mail server of the sandbox.',
  },
});

const START_VARIABLES = variables({
  DATA_DIR: {
    schema: text.default('.data'),
    must: 'be the path of a folder',
    readBy: ['start'],
    description: 'The folder with all data of `npm start`.',
  },
  PORT_OFFSET: {
    schema: wholeNumber(0, 50_000).default(0),
    must: 'be a whole number from 0 to 50000',
    readBy: ['start'],
    description: 'Added to every port but WORKER_PORT, such as 100 for a second clone that runs beside the first.',
  },
  POSTGRES_PORT: { ...port(5_433), readBy: ['start'], description: 'The port of PostgreSQL.' },
  TEMPORAL_PORT: { ...port(7_233), readBy: ['start'], description: 'The port of the Temporal server.' },
  TEMPORAL_UI_PORT: { ...port(8_233), readBy: ['start'], description: 'The port of the Temporal UI.' },
  SIMULATOR_ALPHA_PORT: { ...port(4_001), readBy: ['start'], description: 'The port of the simulator alpha.' },
  SIMULATOR_BETA_PORT: { ...port(4_002), readBy: ['start'], description: 'The port of the simulator beta.' },
  TEMPORAL_TEST_SERVER: {
    schema: text,
    must: 'be the path of a time-skipping Temporal test server',
    readBy: ['start', 'test'],
    description: 'A time-skipping Temporal test server that is installed already, for `npm test`.',
  },
});

export const CODEC_SERVER = { title: 'Codec server', variables: CODEC_SERVER_VARIABLES } satisfies VariableGroup;
export const SANDBOX = {
  title: 'Simulators, demo shop and mailbox',
  variables: SANDBOX_VARIABLES,
} satisfies VariableGroup;
export const START = { title: 'npm start and npm test', variables: START_VARIABLES } satisfies VariableGroup;
