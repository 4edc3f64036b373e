import type { PaymentProvider } from './payment-provider.ts';

/** Members that are no call to the provider. */
const LOCAL = ['name', 'capabilities', 'parseWebhook', 'isProgressing', 'canAuthenticate'] as const;

/** A method of a provider that calls it. */
export type ProviderOperation = Exclude<keyof PaymentProvider, (typeof LOCAL)[number]>;

/** What is done around each call. */
export type AroundCall = <Outcome>(
  operation: ProviderOperation,
  call: () => Promise<Outcome>,
  signal: AbortSignal,
) => Promise<Outcome>;

type Method = (...parameters: unknown[]) => unknown;
type Call = (request: unknown, signal: AbortSignal) => Promise<unknown>;

/** The same provider, with something done around each call. Methods are called on the provider itself, which may have private members. */
export function aroundCalls(provider: PaymentProvider, around: AroundCall): PaymentProvider {
  return new Proxy(provider, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!isOperation(name)) return (...parameters: unknown[]) => (member as Method).apply(target, parameters);
      return (request: unknown, signal: AbortSignal) =>
        around(name, () => (member as Call).call(target, request, signal), signal);
    },
  });
}

function isOperation(name: string | symbol): name is ProviderOperation {
  return typeof name === 'string' && !LOCAL.some((local) => local === name);
}
