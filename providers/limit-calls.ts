import { providerLabelOf } from '../domain/provider-account.ts';
import { aroundCalls, type ProviderOperation } from './around-calls.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { ProviderOutageError } from './provider-errors.ts';

/**
 * Calls that one worker has open at most, of the activities that it can run at a time: a provider that hangs must leave most of
 * them to the others.
 */
export const CALLS_AT_ONCE = { ofProvider: 100, ofKind: 200 } as const;

/** Operations that a customer waits for. All others together may use half of the calls. */
const URGENT: ReadonlySet<ProviderOperation> = new Set(['authorize', 'capture']);

export interface ProviderCallLimits {
  /** Begins a call; undefined where the provider, or its kind, has as many calls open as it may. The result ends the call. */
  begin(provider: string, operation: ProviderOperation): (() => void) | undefined;
}

/** @param onChange called with the number of open calls of a kind of provider when it changes */
export function createCallLimits(
  onChange: (kind: string, inFlight: number) => void = () => undefined,
): ProviderCallLimits {
  const open = new Map<string, number>();
  const countOf = (key: string): number => open.get(key) ?? 0;
  const change = (key: string, by: 1 | -1): void => {
    const count = countOf(key) + by;
    if (count === 0) open.delete(key);
    else open.set(key, count);
  };
  return {
    begin(provider, operation) {
      const isUrgent = URGENT.has(operation);
      const kind = providerLabelOf(provider);
      const limits = [
        { key: `provider ${provider}`, most: CALLS_AT_ONCE.ofProvider },
        { key: `kind ${kind}`, most: CALLS_AT_ONCE.ofKind },
        ...(isUrgent
          ? []
          : [
              { key: `others of provider ${provider}`, most: CALLS_AT_ONCE.ofProvider / 2 },
              { key: `others of kind ${kind}`, most: CALLS_AT_ONCE.ofKind / 2 },
            ]),
      ];
      if (limits.some(({ key, most }) => countOf(key) >= most)) return undefined;
      const changeAll = (by: 1 | -1): void => {
        for (const { key } of limits) change(key, by);
        onChange(kind, countOf(`kind ${kind}`));
      };
      changeAll(1);
      return () => changeAll(-1);
    },
  };
}

/**
 * The same provider with a limit of open calls. A call beyond it is not made, and fails as a provider does that is unavailable:
 * Temporal tries it again later, and the worker's slot is free for other providers meanwhile.
 */
export function limitCalls(provider: PaymentProvider, limits: ProviderCallLimits): PaymentProvider {
  const { name } = provider;
  return aroundCalls(provider, async (operation, call) => {
    const end = limits.begin(name, operation);
    if (end === undefined) throw new ProviderOutageError('TSP_UNAVAILABLE', `${name} has too many calls open`);
    try {
      return await call();
    } finally {
      end();
    }
  });
}
