import assert from 'node:assert/strict';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DeterminismViolationError } from '@temporalio/workflow';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { workflowSource } from '../../worker/workflow-source.ts';
import { DELIVERY_SCENARIOS } from './delivery-scenarios.ts';
import { readHistories } from './histories.ts';
import { SAVED_CARD_SCENARIOS } from './saved-card-scenarios.ts';
import { SCENARIOS } from './scenarios.ts';

type HistoryEvent = NonNullable<ReturnType<typeof historyFromJSON>['events']>[number];
type Marker = NonNullable<HistoryEvent['markerRecordedEventAttributes']>;

const localActivitySchema = z.object({ activity_type: z.string() });

/** The local activity that a marker records. */
function activityOf({ markerName, details }: Marker): string {
  const data = details?.['data']?.payloads?.[0]?.data;
  if (markerName !== 'core_local_activity' || !data) return markerName ?? 'unnamed';
  return localActivitySchema.parse(JSON.parse(Buffer.from(data).toString())).activity_type;
}

const NAMES = [SCENARIOS, DELIVERY_SCENARIOS, SAVED_CARD_SCENARIOS].flatMap((scenarios) => Object.keys(scenarios));

describe('replay of recorded histories', function () {
  this.timeout(60_000);
  let histories: ReadonlyMap<string, object>;

  const eventsOf = (name: string): readonly HistoryEvent[] => historyFromJSON(histories.get(name)).events ?? [];

  before(async () => {
    const logging = { filter: { core: 'ERROR' as const, other: 'ERROR' as const }, forward: {} };
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
    histories = await readHistories();
  });

  it('has a history of every scenario', () => {
    assert.deepEqual([...histories.keys()].toSorted(), NAMES.toSorted());
  });

  for (const name of NAMES) {
    it(`replays ${name}`, async () => {
      const history = histories.get(name);
      assert.ok(history !== undefined);
      await Worker.runReplayHistory(workflowSource(), history);
    });
  }

  it('finds 2 workflow tasks, 1 local activity, 1 remote activity and 1 timer in a plain approved payment', () => {
    const events = eventsOf('approved');
    const count = (has: (event: HistoryEvent) => unknown): number =>
      events.filter((event) => Boolean(has(event))).length;
    assert.deepEqual(
      {
        workflowTasks: count((event) => event.workflowTaskCompletedEventAttributes),
        localActivities: count((event) => event.markerRecordedEventAttributes),
        activities: count((event) => event.activityTaskScheduledEventAttributes),
        timers: count((event) => event.timerStartedEventAttributes),
        events: events.length,
      },
      { workflowTasks: 2, localActivities: 1, activities: 1, timers: 1, events: 17 },
    );
  });

  it('finds only local activities that read in all histories: those that write or call a provider are remote', () => {
    const local = [...histories.keys()].flatMap((name) =>
      eventsOf(name).flatMap(({ markerRecordedEventAttributes: marker }) => (marker ? [activityOf(marker)] : [])),
    );
    assert.ok(local.length > 0);
    assert.deepEqual([...new Set(local)].toSorted(), [
      'planPayment',
      'readPayment',
      'readProviderEvent',
      'readRefundEvent',
    ]);
  });

  it('fails for a workflow that does something else than its history', async () => {
    const recorded = JSON.stringify(histories.get('approved'));
    const altered: object = JSON.parse(recorded.replaceAll('"authorizePayment"', '"chargePayment"'));
    await assert.rejects(Worker.runReplayHistory(workflowSource(), altered), DeterminismViolationError);
  });
});
