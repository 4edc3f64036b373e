import tseslint from 'typescript-eslint';

/** What each folder may import of ours besides itself; ARCHITECTURE.md says why. "all" means everything. */
const MAY_IMPORT = {
  domain: [],
  workflows: ['domain'],
  providers: ['domain'],
  vault: ['domain', 'prisma', 'providers'],
  prisma: ['domain'],
  webhooks: ['domain'],
  presentation: ['domain', 'prisma', 'vault', 'api'],
  routing: ['domain', 'providers', 'prisma'],
  activities: ['domain', 'providers', 'vault', 'prisma', 'routing', 'presentation', 'webhooks', 'workflows'],
  temporal: ['domain', 'workflows'],
  background: ['domain', 'prisma', 'temporal', 'workflows'],
  gateway: ['domain', 'prisma'],
  api: [
    'domain',
    'prisma',
    'vault',
    'presentation',
    'webhooks',
    'providers',
    'routing',
    'temporal',
    'gateway',
    'workflows',
    'config.ts',
  ],
  worker: [
    'domain',
    'workflows',
    'providers',
    'vault',
    'prisma',
    'presentation',
    'webhooks',
    'activities',
    'temporal',
    'background',
    'config.ts',
  ],
  simulator: ['domain', 'config.ts'],
  chaos: ['domain', 'prisma', 'temporal', 'workflows', 'gateway', 'sdk', 'scripts'],
  bench: ['domain', 'providers', 'prisma', 'temporal', 'worker', 'gateway', 'sdk', 'scripts', 'config.ts'],
  sdk: [],
  demo: ['domain', 'scripts', 'config.ts'],
};
const OURS = [...Object.keys(MAY_IMPORT), 'scripts', 'test', 'config.ts'];
/** Of workflows, others see the messages only: what they may send, and what can be searched for. */
const WORKFLOW_MESSAGES_ONLY = ['activities', 'temporal', 'background', 'api', 'chaos'];

const directionRules = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  files: [`${folder}/**/*.ts`],
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: patternsFor(folder, allowed) }] },
}));

function patternsFor(folder, allowed) {
  const forbidden = OURS.filter((name) => name !== folder && !allowed.includes(name));
  const outside = forbidden.map((name) => (name === 'config.ts' ? '(\\.\\./)+config\\.ts$' : `(\\.\\./)+${name}/`));
  return [
    { regex: `^(${outside.join('|')})`, message: `${folder}/ may not import that: see the table in ARCHITECTURE.md.` },
    ...(WORKFLOW_MESSAGES_ONLY.includes(folder)
      ? [
          {
            regex: '^(\\.\\./)+workflows/(?!(messages|search-attributes)\\.ts$)',
            message: 'Outside the worker only the messages of workflows may be imported.',
            allowTypeImports: true,
          },
        ]
      : []),
    ...(folder === 'presentation'
      ? [
          {
            regex: '^(\\.\\./)+api/(?!schemas/)',
            message: 'Of the API, only the types of its schemas.',
          },
          {
            regex: '^(\\.\\./)+api/schemas/',
            message: 'Of the API, only the types of its schemas.',
            allowTypeImports: true,
          },
        ]
      : []),
    ...(folder === 'workflows' || folder === 'domain' ? notDeterministic(folder) : []),
  ];
}

function notDeterministic(folder) {
  const message = 'Workflow code is replayed: no Node built-ins, and nothing big in the bundle.';
  const builtIns = '^(node:|(fs|path|os|crypto|net|http|https|child_process|stream|util)$)';
  const packages = '^(zod|pino|uuid|pg|@prisma/|@temporalio/(client|worker|activity|testing))';
  return folder === 'workflows'
    ? [
        { regex: builtIns, message },
        { regex: packages, message },
        {
          regex: '^(\\.\\./)+activities/',
          message: 'Workflows import only the types of activities.',
          allowTypeImports: true,
        },
      ]
    : [{ regex: builtIns, message }];
}

const onlyConfigReadsTheEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment.',
};

export default tseslint.config(
  { ignores: ['**/dist/', 'prisma/generated/', 'sdk/server/generated/', 'node_modules/', '.data/'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './sdk/checkout/tsconfig.json', './demo/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/no-base-to-string': ['error', { ignoredTypeNames: ['RawData', 'ArrayBuffer', 'Buffer[]'] }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/ban-ts-comment': 'error',
      'no-restricted-syntax': ['error', onlyConfigReadsTheEnvironment],
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  ...directionRules,
  { files: ['config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
);
