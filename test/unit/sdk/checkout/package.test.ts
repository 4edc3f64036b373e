import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../../../domain/time.ts';
import { PROJECT_ROOT } from '../../../../sandbox/stack/project.ts';

const run = promisify(execFile);

const PAGE = `
import { createCheckout, depositCode, resumeCheckout } from '@payment-engine/checkout';
import type { ConfirmResult, PaymentEvent } from '@payment-engine/checkout';

const checkout = resumeCheckout() ?? createCheckout({ clientSecret: 'of the payment', baseUrl: 'https://api.example' });
checkout.on('payment-failed', ({ error, terminal }: PaymentEvent) => console.log(error?.code, terminal));
const { nextAction }: ConfirmResult = await checkout.confirm({ paymentMethod: { type: 'upi', upi: { vpa: 'a@b' } } });
if (nextAction?.type === 'crypto_deposit') document.body.append(depositCode(nextAction));
`;

describe('the package of the checkout SDK', function () {
  this.timeout(3 * MINUTE_MS);
  let project: string;

  before(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'consumer-'));
    const installed = path.join(project, 'node_modules', '@payment-engine', 'checkout');
    await mkdir(installed, { recursive: true });
    const folder = path.join(PROJECT_ROOT, 'sdk', 'checkout');
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], { cwd: folder });
    const archive = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1];
    assert.ok(archive, stdout);
    await run('tar', ['-xzf', path.join(project, archive), '-C', installed, '--strip-components=1']);
    await writeFile(path.join(project, 'package.json'), '{"type": "module"}');
    await writeFile(path.join(project, 'page.ts'), PAGE);
  });
  after(() => rm(project, { recursive: true, force: true }));

  it('can be bundled into a page', async () => {
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ['page.ts'],
      bundle: true,
      format: 'esm',
      write: false,
    });
    assert.match(outputFiles[0]?.text ?? '', /api\/v1\/payment-intents/);
  });

  it('has type declarations', async () => {
    const compilerOptions = { module: 'nodenext', noEmit: true, strict: true, lib: ['es2023', 'dom'], types: [] };
    await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.ts'] }));
    const tsc = path.join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    await run(process.execPath, [tsc, '-p', project, '--pretty', 'false']).catch((error: { stdout?: string }) =>
      assert.fail(error.stdout ?? String(error)),
    );
  });
});
