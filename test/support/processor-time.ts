/**
 * The least processor time that some runs of a function took, in ms. On a busy machine it grows far less than the time that passes.
 */
export function processorTimeMs(work: () => void, runs = 5): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
