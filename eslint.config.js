import { readFileSync } from 'node:fs';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Folders whose processes or commands read their settings. */
const READ_CONFIG = ['api', 'gateway', 'worker', 'dashboard', 'sandbox', 'scripts', 'bench', 'cluster'];
/** Of workflows, others see only what they may send, and what can be searched for. */
const WORKFLOW_MESSAGES_ONLY = ['activities', 'workflows/client', 'worker', 'api', 'sandbox', 'chaos', 'cluster'];

const MAY_IMPORT = readImportTable(readFileSync(new URL('ARCHITECTURE.md', import.meta.url), 'utf8'));
const OURS = [...MAY_IMPORT.keys()];

/** The table of folders in ARCHITECTURE.md: what each folder may import of ours, besides itself. */
function readImportTable(document) {
  const rows = document.matchAll(/^\| `([\w/-]+)` +\|.*\|([^|]*)\|$/gm);
  const table = new Map([...rows].map(([, folder, cell]) => [folder, namesIn(cell)]));
  const names = [...table].flat(2);
  const unknown = names.filter((name) => !table.has(name));
  if (table.size < 10 || unknown.length > 0)
    throw new Error(`ARCHITECTURE.md: no table of folders, or unknown: ${unknown}`);
  return table;
}

function namesIn(cell) {
  return [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name]) => name);
}

const directionRules = [...MAY_IMPORT]
  .filter(([folder]) => folder !== 'test')
  .toSorted(([one], [other]) => one.length - other.length)
  .flatMap(([folder, allowed]) => [
    directionRule([`${folder}/**/*.{ts,tsx}`], folder, allowed),
    ...(folder === 'gateway'
      ? [
          directionRule(
            ['gateway/!(main).ts'],
            folder,
            allowed.filter((name) => name !== 'api'),
          ),
        ]
      : []),
  ]);

function directionRule(files, folder, allowed) {
  return {
    files,
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: patternsFor(folder, allowed) }] },
  };
}

