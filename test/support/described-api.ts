import type { Express } from 'express';
import { z } from 'zod';
import { type ApiDependencies, createApp } from '../../api/app.ts';
import type { ApiOperation } from '../../api/resources/api-operation.ts';
import { createApiOperations } from '../../api/resources/api-operations.ts';
import { createOpenApiDocument, type OpenApiDocument } from '../../api/openapi/document.ts';

/** A placeholder for dependencies that only requests use: every member is the placeholder itself, and calls do nothing. */
const nothing: object = new Proxy(() => undefined, { get: () => nothing, apply: () => nothing });
/** The application hashes the SDK that it serves, so that one has to be bytes. */
const checkoutSdk = { code: Buffer.alloc(0) };
const dependencies = Object.create(nothing, { checkoutSdk: { value: checkoutSdk } });

/** The descriptions of all API operations; their handlers do not work. */
export function describeOperations(): readonly ApiOperation[] {
  return createApiOperations(dependencies);
}

/** The OpenAPI document as the API would serve it. */
export function describeApi(): OpenApiDocument {
  return createOpenApiDocument(describeOperations());
}

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
  const own = Object.entries({ docs: true, securityContacts: [], ...settings }).map(([name, value]) => [
    name,
    { value },
  ]);
  return createApp(Object.create(dependencies, Object.fromEntries(own)));
}
