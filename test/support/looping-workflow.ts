/** Never ends its first task. */
export function loopingWorkflow(): Promise<void> {
  for (;;);
}

export function quickWorkflow(): Promise<string> {
  return Promise.resolve('done');
}
