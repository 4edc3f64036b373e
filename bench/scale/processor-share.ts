import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../domain/user-error.ts';

/** Holds processes to a share of a core each. */
export interface ProcessorShares {
  /** @param share of one core, from 0 to 1; null lifts the limit */
  hold(pid: number, share: number | null): void;
  /** Lifts all limits. */
  end(): void;
}

const PERIOD_US = 20_000;
const ROOT = '/sys/fs/cgroup';

/**
 * By control groups of Linux, one for each process. The scheduler stops a process that has used up its share of a period of
 * 20 ms, so the limit is as even as a slower processor. `taskset` cannot divide a core, and `cpulimit` stops processes for
 * longer times.
 * @throws UserError where they cannot be made
 */
export function createProcessorShares(): ProcessorShares {
  const isVersion2 = existsSync(path.join(ROOT, 'cgroup.controllers'));
  const parent = isVersion2 ? ROOT : path.join(ROOT, 'cpu');
  const groups = new Map<number, string>();
  const groupOf = (pid: number): string => {
    const known = groups.get(pid);
    if (known !== undefined) return known;
    const group = path.join(parent, `payment-engine-bench-${pid}`);
    mkdirSync(group);
    groups.set(pid, group);
    return group;
  };
  const hold = (pid: number, share: number | null): void => {
    const group = groupOf(pid);
    const quotaUs = share === null ? null : Math.round(share * PERIOD_US);
    if (isVersion2) writeFileSync(path.join(group, 'cpu.max'), `${quotaUs ?? 'max'} ${PERIOD_US}`);
    else {
      writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(quotaUs ?? -1));
    }
    // Takes all threads of the process along.
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
  };
  return {
    hold(pid, share) {
      try {
        hold(pid, share);
      } catch (error) {
        throw new UserError(
          `This benchmark holds processes to shares of a core, for which it needs control groups of Linux: run it as root. (${String(error)})`,
        );
      }
    },
    end() {
      for (const [pid, group] of groups) leave(pid, group, parent);
    },
  };
}

/** A group can be removed when no process is in it; one that has ended is in none. */
function leave(pid: number, group: string, parent: string): void {
  try {
    writeFileSync(path.join(parent, 'cgroup.procs'), String(pid));
  } catch {
    // The process has ended.
  }
  try {
    rmdirSync(group);
  } catch {
    // What remains is empty, and vanishes with the machine.
  }
}
