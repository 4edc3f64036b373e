import { fileURLToPath } from 'node:url';
import type { DataConverter, PayloadCodec } from '@temporalio/common';

export interface WorkerCodec {
  readonly codec: PayloadCodec;
  /** Whether the codec encrypts. */
  readonly encrypts: boolean;
}

/** How a worker converts payloads. Where they are encrypted, so are the messages and stack traces of activities' failures. */
export function workerDataConverter({ codec, encrypts }: WorkerCodec): DataConverter {
  return {
    payloadCodecs: [codec],
    ...(encrypts ? { failureConverterPath: fileURLToPath(new URL('failure-converter.js', import.meta.url)) } : {}),
  };
}
