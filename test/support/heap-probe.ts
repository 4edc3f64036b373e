/** Loaded into a server before itself: tells the process that started it how much of its heap is in use. */
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
