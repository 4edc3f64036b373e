import { z } from 'zod';
import { headerText } from '../header-text.ts';
import type { ProviderAccountSettings, ProviderKind } from '../provider-kind.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import { createProviderHttp } from '../provider-http.ts';
import { createSimulatorProvider, SIMULATOR_CAPABILITIES } from './simulator-provider.ts';

const schema = z.strictObject({
  apiKey: headerText(200),
  webhookSecret: z
    .string()
    .max(200)
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
      'Expected whsec_ and at least 32 characters of base64; got another text.',
    ),
});

export type SimulatorCredentials = z.output<typeof schema>;

/** The key of the inquiry that checks an account. It names no payment; the simulator closes it, once. */
const CHECK_KEY = 'credentials_check';

/** A merchant's own account at an instance of the simulator. */
export const SIMULATOR: ProviderKind<SimulatorCredentials> = {
  label: 'Simulator',
  description: 'every payment method, at the simulator of the sandbox',
  schema,
  credentials: {
    apiKey: { label: 'API key', meaning: "the simulator's API key", isSecret: true },
    webhookSecret: {
      label: 'Webhook secret',
      meaning: 'what it signs webhooks with: `whsec_` and base64',
      isSecret: true,
    },
  },
  capabilities: SIMULATOR_CAPABILITIES,
  disputeAnswers: { problemWith: () => null },

  create: ({ name, credentials: { apiKey, webhookSecret }, timeoutMs, ...settings }) =>
    createSimulatorProvider({ name, url: urlOf(settings), apiKey, webhookSecret, timeoutMs }),

  async check({ credentials: { apiKey }, timeoutMs, ...settings }, signal) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ idempotencyKey: CHECK_KEY });
    const answer = await createProviderHttp(urlOf(settings), timeoutMs).post('/v1/inquiries', headers, body, signal);
    if (answer.status === 200) return null;
    if (answer.status === 401) return 'The simulator does not know the API key.';
    throw new ProviderOutageError('TSP_ERROR', `the simulator answered with status ${answer.status}`);
  },
};

function urlOf({ apiUrl }: Pick<ProviderAccountSettings<unknown>, 'apiUrl'>): string {
  if (apiUrl === null) throw new TypeError('the simulator has no address of its own');
  return apiUrl;
}
