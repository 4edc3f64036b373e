import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'react-admin';
import type { DashboardData } from '../core/data-provider.ts';
import type { RequestOptions } from '../core/request.ts';

/** The data of the page's account. */
export function useData(): DashboardData {
  return useDataProvider<DashboardData>();
}

interface ReadOptions {
  readonly query?: RequestOptions['query'];
  /** Read again so often; left out: once. */
  readonly pollEveryMs?: number | false;
  readonly enabled?: boolean;
}

/** GET of anything below /api/v1, as react-query gives it. */
export function useRead<Data>(path: string, { query = {}, pollEveryMs = false, enabled = true }: ReadOptions = {}) {
  const { read } = useData();
  return useQuery({
    queryKey: ['read', path, query],
    queryFn: () => read<Data>(path, query),
    refetchInterval: pollEveryMs,
    enabled,
  });
}
