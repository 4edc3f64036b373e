import v8 from 'node:v8';

/**
 * The program of the thread in which workflows run: the SDK's own, without its hook on promises. That would run for every promise of
 * a workflow, to record where it waits; `workflows/shared/stack-traces.ts` leaves those records empty.
 */
v8.promiseHooks.createHook = () => () => undefined;
await import('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
