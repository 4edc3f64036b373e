import { readFileSync } from 'node:fs';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const MAY_IMPORT = readImportTable(readFileSync(new URL('ARCHITECTURE.md', import.meta.url), 'utf8'));
const OURS = [...MAY_IMPORT.keys()];

/** The tables of folders in ARCHITECTURE.md: what each folder may import of ours, besides itself. */
function readImportTable(document) {
  const rows = document.matchAll(/^\| `([\w/-]+)` +\|.*\|([^|]*)\|$/gm);
  const table = new Map();
  for (const [, folder, cell] of rows) {
    const allowed = [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name]) => name);
    const upward = allowed.filter((name) => !table.has(name));
    if (upward.length > 0)
      throw new Error(`ARCHITECTURE.md: ${folder} may only import folders of the rows above it, not ${upward}`);
    table.set(folder, allowed);
  }
  if (table.size < 10) throw new Error('ARCHITECTURE.md: no table of folders');
  return table;
}

const NO_BUILT_INS = {
  regex: '^(node:|(fs|path|os|crypto|net|http|https|child_process|stream|util)$)',
  message: 'Workflow code is replayed: no Node built-ins.',
};
const NO_BIG_PACKAGES = {
  regex: '^(zod|pino|uuid|pg|@prisma/|@temporalio/(client|worker|activity|testing))',
  message: 'Workflow code is replayed: nothing big in its bundle.',
};
/** Of what workflow code is made. */
const REPLAYED = new Map([
  ['domain', [NO_BUILT_INS]],
  ['protocol', [NO_BUILT_INS, NO_BIG_PACKAGES]],
  ['workflows', [NO_BUILT_INS, NO_BIG_PACKAGES]],
]);

const directionRules = [...MAY_IMPORT]
  .filter(([folder]) => folder !== 'test')
  .toSorted(([one], [other]) => one.length - other.length)
  .map(([folder, allowed]) => ({
    files: [`${folder}/**/*.{ts,tsx}`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: patternsFor(folder, allowed) }] },
  }));

function patternsFor(folder, allowed) {
  const seen = [folder, ...allowed];
  const forbidden = OURS.filter((name) => !seen.includes(name) && !isWithin(folder, name));
  const message = `${folder}/ may not import that: see the tables in ARCHITECTURE.md.`;
  const outside = forbidden.map((name) => ({ regex: `^(\\.\\./)+${name}/${exceptInner(name, seen)}`, message }));
  return [...outside, ...(REPLAYED.get(folder) ?? [])];
}

/** A folder in a folder has a row of its own, and so has a pattern of its own. */
function exceptInner(name, seen) {
  const inner = OURS.filter((other) => seen.includes(other) && isWithin(other, name));
  return inner.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('');
}

function isWithin(inner, outer) {
  return inner.startsWith(`${outer}/`);
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
