import { sessionTokenOf } from '../../http/authentication/session.ts';
import type { ApiRequest } from '../../http/request-context.ts';
import type { DashboardConfig } from '../../config/dashboard.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { endPastSessions, noteSessionUse } from '../../prisma/queries/person.ts';
import { sessionCookieOf } from './auth.ts';
import { sessionOf } from './session-cookie.ts';

export interface PastSessionDependencies extends Pick<DashboardConfig, 'publicUrl' | 'secret' | 'sessionLimits'> {
  readonly database: Database;
}

/** Before the library looks at a session: ends what is past its limits, of which the library knows none, and notes the use of the rest. */
export async function refreshSessions(
  { publicUrl, secret, sessionLimits, database }: PastSessionDependencies,
  request: ApiRequest,
): Promise<void> {
  const token = sessionTokenOf(`Session ${sessionOf(request, sessionCookieOf(publicUrl)) ?? ''}`, secret);
  if (token === undefined) return;
  await database.direct.execute(endPastSessions(token, sessionLimits));
  await database.direct.execute(noteSessionUse(token));
}
