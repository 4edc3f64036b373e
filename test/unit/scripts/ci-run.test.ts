import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { PROJECT_ROOT } from '../../../sandbox/stack/project.ts';

const run = promisify(execFile);

describe('the audit of packages in the checks of a change', () => {
  /** Runs the audit with a registry that answers a text, and one more check that passes. */
  const checkWith = async (report: string, status: number): Promise<string> => {
    const script = await readFile(path.join(PROJECT_ROOT, '.ci', 'run'), 'utf8');
    const parts = [
      /^passed=0\n[^]*?^NOT_CHECKED=.*$/m,
      /^check\(\) \{\n[^]*?^\}$/m,
      /^audit\(\) \{\n[^]*?^\}$/m,
      /^finish\(\) \{\n[^]*?^\}$/m,
    ].map((part) => part.exec(script)?.[0] ?? assert.fail(`no ${part}`));
    const registry = `npm() { echo '${report}'; return ${status}; }\ntimeout() { shift; "$@"; }\noutput=/nowhere`;
    const steps = 'check audit audit\ncheck other true\nfinish';
    const { stdout } = await run('bash', ['-c', [...parts, registry, steps].join('\n')]).catch(
      (error: { readonly stdout: string }) => error,
    );
    return stdout;
  };
  const answer = '{"auditReportVersion": 2}';

  it('counts neither as passed nor as failed where nobody answers, and the last lines say so', async () => {
    assert.match(await checkWith('{"error": {}}', 1), /\nNot checked: audit\n1 passed, 0 failed\n$/);
  });

  it('counts where the registry answers', async () => {
    assert.match(await checkWith(answer, 0), /in \d+ s\n2 passed, 0 failed\n$/);
    assert.match(await checkWith(answer, 1), /in \d+ s\n1 passed, 1 failed\n$/);
  });
});
