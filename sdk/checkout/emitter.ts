import type { CheckoutEvents, Unsubscribe } from './types.ts';

type Listener<Name extends keyof CheckoutEvents> = (event: CheckoutEvents[Name]) => void;

export interface Emitter {
  on<Name extends keyof CheckoutEvents>(name: Name, listener: Listener<Name>): Unsubscribe;
  /** Calls the listeners of the event's type; an error of one affects neither the others nor the SDK. */
  emit<Name extends keyof CheckoutEvents>(event: CheckoutEvents[Name] & { readonly type: Name }): void;
}

/**
 * `nanoevents` would not replace this: there a listener that throws stops the others, and its license would have to be in
 * the module that pages load.
 */
export function createEmitter(report: (error: unknown) => void): Emitter {
  const listeners = new Map<keyof CheckoutEvents, Set<(event: never) => void>>();
  return {
    on(name, listener) {
      // A function of its own, so that the same listener can be there twice and leave once.
      const call = (event: never): void => listener(event);
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(call));
      return () => void ofName.delete(call);
    },
    emit(event) {
      for (const call of [...(listeners.get(event.type) ?? [])]) {
        try {
          const outcome: unknown = call(event as never);
          if (outcome instanceof Promise) outcome.catch(report);
        } catch (error) {
          report(error);
        }
      }
    },
  };
}
