/** Loaded into each Node process of the stack: when its parent dies, it drains as on SIGTERM. */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
