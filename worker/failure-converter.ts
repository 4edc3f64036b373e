import { DefaultFailureConverter } from '@temporalio/common';

/** Puts the message and the stack trace of a failure into a payload, which the codec encrypts. Loaded by its path. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
