import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, isErrorCode } from '../../domain/error-catalogue.ts';
import { PROJECT_ROOT } from '../../sandbox/stack/project.ts';
import { refuseArguments } from '../../scripts/command-arguments.ts';
import { startApi } from '../support/api-process.ts';
import { ERROR_REQUESTS } from '../support/error-requests/all-requests.ts';
import { createRequestContext, type ErrorRequest } from '../support/error-requests/request-context.ts';
import { createMerchant } from '../support/merchants.ts';
import { createPayment } from '../support/payments.ts';
import { queryStack } from '../support/stack-database.ts';
import { startSharedStack } from '../support/stack.ts';
import { normalise } from './normalise.ts';
import { Recorder } from './recorder.ts';
import { originsOfProviders, recordOperations, recordSlowEvents } from './scenario.ts';

const FILE = path.join(PROJECT_ROOT, 'api/openapi/recorded-examples.json');
/** An address where nothing listens. */
const NOWHERE = '127.0.0.1:1';
/** No error response has this code. */
const ADVISORY: ErrorCode = 'PAYMENT_STUCK';

/** `npm run record-examples`: writes the examples of the OpenAPI document, exchanged with an engine of its own. */
refuseArguments('record-examples');
const { end } = await startSharedStack({ RATE_LIMIT_SANDBOX: '1000' });
try {
  const recorder = new Recorder();
  await recordOperations(recorder);
  await recordSlowEvents(recorder);
  await recordErrors(recorder);
  const recorded = normalise(recorder.recorded(), await originsOfProviders());
  await writeFile(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
  console.log(
    `${Object.keys(recorded.operations).length} operations, ${Object.keys(recorded.errors).length} errors, ${Object.keys(recorded.webhooks).length} types of events`,
  );
} finally {
  await end();
}
process.exit();

/** Sends the request for each error code that the tests have, one after the other: some inject faults. */
async function recordErrors(recorder: Recorder): Promise<void> {
  const merchant = await createMerchant();
  const merchantOfOneProvider = await createMerchant();
  await queryStack(`DELETE FROM payment_route WHERE merchant_id = $1 AND provider = 'beta'`, [
    merchantOfOneProvider.merchantId,
  ]);
  const apiWithoutTemporal = await startApi({ TEMPORAL_ADDRESS: NOWHERE });
  const stuck = await createPayment({}, merchant.credentials);
  const context = createRequestContext({ merchant, merchantOfOneProvider, apiWithoutTemporal, stuck });
  try {
    for (const [code, { send }] of Object.entries<ErrorRequest>(ERROR_REQUESTS)) {
      if (!isErrorCode(code) || code === ADVISORY) continue;
      recorder.keepError(code, (await send(context)).body);
    }
  } finally {
    await apiWithoutTemporal.stop();
  }
}
