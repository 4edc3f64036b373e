/** Preloaded into a server: reports the server's used heap to its parent. */
process.on('message', (message) => {
  if (message !== 'heap') return;
  globalThis.gc?.();
  // Freed objects may have kept others alive until their finalizers ran.
  setTimeout(() => {
    globalThis.gc?.();
    process.send?.(process.memoryUsage().heapUsed);
  }, 50);
});
// It must neither keep the server alive nor end it.
process.channel?.unref();
