import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  DEFAULT_FAULT_KINDS,
  FAULT_KINDS,
  isOperatorKind,
  SCHEDULED_FAULT_KINDS,
} from '../../../chaos/faults/fault-kinds.ts';
import { describeFault } from '../../../chaos/faults/injector.ts';
import { planFaults, PROVIDERS } from '../../../chaos/faults/schedule.ts';
import { readOptions } from '../../../chaos/options.ts';
import { createRandom } from '../../../chaos/random.ts';
import { planPayment } from '../../../chaos/traffic/payment-plan.ts';
import { WAITING_AFTER_MS } from '../../../domain/time-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time.ts';
import { UserError } from '../../../domain/user-error.ts';
import { faultsSchema } from '../../../sandbox/simulator/protocol.ts';

const SEED = 7;
const OPERATOR_KINDS = FAULT_KINDS.filter(isOperatorKind);
const planFor = (seed: number, minutes = 5) =>
  planFaults(createRandom(seed).fork('faults'), minutes * MINUTE_MS, SCHEDULED_FAULT_KINDS);

describe('the random generator of chaos runs', () => {
  it('repeats its numbers for the same seed only', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next);
    assert.deepEqual(draw(SEED), draw(SEED));
    assert.notDeepEqual(draw(SEED), draw(SEED + 1));
  });

  it('stays within its bounds and reaches both', () => {
    const random = createRandom(SEED);
    const numbers = Array.from({ length: 2_000 }, () => random.between(3, 6));
    assert.deepEqual([...new Set(numbers)].sort(), [3, 4, 5, 6]);
  });

  it('returns a fork that does not depend on earlier numbers', () => {
    const random = createRandom(SEED);
    const before = random.fork('one').next();
    random.next();
    assert.equal(random.fork('one').next(), before);
    assert.notEqual(random.fork('two').next(), before);
  });

  it('samples distinct items, at most all of them', () => {
    const sample = createRandom(SEED).sample([1, 2, 3], 5);
    assert.deepEqual([...sample].sort(), [1, 2, 3]);
  });

  it('throws if there is nothing to pick from', () => {
    assert.throws(() => createRandom(SEED).pick([]), RangeError);
  });
});

describe('the plan of faults', () => {
  it('depends only on the seed', () => {
    assert.deepEqual(planFor(SEED), planFor(SEED));
    assert.notDeepEqual(planFor(SEED), planFor(SEED + 1));
  });

  it('contains every kind in a run of five minutes, within its time', () => {
    const faults = planFor(SEED);
    assert.deepEqual(new Set(faults.map(({ kind }) => kind)), new Set(SCHEDULED_FAULT_KINDS));
    for (const { kind, atMs, lastsMs } of faults) {
      assert.ok(atMs < 5 * MINUTE_MS);
      assert.ok(lastsMs <= (kind.endsWith('_away') ? 3 * MINUTE_MS : 20 * SECOND_MS));
    }
  });

  it('has in ten minutes a provider away for longer than anything waits without an advisory, and all workers away later', () => {
    for (const seed of [1, 2, 3]) {
      const faults = planFor(seed, 10);
      const provider = faults.find(({ kind }) => kind === 'provider_away');
      const workers = faults.find(({ kind }) => kind === 'workers_away');
      assert.ok(provider !== undefined && workers !== undefined);
      assert.ok(provider.lastsMs > WAITING_AFTER_MS);
      assert.ok(provider.atMs + provider.lastsMs < workers.atMs);
      assert.ok(workers.atMs + workers.lastsMs < 10 * MINUTE_MS);
    }
  });

  it('pauses workers for longer than their heartbeat', () => {
    const paused = planFor(SEED, 60).filter(
      (fault) => fault.kind === 'pause' && fault.victims.some((name) => name.startsWith('worker')),
    );
    assert.ok(paused.some(({ lastsMs }) => lastsMs > 10 * SECOND_MS));
  });

  it('sends simulators only settings that they accept', () => {
    for (const fault of planFor(SEED, 60)) if ('settings' in fault) faultsSchema.parse(fault.settings);
  });

  it("pauses vendors' fakes, and never kills them, because they would forget their payments", () => {
    const victimsOf = (kind: 'kill' | 'pause'): readonly string[] =>
      planFor(SEED, 60).flatMap((fault) => ('victims' in fault && fault.kind === kind ? fault.victims : []));
    const fakes = ['fake-adyen', 'fake-cashfree', 'fake-stripe'];
    assert.deepEqual([...new Set(victimsOf('pause').filter((name) => name.startsWith('fake-')))].sort(), fakes);
    assert.ok(!victimsOf('kill').some((name) => name.startsWith('fake-')));
  });

  it('has faults of every provider', () => {
    const providers = planFor(SEED, 60).flatMap((fault) => ('provider' in fault ? fault.provider : []));
    assert.deepEqual(new Set(providers), new Set(PROVIDERS));
  });

  it('contains only the requested kinds', () => {
    const kinds = planFaults(createRandom(SEED), MINUTE_MS, ['kill']).map(({ kind }) => kind);
    assert.deepEqual([...new Set(kinds)], ['kill']);
    assert.deepEqual(planFaults(createRandom(SEED), MINUTE_MS, []), []);
  });

  it('has a description for each fault', () => {
    for (const fault of planFor(SEED)) assert.ok(describeFault(fault).startsWith(`${fault.kind}: `));
  });
});

