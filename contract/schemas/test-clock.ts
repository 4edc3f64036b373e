import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { responseTime } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

/** How far one request advances a test clock at most. */
const MAXIMUM_ADVANCE_SECONDS = (366 * DAY_MS) / SECOND_MS;

const TEST_CLOCK_STATUSES = ['ready', 'advancing'] as const;

const MEMBERS = {
  ...COMMON_MEMBERS,
  environment: 'Always `sandbox`: production has no test clocks.',
  status: withValues<(typeof TEST_CLOCK_STATUSES)[number]>('How far the open payments are.', {
    ready: 'every open payment has followed the clock',
    advancing: 'open payments are being made older; read the clock again until it is `ready`',
  }),
  advancedSeconds: 'By how much the clock was advanced in all.',
  advancedAt: 'When it was advanced last; ISO 8601 in UTC. Null if it never was.',
};

/** POST /test-clock/advance */
export const advanceTestClockBody = z
  .strictObject({
    seconds: z
      .int()
      .min(1)
      .max(MAXIMUM_ADVANCE_SECONDS)
      .describe('By how much older the open payments of the account become: `90`, or `604800` for 7 days.'),
  })
  .describe('By how much the test clock is advanced.');

/** The test clock of an account, in every response. */
export const testClockResource = z
  .object(
    described(MEMBERS, {
      object: z.literal('test_clock'),
      merchantId: z.string(),
      environment: z.literal('sandbox'),
      status: z.enum(TEST_CLOCK_STATUSES),
      advancedSeconds: z.int(),
      advancedAt: responseTime.nullable(),
    }),
  )
  .describe('The test clock of a sandbox account: by how much older its payments were made.');

export type TestClockResource = z.infer<typeof testClockResource>;
