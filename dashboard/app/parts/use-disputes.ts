import { useGetList } from 'react-admin';
import type { Dispute } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';

const READ_EVERY_MS = 60_000;

/** How many disputes need an answer, and until when the first one does; none where the person may not read them. */
export function useDisputesToAnswer(): { readonly count: number; readonly firstUntil: string | null } {
  const { data, total = 0 } = useGetList<Dispute>(
    'disputes',
    { filter: { status: 'needs_response' }, pagination: { page: 1, perPage: 1 } },
    { enabled: useMay('disputes:read'), refetchInterval: READ_EVERY_MS },
  );
  return { count: total, firstUntil: data?.[0]?.respondBy ?? null };
}
