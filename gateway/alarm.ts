/** A pause that can be cut short. */
export interface WakeSignal {
  /** Waits, unless `ring` was called since the last wait. */
  wait(milliseconds: number): Promise<void>;
  wake(): void;
}

export function createWakeSignal(): WakeSignal {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    async wait(milliseconds) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
    wake() {
      rung = true;
      wake?.();
    },
  };
}
