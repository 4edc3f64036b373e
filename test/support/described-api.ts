import type { Express } from 'express';
import { z } from 'zod';
import { type ApiDependencies, createApp } from '../../api/app.ts';
import { describeApi, describeOperations, placeholderDependencies } from '../../docs/site/described-api.ts';

export { describeApi, describeOperations };

/** The application hashes the SDK that it serves, so that one has to be bytes. */
const NOTHING = Buffer.alloc(0);
const checkoutSdk = { code: NOTHING, cardFields: { html: '', script: NOTHING, style: NOTHING } };

const sampled = z.looseObject({
  operationId: z.string(),
  'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string(), source: z.string() })).optional(),
});

/** The code samples of the OpenAPI document, by operation. */
export function codeSamples(): ReadonlyMap<string, NonNullable<z.infer<typeof sampled>['x-codeSamples']>> {
  const paths = z.record(z.string(), z.record(z.string(), sampled)).parse(describeApi().paths);
  return new Map(
    Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ operationId, 'x-codeSamples': samples }) => (samples === undefined ? [] : [[operationId, samples]])),
  );
}

/** The application as it is mounted. */
export function mountedApp(settings: Partial<ApiDependencies> = {}): Express {
  return createApp(
    placeholderDependencies({
      checkoutSdk,
      cardFieldsOrigins: [],
      docsSite: [],
      securityContacts: [],
      apiPublicUrl: null,
      pageRequestsPerMinute: 1,
      ...settings,
    }),
  );
}
