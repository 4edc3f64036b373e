import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const DOCUMENT = 'docs/design/payments.md';
const PRODUCTION = ['accounts', 'activities', 'api', 'dashboard', 'gateway', 'http', 'webhooks', 'worker'];
const WRITES = /\b(?:UPDATE|INSERT INTO|DELETE FROM) (?:payment_intent|payment_attempt|transaction)\b(?!_)/;
/** A call that leaves for a provider, by an adapter or by what checks an account. */
const CALLS =
  /\.(?:authorize|inquire|inquireRefund|listPayments|findPayment|readCredential|removeCredential|submitEvidence|acceptDispute|inquireDispute|listDisputes|findDisputes|listSettlements|listSettlementEntries)(?:\?\.)?\(|\b(?:provider|kind|offered)\.(?:close|capture|refund|check)\(/;

/** The sources of a folder and those below it. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
}

interface Part {
  readonly name: string;
  readonly isExported: boolean;
  readonly text: string;
}

/** The functions and constants of a file, each with its text. */
function partsOf(file: string): readonly Part[] {
  return readFileSync(file, 'utf8')
    .split(/(?=^(?:export )?(?:async )?(?:function|const) )/m)
    .flatMap((text) => {
      const [, isExported, name] = /^(export )?(?:async )?(?:function|const) (\w+)/.exec(text) ?? [];
      return name === undefined ? [] : [{ name, isExported: isExported !== undefined, text }];
    });
}

/** What of the database's functions writes the rows of a payment, directly or by another one. */
function writers(): ReadonlySet<string> {
  const parts = sourcesIn('prisma')
    .filter((file) => !/generated|trace-statements/.test(file))
    .flatMap(partsOf);
  const found = new Set(parts.filter(({ text }) => WRITES.test(text)).map(({ name }) => name));
  for (let size = 0; size !== found.size;) {
    size = found.size;
    const calls = new RegExp(`\\b(?:${[...found].join('|')})\\(`);
    for (const { name, text } of parts) if (calls.test(text)) found.add(name);
  }
  return new Set(parts.filter(({ name, isExported }) => isExported && found.has(name)).map(({ name }) => name));
}

/** The files named in the rows of a table below a heading. */
function namedBelow(heading: string): readonly string[] {
  const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').match(/^\| `.*$/gm) ?? [];
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
}

function filesWith(pattern: RegExp): readonly string[] {
  return PRODUCTION.flatMap(sourcesIn).filter((file) => pattern.test(readFileSync(file, 'utf8')));
}

describe('the rows of a payment', () => {
  it(`are written by those that ${DOCUMENT} names, and by nobody else`, () => {
    const files = filesWith(new RegExp(`\\b(?:${[...writers()].join('|')})\\b|\\.paymentIntent\\.update`));
    assert.deepEqual([...files].sort(), [...namedBelow('Who writes a payment')].sort());
  });
});

describe('providers', () => {
  it(`are called by those that ${DOCUMENT} names, and by nobody else`, () => {
    assert.deepEqual([...filesWith(CALLS)].sort(), [...namedBelow('Who calls a provider')].sort());
  });
});