function patternsFor(folder, allowed) {
  const seen = [folder, ...allowed, ...(READ_CONFIG.includes(folder) ? ['config'] : [])];
  const forbidden = OURS.filter((name) => !seen.includes(name) && !isWithin(folder, name));
  const message = `${folder}/ may not import that: see the table in ARCHITECTURE.md.`;
  const outside = forbidden.map((name) => ({
    regex: `^(\\.\\./)+${name}/${exceptInner(name, seen)}`,
    message,
    // What workflows call they know by its type only.
    allowTypeImports: folder === 'workflows' && name === 'activities',
  }));
  return [
    ...outside,
    // The bundle of the workflows has no client; and of the workflows, the client has only the messages.
    ...(folder === 'workflows' ? [{ regex: '^(\\./|(\\.\\./)+)client/', message }] : []),
    ...(folder === 'workflows/client'
      ? [
          {
            regex: '^\\.\\./(?!\\.\\./|(messages|search-attributes)\\.ts$)',
            message: 'Outside the worker only the messages of workflows may be imported.',
          },
        ]
      : []),
    ...(WORKFLOW_MESSAGES_ONLY.includes(folder)
      ? [
          {
            regex: '^(\\.\\./)+workflows/(?!(messages|search-attributes)\\.ts$|client/)',
            message: 'Outside the worker only the messages of workflows may be imported.',
            allowTypeImports: true,
          },
        ]
      : []),
    ...(folder === 'presenters'
      ? [
          { regex: '^(\\.\\./)+api/(?!schemas/)', message: 'Of the API, only the types of its schemas.' },
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

/** A folder in a folder has a row of its own, and so has a pattern of its own. */
function exceptInner(name, seen) {
  const inner = OURS.filter((other) => seen.includes(other) && isWithin(other, name));
  return inner.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('');
}

function isWithin(inner, outer) {
  return inner.startsWith(`${outer}/`);
}

function notDeterministic(folder) {
  const message = 'Workflow code is replayed: no Node built-ins, and nothing big in the bundle.';
  const builtIns = '^(node:|(fs|path|os|crypto|net|http|https|child_process|stream|util)$)';
  const packages = '^(zod|pino|uuid|pg|@prisma/|@temporalio/(client|worker|activity|testing))';
  return [{ regex: builtIns, message }, ...(folder === 'workflows' ? [{ regex: packages, message }] : [])];
}

/** SQL has one place; tests, benchmarks and the chaos run look behind it. */
const onlyPrismaHasSql = [
  {
    selector:
      "ImportDeclaration[importKind!='type'][source.value=/generated.client.ts$/] > ImportSpecifier[imported.name='Prisma'][importKind!='type']",
    message: 'SQL statements live in prisma/queries.',
  },
  {
    selector: 'MemberExpression[property.name=/^[$](query|execute)Raw/]',
    message: 'SQL statements live in prisma/queries.',
  },
];

const onlyConfigReadsVariables = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config/ reads environment variables.',
};

/** What opens a hole wherever it is written. */
const unsafe = [
  {
    selector: "Property[key.name='rejectUnauthorized'][value.value=false]",
    message: 'Name the authority to trust, instead of trusting all servers.',
  },
  {
    selector:
      "AssignmentExpression[left.property.name=/^(innerHTML|outerHTML)$/], CallExpression[callee.property.name='insertAdjacentHTML']",
    message: 'Build elements, with textContent: a text may hold markup.',
  },
];

/** Words for which the glossary in ARCHITECTURE.md has a better term. No name contains them. */
const AVOIDED_WORDS = [
  'Standing',
  'Parcel',
  'Doubt',
  'Conclusion',
  'Circumstance',
  'Abreast',
  'Guardian',
  'Lifeline',
  'Desk',
  'Shelf',
  'Judge',
  'Amend',
  'Told',
  'Patient',
  'Patience',
  'Sentence',
];
const withoutAvoidedWords = namesWithout(AVOIDED_WORDS);

/** Matches names in which no part, as separated by capitals, is or begins with one of the words. */
function namesWithout(words) {
  const first = words.map((word) => word.toLowerCase()).join('|');
  return `^(?!(${first})([^a-z]|s|ed|ment|$))(?!.*(${words.join('|')})([^a-z]|s|ed|ment|$))`;
}

export default tseslint.config(
  { ignores: ['**/dist/', 'prisma/generated/', 'sdk/server/generated/', 'node_modules/', '.data/'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './sdk/checkout/tsconfig.json',
          './sdk/payment-page/tsconfig.json',
          './sandbox/demo-shop/page/tsconfig.json',
          './docs/site/page/tsconfig.json',
          './dashboard/app/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { regexp },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      'id-match': ['error', withoutAvoidedWords, { properties: false, onlyDeclarations: true }],
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
      'no-restricted-syntax': ['error', onlyConfigReadsVariables, ...onlyPrismaHasSql, ...unsafe],
      'no-eval': 'error',
      'no-new-func': 'error',
      // A hostile input makes such an expression take seconds.
      'regexp/no-super-linear-backtracking': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  ...directionRules,
  {
    files: ['dashboard/app/**/*.tsx'],
    extends: [reactHooks.configs.flat.recommended, jsxA11y.flatConfigs.strict],
    rules: {
      // What scrolls has to be reached by keyboard.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: ['pre'], roles: ['tabpanel', 'region'] }],
    },
  },
  { files: ['config/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...onlyPrismaHasSql, ...unsafe] } },
  {
    files: ['prisma/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', onlyConfigReadsVariables, ...unsafe] },
  },
  {
    files: ['bench/**/*.ts', 'chaos/**/*.ts', 'cluster/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', onlyConfigReadsVariables] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      'regexp/no-super-linear-backtracking': 'off',
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
