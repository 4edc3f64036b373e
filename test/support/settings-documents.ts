import path from 'node:path';
import { fileVariableOf, VARIABLE_GROUPS, type VariableName } from '../../config/variables.ts';
import type { Variable } from '../../config/variables/variable.ts';
import { wrapped } from './wrapped.ts';

export const ENVIRONMENT_EXAMPLE = '.env.example';
export const SETTINGS_REFERENCE = path.join('docs', 'operations', 'settings-reference.md');
/** Columns of a comment in `.env.example`. */
const WIDTH = 120;

/** `.env.example`: every variable with its meaning, and its default or an example; all of it commented out. */
export function environmentExample(): string {
  const head = [
    '# Every variable that is read. `npm start` needs none of them: it makes its own. Copy to `.env` what you want to change;',
    '# variables of the real environment win over `.env`. Instead of a secret, NAME_FILE may name the file with its value.',
  ];
  const groups = VARIABLE_GROUPS.map(({ title, variables }) => [
    `# --- ${title} `.padEnd(WIDTH, '-'),
    ...Object.entries(variables).flatMap(([name, variable]) => [
      ...wrapped(withoutLinks(variable.description), WIDTH, '# '),
      `# ${name}=${defaultOf(variable) ?? variable.example ?? ''}`,
    ]),
  ]);
  return `${[head, ...groups].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The page that lists every setting with its default, the programs that read it, and its meaning. */
export function settingsReference(): string {
  const groups = VARIABLE_GROUPS.map(({ title, variables }) => [
    `## ${title}`,
    Object.entries(variables)
      .map(([name, variable]) => `- ${factsOf(name as VariableName, variable)}: ${withLinks(variable.description)}`)
      .join('\n'),
  ]);
  return `${[HEAD, ...groups.flat()].join('\n\n')}\n`;
}

const HEAD = `# All settings

Every setting with its default and the programs that read it. [Settings](settings.md) says how processes get them.

\`npm run generate\` writes this page from \`config/variables\`.`;

function factsOf(name: VariableName, variable: Variable): string {
  const byDefault = defaultOf(variable);
  const facts = [
    variable.readBy.join(', '),
    ...(variable.isSecret ? ['secret'] : []),
    ...(byDefault === null ? [] : [`default \`${byDefault}\``]),
    ...(fileVariableOf(name) === null ? [] : [`or the file \`${fileVariableOf(name)}\``]),
  ];
  return `\`${name}\` (${facts.join('; ')})`;
}

/** The text that stands for a variable's default; null where it has none. */
function defaultOf({ schema }: Variable): string | null {
  const { data } = schema.safeParse(undefined);
  if (data === undefined || data instanceof Map) return null;
  const text = Array.isArray(data) ? data.join(',') : String(data);
  return text === '' ? null : text;
}

const PAGE = /docs\/((?:[\w-]+\/)*[\w-]+\.md)/g;

/** The reference lies in `docs/operations`. */
function withLinks(description: string): string {
  return description
    .replaceAll(PAGE, (_match, page: string) => `[${page}](${path.posix.relative('operations', page)})`)
    .replaceAll('](#', '](settings.md#');
}

function withoutLinks(description: string): string {
  return description.replaceAll(/\[(\w+)\]\(#\w+\)/g, 'docs/operations/settings.md');
}
