import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { readStartConfig } from '../../config/sandbox.ts';
import { workflowsUrlOf } from '../../domain/workflows-url.ts';
import { SECOND_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import { readSandbox } from '../../sandbox/stack/data-folder.ts';
import { runScript } from '../../sandbox/stack/explain-error.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { SUPPORT_VIEWS, viewUrlOf } from '../../sandbox/stack/support-views.ts';
import { card } from '../../sandbox/test-payment-methods.ts';
import { createClient } from '../../sdk/server/index.ts';
import { refuseArguments } from '../../scripts/command-arguments.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { openDetails, showColumns } from './temporal-ui.ts';

const FOLDER = path.join(PROJECT_ROOT, 'docs');
/** The UI polls, so that its network is never idle. */
const DRAWN_AFTER_MS = 3 * SECOND_MS;

/** `npm run support-screenshots`: makes payments in the running sandbox, and the pictures of docs/support.md. */
await runScript(async () => {
  refuseArguments('support-screenshots');
  const { dataDir, temporalNamespace } = readStartConfig();
  const sandbox = await readSandbox(dataDir);
  const workflowsUrl = workflowsUrlOf(sandbox.temporalUi, temporalNamespace);
  const executable = findChromium();
  if (executable === undefined) throw new UserError('Install Chromium first.');
  const id = await makePayments(sandbox);
  const browser = await launchChromium(executable);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1_700, height: 720 } })).newPage();
    for (const view of SUPPORT_VIEWS) {
      await page.goto(viewUrlOf(view, workflowsUrl));
      await page.getByText('Custom Views').waitFor();
      await wait(SECOND_MS);
    }
    await page.goto(workflowsUrl);
    await showColumns(page);
    await page.getByRole('button', { name: 'Payments', exact: true }).click();
    await shoot(page, 'support-list.png');
    await openDetails(page, workflowsUrl, id);
    await shoot(page, 'support-details.png');
  } finally {
    await browser.close();
  }
});

/** @returns the payment that succeeded at its second provider, in part refunded */
async function makePayments(sandbox: Parameters<typeof createClient>[0]): Promise<string> {
  const { customers, paymentIntents, refunds } = createClient(sandbox);
  const customer = await customers.create({ name: 'A. Customer', country: 'DE' });
  const pay = async (amount: number, method: Parameters<typeof card>[0]): Promise<string> => {
    const { id } = await paymentIntents.create({ amount, currency: 'EUR', customerId: customer.id });
    await paymentIntents.confirm(id, { paymentMethod: card(method) }).catch(() => undefined);
    return id;
  };
  await pay(1_250, 'fraud');
  await pay(4_900, 'declined');
  await pay(1_999, 'approved');
  const id = await pay(2_599, 'failover');
  await refunds.create({ paymentIntentId: id, amount: 500 });
  return id;
}

async function shoot(page: Page, name: string): Promise<void> {
  await wait(DRAWN_AFTER_MS);
  await page.screenshot({ path: path.join(FOLDER, name) });
  console.log(path.join('docs', name));
}