describe('the plan of a payment', () => {
  const plans = Array.from({ length: 3_000 }, (_, number) =>
    planPayment(createRandom(SEED).fork(`payment ${number}`), OPERATOR_KINDS, null),
  );

  it('depends only on the seed and the number of the payment', () => {
    assert.deepEqual(planPayment(createRandom(SEED).fork('payment 12'), OPERATOR_KINDS, null), plans[12]);
  });

  it('ends within two minutes, even if the payment is left open', () => {
    for (const { terms } of plans) {
      const { expiresInSeconds } = terms;
      assert.ok(typeof expiresInSeconds === 'number' && expiresInSeconds >= 60 && expiresInSeconds <= 120);
    }
  });

  it('covers every scenario, every follow-up and every action of an operator', () => {
    assert.ok(new Set(plans.map(({ scenario }) => scenario)).size >= 30);
    assert.equal(new Set(plans.map(({ followUp }) => followUp)).size, 7);
    assert.deepEqual(new Set(plans.flatMap(({ operator }) => operator?.kind ?? [])), new Set(OPERATOR_KINDS));
  });

  it('leaves most payments to the simulators, and has a customer for every card payment in rupees', () => {
    const atVendors = plans.filter(({ terms }) => 'returnUrl' in terms);
    assert.ok(atVendors.length > plans.length / 4 && atVendors.length < plans.length / 2, String(atVendors.length));
    const inRupees = atVendors.filter(({ terms }) => terms['currency'] === 'INR');
    assert.ok(inRupees.length > 0);
    for (const { settlement } of inRupees) assert.notEqual(settlement, null);
  });

  it('cancels no payment that may be on its way to Adyen', () => {
    const canceled = plans.filter(
      ({ terms, cancelAfterMs, operator }) =>
        'returnUrl' in terms && (cancelAfterMs !== null || operator?.kind === 'operator_cancel'),
    );
    assert.deepEqual(new Set(canceled.map(({ terms }) => terms['currency'])), new Set(['CAD', 'INR']));
  });

  it('never confirms at creation a payment that is updated or canceled first', () => {
    const early = plans.filter(({ confirmsAtCreation }) => confirmsAtCreation);
    assert.ok(early.length > 0);
    for (const { cancelAfterMs, patchedAmount } of early)
      assert.deepEqual([cancelAfterMs, patchedAmount], [null, null]);
  });

  it('follows the named scenario, and none other', () => {
    const approved = Array.from({ length: 50 }, (_, number) =>
      planPayment(createRandom(SEED).fork(`payment ${number}`), [], 'approved'),
    );
    assert.deepEqual([...new Set(approved.map(({ scenario }) => scenario))], ['approved']);
  });

  it('has no operator actions where none are requested', () => {
    const { operator } = planPayment(createRandom(SEED), [], null);
    assert.equal(operator, null);
  });
});

describe('the options of the chaos command', () => {
  it('have defaults', () => {
    const options = readOptions([], 12);
    assert.deepEqual(options, {
      minutes: 3,
      seed: 12,
      paymentsPerMinute: 120,
      clients: 12,
      faultKinds: DEFAULT_FAULT_KINDS,
      scenario: null,
      file: undefined,
    });
  });

  it('are parsed', () => {
    const args = '--minutes 2 --seed 7 --payments-per-minute 60 --faults pause,kill --json result.json'.split(' ');
    assert.deepEqual(readOptions(args, 12), {
      minutes: 2,
      seed: 7,
      paymentsPerMinute: 60,
      clients: 12,
      faultKinds: ['kill', 'pause'],
      scenario: null,
      file: 'result.json',
    });
    assert.deepEqual(readOptions(['--faults', 'none'], 12).faultKinds, []);
    assert.deepEqual(readOptions(['--faults', 'all'], 12).faultKinds, FAULT_KINDS);
    assert.equal(readOptions(['--scenario', 'lost reply'], 12).scenario, 'lost reply');
  });

  for (const [wrong, problem] of [
    ['--minutes 0', '--minutes must be a whole number from 1 to 1440.'],
    ['--minutes x', '--minutes must be a whole number from 1 to 1440.'],
    ['--seed 1.5', '--seed must be a whole number from 0 to 4294967295.'],
    ['--seed=-1', '--seed must be a whole number from 0 to 4294967295.'],
    ['--faults kill,killing', 'There is no fault "killing".'],
    ['--scenario unheard', 'There is no scenario "unheard".'],
    ['--other', "Unknown option '--other'"],
    ['word', "Unexpected argument 'word'"],
  ] as const) {
    it(`reject ${wrong}, and say why`, () => {
      assert.throws(
        () => readOptions(wrong.split(' '), 12),
        (error) => error instanceof UserError && error.message.startsWith(problem),
      );
    });
  }
});
