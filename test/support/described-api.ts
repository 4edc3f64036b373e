import type { Express } from 'express';
import { type ApiDependencies, createApp } from '../../api/app.ts';
import { placeholderDependencies } from '../../docs/site/described-api.ts';

export { describeApi, describeOperations } from '../../docs/site/described-api.ts';

/** The application hashes the SDK that it serves, so that one has to be bytes. */
const NOTHING = Buffer.alloc(0);
const checkoutSdk = { code: NOTHING, cardFields: { html: '', script: NOTHING, style: NOTHING } };

/** The application as it is mounted. */
export function mountedApp(settings: Partial<ApiDependencies> = {}): Express {
  return createApp(
    placeholderDependencies({ checkoutSdk, cardFieldsOrigins: [], docsSite: [], securityContacts: [], ...settings }),
  );
}
