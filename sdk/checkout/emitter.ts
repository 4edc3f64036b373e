import type { Unsubscribe } from './types.ts';

export interface Emitter<Events extends object> {
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): Unsubscribe;
  /** Calls the listeners of the event's type; an error of one affects neither the others nor the SDK. */
  emit<Name extends keyof Events>(event: Events[Name] & { readonly type: Name }): void;
}

/**
 * `nanoevents` would not replace this: there a listener that throws stops the others, and its license would have to be in
 * the module that pages load.
 */
export function createEmitter<Events extends object>(report: (error: unknown) => void): Emitter<Events> {
  const listeners = new Map<keyof Events, Set<(event: never) => void>>();
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
