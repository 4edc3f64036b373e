import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { after, before, describe, it } from 'mocha';

const CONFIG = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] };
const BINARY = /\.(png|gz)$/;
/** Tests make up the passwords in addresses, of databases that are gone after the run. */
const MADE_UP = /^test\/.* @secretlint\/secretlint-rule-(database-connection-string|basicauth)$/;

/** The secrets that `text` has, as rules and lines; never their values. */
async function secretsIn(filePath: string, content: string): Promise<string[]> {
  const source = { filePath, content, contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config: CONFIG, noPhysicFilePath: true } });
  return messages.map(({ ruleId, loc }) => `${filePath}:${loc.start.line} ${ruleId}`);
}

describe('secrets in the repository', () => {
  // The scanner marks each rule of each file, and its profiler looks through all earlier marks at each new one.
  const { mark } = performance;
  before(() => {
    const onlyMark = performance.mark('scan');
    performance.mark = () => onlyMark;
  });
  after(() => {
    performance.mark = mark;
  });

  it('are found by the scan', async () => {
    const address = ['postgresql://payments', 'q8Zt2LwX7d@db.internal:5432/payments'].join(':');
    assert.deepEqual(await secretsIn('settings.ts', `const DATABASE_URL = '${address}';`), [
      'settings.ts:1 @secretlint/secretlint-rule-database-connection-string',
    ]);
  });

  it('are none', async function () {
    this.timeout(60_000);
    const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
    const found: string[] = [];
    for (const file of files.filter((name) => existsSync(name) && !BINARY.test(name))) {
      found.push(...(await secretsIn(file, readFileSync(file, 'utf8'))));
    }
    assert.deepEqual(
      found.filter((secret) => !MADE_UP.test(secret)),
      [],
    );
  });
});
