import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useDataProvider } from 'react-admin';
import type { DashboardData } from '../core/data-provider.ts';
import type { RequestOptions } from '../core/request.ts';

/** The data of the page's account. */
export function useData(): DashboardData {
  return useDataProvider<DashboardData>();
}

interface ReadOptions<Data> {
  readonly query?: RequestOptions['query'];
  readonly enabled?: boolean;
  /** After how many milliseconds it is read again; left out: never. @param count how often it was read */
  readonly poll?: (data: Data | undefined, count: number) => number | false;
}

/** GET of anything below /api/v1, as react-query gives it. */
export function useRead<Data>(path: string, { query = {}, enabled = true, poll }: ReadOptions<Data> = {}) {
  const { read } = useData();
  return useQuery({
    queryKey: ['read', path, query],
    queryFn: () => read<Data>(path, query),
    refetchInterval: ({ state }) => poll?.(state.data, state.dataUpdateCount) ?? false,
    enabled,
  });
}

/** Every row of a list that stays short, such as the members of a team. */
export function useReadAll<Item>(path: string, { enabled = true }: Pick<ReadOptions<Item>, 'enabled'> = {}) {
  const { readAll } = useData();
  return useQuery({ queryKey: ['read', path, 'all'], queryFn: () => readAll<Item>(path), enabled });
}

/** Reads everything of the page again when a state has changed since it was first known, such as that of a payment. */
export function useReadAgain(state: string | undefined): void {
  const queries = useQueryClient();
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== state) void queries.invalidateQueries({ queryKey: ['read'] });
    shown.current = state;
  }, [queries, state]);
}
