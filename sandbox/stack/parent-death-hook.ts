/** Loaded into each Node process of the stack: when the process that started it is gone, it drains as if asked to. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
