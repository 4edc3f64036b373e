import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { startFakeAdyen } from './adyen/fake-adyen.ts';
import { behaviourOfCard } from './adyen/test-cards.ts';
import type { FakeLedger } from './fake-ledger.ts';
import { ledgerOfAdyen, ledgerOfCashfree, ledgerOfStripe } from './ledgers.ts';
import { startFakeCashfree } from './cashfree/fake-cashfree.ts';
import { usualTreatment } from './cashfree/usual-treatments.ts';
import { createFakeEdge } from './edge.ts';
import type { FakeServerOptions } from './serve-fake.ts';
import { startFakeStripe } from './stripe/fake-stripe.ts';

/** `node main.js KIND PORT SETTINGS_FILE`: a fake as a process of its own. The file has its credentials and where webhooks go. */
const [kind = '', port, settingsFile = ''] = process.argv.slice(2);

const settingsSchema = z.object({
  credentials: z.unknown(),
  /** Null before an account has been made for the fake. */
  webhookUrl: z.url().nullable(),
});

const stripeSchema = z.object({ secretKey: z.string(), webhookSecret: z.string() });
const adyenSchema = z.object({ apiKey: z.string(), merchantAccount: z.string(), hmacKey: z.string() });
const cashfreeSchema = z.object({ clientId: z.string(), clientSecret: z.string(), preauthorization: z.boolean() });

const STARTS: Readonly<Record<string, (credentials: unknown, place: FakeServerOptions) => Promise<FakeLedger>>> = {
  stripe: async (credentials, place) =>
    ledgerOfStripe(await startFakeStripe({ ...stripeSchema.parse(credentials), ...place })),
  adyen: async (credentials, place) =>
    ledgerOfAdyen(await startFakeAdyen({ ...adyenSchema.parse(credentials), ...place, behaviourOfCard })),
  cashfree: async (credentials, place) =>
    ledgerOfCashfree(await startFakeCashfree({ ...cashfreeSchema.parse(credentials), ...place, usualTreatment })),
};

const readSettings = () => settingsSchema.parse(JSON.parse(readFileSync(settingsFile, 'utf8')));

const start = STARTS[kind];
if (start === undefined) throw new Error(`there is no fake of ${kind}`);
// A control request that comes before the fake runs fails.
const ledger: FakeLedger = await start(readSettings().credentials, {
  port: Number(port),
  edge: createFakeEdge({ ledger: () => ledger, webhookUrl: () => readSettings().webhookUrl }),
});
process.on('SIGTERM', () => process.exit(0));
console.log(`fake ${kind} listening`);
