import assert from 'node:assert/strict';
import type { Driver } from './driver.ts';
import { judgeRequests } from './judge-requests.ts';
import type { ClientSettings, Outcome, Scenario } from './scenario.ts';
import { startScriptedServer } from './scripted-server.ts';
import { EVENT_ID, type WebhookVector } from './webhook-vectors.ts';

const SETTINGS: ClientSettings = { apiKey: 'svc_test_key', secretSalt: 'salt-of-the-scenario', timeoutMs: 20_000 };

/** Plays a scenario with a client. @throws AssertionError */
export async function checkScenario(driver: Driver, scenario: Scenario): Promise<void> {
  const server = await startScriptedServer(scenario.answers);
  try {
    const client = { ...SETTINGS, ...scenario.client };
    const report = await driver.run({ call: scenario.call, client: { ...client, baseUrl: server.baseUrl } });
    assert.ok('pausesMs' in report, JSON.stringify(report));
    const { pausesMs, ...outcome } = report;
    assertOutcome(outcome, scenario.outcome);
    assert.deepEqual(pausesMs, scenario.pausesMs ?? [], 'pauses');
    assert.equal(server.received.length, scenario.answers.length, 'requests');
    judgeRequests(server.received, client);
    scenario.judge?.(server.received);
  } finally {
    await server.close();
  }
}

/** Typed clients know more members than a scenario answers with, so only those of the scenario are compared. */
function assertOutcome(actual: Outcome, expected: Outcome): void {
  if (expected.kind !== 'result' || actual.kind !== 'result') {
    assert.deepEqual(actual, expected);
    return;
  }
  assert.partialDeepStrictEqual(actual, expected);
}

/** @throws AssertionError */
export async function checkWebhook(driver: Driver, { sign, isAuthentic }: WebhookVector): Promise<void> {
  const report = await driver.run({ webhook: sign() });
  const expected = isAuthentic ? { kind: 'event', id: EVENT_ID } : { kind: 'webhook_refused' };
  assert.deepEqual(report, expected);
}
