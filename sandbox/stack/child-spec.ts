/** A process that the supervisor keeps running, and how it does so. */
export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
  /** Whether it is a Node program that drains when its parent has died. */
  readonly isNode: boolean;
  /** Whether it runs before other processes while the processors are full, where the system allows that. */
  readonly isUrgent?: boolean;
  readonly stopSignal: 'SIGTERM' | 'SIGINT';
  readonly stopWithinMs: number;
  readonly readyWithinMs: number;
  /** Removes what an earlier run may have left. */
  readonly beforeStart?: () => Promise<void>;
  /** Whether it is ready; receives what it has written since its start. */
  readonly isReady: (output: string) => Promise<boolean> | boolean;
  /** What its last output means to the user; undefined when that is not known. */
  readonly explain?: (output: string) => string | undefined;
}
