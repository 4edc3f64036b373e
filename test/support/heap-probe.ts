/** Loaded into a server before itself: reports its used heap to the process that started it. */
process.on('message', (message) => {
  if (message !== 'heap') return;
  globalThis.gc?.();
  // What was freed may itself have kept something until its finalizers ran.
  setTimeout(() => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }, 50);
});
// It must neither keep the server alive nor end it.
process.channel?.unref();
