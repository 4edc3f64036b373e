import { readFileSync } from 'node:fs';

const RESTRICTED_SYNTAX = 'eslint-js/no-restricted-syntax';

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
    rules: { 'eslint-js/no-restricted-imports': ['error', { patterns: patternsFor(folder, allowed) }] },
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

/** The rules that need no options, by plugin. Those of a plugin that are not here are off. */
const ON = {
  eslint: [
    'no-array-constructor',
    'no-eval',
    'no-new-func',
    'no-unused-expressions',
    'no-var',
    'prefer-const',
    'prefer-rest-params',
    'prefer-spread',
  ],
  typescript: [
    'await-thenable',
    'ban-ts-comment',
    'no-array-delete',
    'no-duplicate-enum-values',
    'no-duplicate-type-constituents',
    'no-empty-object-type',
    'no-explicit-any',
    'no-extra-non-null-assertion',
    'no-floating-promises',
    'no-for-in-array',
    'no-implied-eval',
    'no-misused-new',
    'no-misused-promises',
    'no-namespace',
    'no-non-null-asserted-optional-chain',
    'no-non-null-assertion',
    'no-redundant-type-constituents',
    'no-require-imports',
    'no-this-alias',
    'no-unnecessary-type-assertion',
    'no-unnecessary-type-constraint',
    'no-unsafe-argument',
    'no-unsafe-assignment',
    'no-unsafe-call',
    'no-unsafe-declaration-merging',
    'no-unsafe-enum-comparison',
    'no-unsafe-function-type',
    'no-unsafe-member-access',
    'no-unsafe-return',
    'no-unsafe-unary-minus',
    'no-wrapper-object-types',
    'prefer-as-const',
    'prefer-namespace-keyword',
    'prefer-promise-reject-errors',
    'prefer-readonly',
    'require-await',
    'restrict-plus-operands',
    'restrict-template-expressions',
    'triple-slash-reference',
  ],
  // A hostile input makes such an expression take seconds.
  'regular-expressions': ['no-super-linear-backtracking'],
};

/** Of React and its compiler, and of pages that everybody can use. */
const ON_FOR_PAGES = {
  react: [
    'error-boundaries',
    'exhaustive-deps',
    'globals',
    'immutability',
    'incompatible-library',
    'preserve-manual-memoization',
    'purity',
    'refs',
    'rules-of-hooks',
    'set-state-in-effect',
    'set-state-in-render',
    'static-components',
    'unsupported-syntax',
    'use-memo',
  ],
  'jsx-a11y': [
    'alt-text',
    'anchor-has-content',
    'anchor-is-valid',
    'aria-activedescendant-has-tabindex',
    'aria-props',
    'aria-proptypes',
    'aria-role',
    'aria-unsupported-elements',
    'autocomplete-valid',
    'click-events-have-key-events',
    'heading-has-content',
    'html-has-lang',
    'iframe-has-title',
    'img-redundant-alt',
    'interactive-supports-focus',
    'label-has-associated-control',
    'media-has-caption',
    'mouse-events-have-key-events',
    'no-access-key',
    'no-autofocus',
    'no-distracting-elements',
    'no-interactive-element-to-noninteractive-role',
    'no-noninteractive-element-interactions',
    'no-noninteractive-element-to-interactive-role',
    'no-redundant-roles',
    'no-static-element-interactions',
    'role-has-required-aria-props',
    'role-supports-aria-props',
    'scope',
    'tabindex-no-positive',
  ],
};

function errors(rules) {
  const names = Object.entries(rules).flatMap(([plugin, names]) =>
    names.map((name) => (plugin === 'eslint' ? name : `${plugin}/${name}`)),
  );
  return Object.fromEntries(names.map((name) => [name, 'error']));
}

function restrictedSyntax(...selectors) {
  return { [RESTRICTED_SYNTAX]: ['error', ...selectors] };
}

export default {
  plugins: ['eslint', 'typescript'],
  jsPlugins: [
    // What is not part of oxlint itself.
    { name: 'eslint-js', specifier: 'oxlint-plugin-eslint' },
    { name: 'regular-expressions', specifier: 'eslint-plugin-regexp' },
  ],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    '**/dist/',
    'prisma/generated/',
    'sdk/server/generated/',
    '.data/',
    '**/*.{js,mjs,cjs}',
    '**/*.d.ts',
  ],
  rules: {
    ...errors(ON),
    ...restrictedSyntax(onlyConfigReadsVariables, ...onlyPrismaHasSql, ...unsafe),
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-base-to-string': ['error', { ignoredTypeNames: ['RawData', 'ArrayBuffer', 'Buffer[]'] }],
    'typescript/only-throw-error': ['error', { allowThrowingUnknown: true }],
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  },
  overrides: [
    ...directionRules,
    {
      files: ['dashboard/app/**/*.tsx'],
      plugins: ['react', 'jsx-a11y'],
      rules: {
        ...errors(ON_FOR_PAGES),
        // What scrolls has to be reached by keyboard.
        'jsx-a11y/no-noninteractive-tabindex': ['error', { tags: ['pre'], roles: ['tabpanel', 'region', 'group'] }],
      },
    },
    { files: ['config/**/*.ts'], rules: restrictedSyntax(...onlyPrismaHasSql, ...unsafe) },
    { files: ['prisma/**/*.ts'], rules: restrictedSyntax(onlyConfigReadsVariables, ...unsafe) },
    { files: ['{bench,chaos,cluster}/**/*.ts'], rules: restrictedSyntax(onlyConfigReadsVariables) },
    {
      files: ['test/**/*.ts'],
      rules: {
        [RESTRICTED_SYNTAX]: 'off',
        'regular-expressions/no-super-linear-backtracking': 'off',
        'typescript/require-await': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-base-to-string': 'off',
      },
    },
  ],
};
