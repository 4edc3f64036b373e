import type { ContractContext, Fault } from './subject.ts';

/** A call that fails in one of these ways may have done its work or not. */
export const FAULTS: readonly Fault[] = [
  'lose_request',
  'lose_reply',
  { status: 500, work: 'not_done' },
  { status: 500, work: 'done' },
  { status: 502, work: 'done' },
  { status: 503, work: 'not_done' },
  { status: 429, work: 'not_done' },
  { status: 409, work: 'not_done' },
];

/** How many calls of the adapter to its provider an operation makes where none fails. */
export async function countCalls({ subject }: ContractContext, operate: () => Promise<unknown>): Promise<number> {
  subject().faults.plan([]);
  await operate();
  return subject().faults.calls();
}

export function eachCall(calls: number, faults: readonly Fault[]): readonly (readonly [number, Fault])[] {
  return Array.from({ length: calls }, (_, index) => faults.map((fault) => [index, fault] as const)).flat();
}

/** Lets the calls before it pass. */
export function at(index: number, fault: Fault): readonly (Fault | null)[] {
  return [...Array.from({ length: index }, () => null), fault];
}

export function describeFault(index: number, fault: Fault): string {
  const kind = typeof fault === 'string' ? fault : `${fault.status}, work ${fault.work}`;
  return `call ${index + 1}: ${kind}`;
}
