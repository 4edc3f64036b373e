import { z } from 'zod';

/** Cards and keys of the examples stay valid for the years in which readers copy them. */
export const EXPIRY_YEAR = 2035;

/** Parts of a text that differ from one recording to the next, or are secret, and what stands for them. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/_secret_[0-9A-Za-z]{48}/g, '_secret_masked'],
  [/\bsvc_(test|live)_[\w-]{20,}/g, 'svc_$1_masked'],
  [/\bwhsec_[0-9A-Za-z+/=]{20,}/g, 'whsec_masked'],
  [/Lamp for Ms Zaphira/g, 'A lamp'],
  [/Quibble lane 17/g, 'Leave it at the door'],
  [/http:\/\/127\.0\.0\.1:\d+\/pay\/[\w-]{32}/g, 'https://pay.example/pay/masked'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://shop.example'],
  // A beginning in a query string.
  [/\b20\d\d-\d\d-\d\dT00%3A00%3A00\.000Z/g, '2026-11-22T00%3A00%3A00.000Z'],
  [/\b127\.0\.0\.1\b/g, '203.0.113.7'],
  [/\b0x[0-9a-f]{40}\b/g, '0x5a4db0c55a4db0c568bd31fe770690e8e20657de'],
];

/** Members whose values are secret, or differ from one recording to the next. */
const BY_MEMBER: Readonly<Record<string, (value: unknown) => unknown>> = {
  // Whoever sends the request as it is has to pass validation.
  webhookSecret: () => 'whsec_d2ViaG9vayBzZWNyZXQgb2YgYSBzaW11bGF0b3I=',
  secretSalt: (value) => (typeof value === 'string' ? 'masked' : value),
  prefix: () => 'svc_test_1a2b',
  durationMs: () => 42,
  medianMs: () => 180,
  p95Ms: () => 420,
  expiryYear: () => EXPIRY_YEAR,
  transactionHash: () => '0e59e29fb92070d8a852b7829e6fe2bef9835ec2f251f6cfbfd4f7fa2f0b2676',
};

const FIRST = '2026-11-22T12:00:00.000Z';
/** The time that each member has in the examples; `FIRST` for all others. */
const TIMES: Readonly<Record<string, string>> = {
  updatedAt: '2026-11-22T12:00:02.000Z',
  finishedAt: '2026-11-22T12:00:02.000Z',
  expiresAt: '2026-11-22T12:30:00.000Z',
  from: '2026-11-22T00:00:00.000Z',
  to: '2026-11-23T00:00:00.000Z',
  startsAt: '2026-11-22T00:00:00.000Z',
  since: '2026-11-22T11:58:30.000Z',
  revokedAt: '2026-11-22T12:00:02.000Z',
  disabledAt: '2026-11-22T12:00:02.000Z',
  lastSuccessAt: '2026-11-22T12:00:01.000Z',
  lastFailureAt: '2026-11-22T12:00:01.000Z',
  previousSecretExpiresAt: '2026-11-22T13:00:00.000Z',
  resetAt: '2026-11-22T12:01:00.000Z',
  refundableUntil: '2026-11-21T12:00:00.000Z',
};

/** Times of `EXPIRY_YEAR` were chosen. */
const TIME = /\b20(?!35)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const ID = /\b([a-z]{2,9})_([0-9a-f]{32})(?![0-9a-f])/g;
/** A delivery's id is made of those of its event and its endpoint. */
const DELIVERY_ID = /\bwhd_([0-9a-f]{32})_([0-9a-f]{32})/g;
const FIRST_ID = '0197f3c29a4b7d1e8c5f60718293a4b5';
/** Kinds of ids that have the unique part of another kind. */
const SAME_ID_AS: Readonly<Record<string, string>> = { att: 'pi', stray: 'pi', whd: 'evt' };

/** The origins of servers and keys of providers, and what stands for them. */
export type Origins = Readonly<Record<string, string>>;

/**
 * Replaces what differs from one recording to the next by fixed values, and masks secrets: ids are numbered by kind in the
 * order in which they are met, times depend on their member. So recording again changes nothing.
 */
export function normalise<Value>(value: Value, origins: Origins): Value {
  const idNumbers = new Map<string, Map<string, number>>();
  const fixedId = (kind: string, unique: string): string => {
    if (kind === 'req') return `req_${FIRST_ID}`;
    const numbers = idNumbers.get(SAME_ID_AS[kind] ?? kind) ?? new Map<string, number>();
    idNumbers.set(SAME_ID_AS[kind] ?? kind, numbers);
    const number = numbers.get(unique) ?? numbers.size;
    numbers.set(unique, number);
    const end = (Number.parseInt(FIRST_ID.slice(-4), 16) + number).toString(16);
    return `${kind}_${FIRST_ID.slice(0, -4)}${end}`;
  };
  const fixedDelivery = (_id: string, event: string, endpoint: string): string =>
    `${fixedId('whd', event)}_${fixedId('whe', endpoint).slice('whe_'.length)}`;
  const fixedText = (text: string, member: string): string => {
    const withOrigins = Object.entries(origins).reduce((sofar, [from, to]) => sofar.replaceAll(from, to), text);
    return REPLACEMENTS.reduce((sofar, [from, to]) => sofar.replaceAll(from, to), withOrigins)
      .replaceAll(DELIVERY_ID, fixedDelivery)
      .replaceAll(ID, (_id, kind: string, unique: string) => fixedId(kind, unique))
      .replaceAll(TIME, TIMES[member] ?? FIRST);
  };
  const fixed = (part: unknown, member: string): unknown => {
    const ofMember = BY_MEMBER[member];
    if (ofMember !== undefined) return ofMember(part);
    if (typeof part === 'string') return fixedText(part, member);
    if (Array.isArray(part)) return inOrder(part, member).map((element) => fixed(element, member));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(membersOf(part).map(([name, inner]) => [name, fixed(inner, name)]));
  };
  const numberOf = (route: unknown): number => idNumbers.get('rt')?.get(uniquePartOf(route)) ?? Infinity;
  /** The order of routes that are passed over is that of their ids, which are drawn. */
  const inOrder = (elements: readonly unknown[], member: string): readonly unknown[] =>
    member === 'passedOver'
      ? elements.toSorted((one, other) => compare(sortKeyOf(one), sortKeyOf(other)) || numberOf(one) - numberOf(other))
      : elements;
  return fixed(value, '') as Value;
}

const skippedRoute = z.object({ routeId: z.string(), provider: z.string(), reason: z.string() });

function uniquePartOf(route: unknown): string {
  return skippedRoute.parse(route).routeId.slice('rt_'.length);
}

function sortKeyOf(route: unknown): string {
  const { provider, reason } = skippedRoute.parse(route);
  return `${provider} ${reason}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Small objects with a type come from the request or from the database, in either's order. */
function membersOf(part: object): [string, unknown][] {
  const members = Object.entries(part);
  if (!('type' in part) || 'id' in part || 'object' in part) return members;
  return members.sort(([one], [other]) => Number(other === 'type') - Number(one === 'type') || compare(one, other));
}
