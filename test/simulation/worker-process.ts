import type { Process } from './virtual-time.ts';

/** A worker process: it can be stopped for a while (SIGSTOP), and killed. */
export class WorkerProcess implements Process {
  readonly name: string;
  isAlive = true;
  isPaused = false;
  #waiting: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  get takesTasks(): boolean {
    return this.isAlive && !this.isPaused;
  }

  whenResumed(work: () => void): void {
    this.#waiting.push(work);
  }

  pause(): void {
    this.isPaused = true;
  }

  /** What came while it was stopped happens now, in its order, however late. */
  resume(): void {
    this.isPaused = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const work of waiting) if (this.isAlive) work();
  }

  kill(): void {
    this.isAlive = false;
    this.#waiting = [];
  }
}
