/**
 * Loaded once for all workflows of a worker, before any of them. The sandbox takes a stack trace of every promise that a
 * workflow makes, which at the usual depth is a third of what a payment costs a worker. The place and its callers are enough.
 */
Error.stackTraceLimit = 3;

export {};
