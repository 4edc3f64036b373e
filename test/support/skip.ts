import type { Context } from 'mocha';

/**
 * Skips the tests of a hook, and says what is missing for them. With `CI=true` they fail instead, for there
 * nothing may go untested.
 */
export function skipWithout(missing: string, context: Context): never {
  const explanation = `${missing} is missing. Install it to run these tests.`;
  if (process.env.CI === 'true') throw new Error(explanation);
  console.log(`    Skipped: ${explanation}`);
  context.skip();
}
