import type { DataProvider, GetListParams } from 'react-admin';
import type { WithKey } from './idempotency.ts';
import { pairsIn } from './metadata.ts';
import { ANY_WITH_CENTS, parseMoney } from './money.ts';
import {
  type Call,
  download,
  type DownloadedFile,
  type Listed,
  readAll,
  type RequestOptions,
  type Row,
  type Scope,
  send,
} from './request.ts';
import { findPayments } from './search.ts';

type Json = Record<string, unknown>;

/** The calls of the pages beyond those by which react-admin reads and writes resources. */
export interface DashboardData extends DataProvider {
  /** GET of anything below /api/v1: the envelope's `data`. */
  read: <Data>(path: string, query?: RequestOptions['query']) => Promise<Data>;
  /** GET of every page of a list that stays short. */
  readAll: <Item>(path: string) => Promise<readonly Item[]>;
  /** POST of an action: the envelope's `data`. */
  act: <Data>(path: string, body: unknown, idempotencyKey: string) => Promise<Data>;
  /** All rows of a list that these filters select, as a CSV file. */
  exportRows: (resource: string, filter: Json, signal: AbortSignal) => Promise<DownloadedFile>;
  /** PUT, which may be repeated: the envelope's `data`. */
  put: <Data>(path: string, body: unknown) => Promise<Data>;
}

/** The order of lists that are not newest first. */
const ORDERS: Readonly<Record<string, Json>> = { disputes: { sort: 'respond_by' } };

/** Lists that have no address of their own members, and are written by PUT. */
const LIMITS = 'channel-limits';

/**
 * Resources over the REST API; a resource is named as in its path.
 * @param scope null where the requests act for no account
 * @param below what comes before the resource in paths
 */
export function createDataProvider(scope: Scope | null, below = ''): DashboardData {
  const inScope = scope === null ? {} : { scope };
  const call: Call = (path, options) => send(`/api/v1/${below}${path}`, { ...options, ...inScope });
  const dataOf = async (path: string, options?: Omit<RequestOptions, 'scope'>): Promise<Row> => {
    const { data } = (await call(path, options)) as { data: Row };
    return data;
  };
  const list = async (resource: string, params: GetListParams) => {
    const { page = 1, perPage = 20 } = params.pagination ?? {};
    const filter = (params.filter ?? {}) as Json;
    const read = async (query: Json): Promise<Listed> =>
      (await call(resource, {
        query: { page, limit: perPage, ...ORDERS[resource], ...query },
        signal: params.signal,
      })) as Listed;
    const query = asQuery(filter);
    const { q, ...others } = query;
    const { data, pagination } =
      resource === 'payment-intents' && typeof q === 'string'
        ? await findPayments(q, others, read, call)
        : await read(query);
    return { data, total: pagination.total, meta: { totalIsEstimate: pagination.totalIsEstimate ?? false } };
  };
  const get = async (resource: string, id: string, signal?: AbortSignal): Promise<Row> => {
    if (resource !== LIMITS) return dataOf(pathTo(resource, id), { signal });
    const [paymentMethod, currency] = id.split(':');
    const { data } = (await call(LIMITS, { query: { paymentMethod, currency }, signal })) as Listed;
    const [limit] = data;
    if (limit === undefined) throw new Error('There is no such limit.');
    return limit;
  };
  const provider = {
    supportAbortSignal: true,
    getList: list,
    getOne: async (resource: string, { id, signal }: { id: string; signal?: AbortSignal }) => ({
      data: await get(resource, id, signal),
    }),
    getMany: async (resource: string, { ids }: { ids: string[] }) => ({
      data: await Promise.all(ids.map((id) => get(resource, id))),
    }),
    getManyReference: (resource: string, params: GetListParams & { target: string; id: string }) =>
      list(resource, { ...params, filter: { ...(params.filter as Json), [params.target]: params.id } }),
    create: async (resource: string, { data, meta }: { data: Json; meta: { withKey: WithKey } }) => {
      if (resource === LIMITS) return { data: await putLimit(dataOf, data) };
      const post = (key: string) => dataOf(resource, { method: 'POST', body: data, idempotencyKey: key });
      return { data: await meta.withKey(data, post) };
    },
    update: async (resource: string, { id, data }: { id: string; data: Json }) => {
      if (resource === LIMITS) return { data: await putLimit(dataOf, data) };
      return { data: await dataOf(pathTo(resource, id), { method: 'PATCH', body: data }) };
    },
    delete: async (resource: string, { id, meta }: { id: string; meta?: { body?: Json } }) => ({
      data: await dataOf(pathTo(resource, id), { method: 'DELETE', body: meta?.body }),
    }),
    updateMany: () => Promise.reject(new Error('The API changes one resource at a time.')),
    deleteMany: () => Promise.reject(new Error('The API deletes one resource at a time.')),
    read: (path: string, query?: RequestOptions['query']) => dataOf(path, { query: query ?? {} }),
    readAll: (path: string) => readAll(path, call),
    act: (path: string, body: unknown, idempotencyKey: string) =>
      dataOf(path, { method: 'POST', body, idempotencyKey }),
    exportRows: async (resource: string, filter: Json, signal: AbortSignal) => {
      const { q, ...others } = asQuery(filter);
      const first = async (query: Json) => (await call(resource, { query: { limit: 1, ...query }, signal })) as Listed;
      const query =
        resource === 'payment-intents' && typeof q === 'string'
          ? (await findPayments(q, others, first, call)).query
          : others;
      return download(`/api/v1/${below}${resource}`, { query, signal, ...inScope });
    },
    put: (path: string, body: unknown) => dataOf(path, { method: 'PUT', body }),
  };
  return provider as DashboardData;
}

/** A filter as the API takes it: with amounts in minor units, and metadata as pairs. */
function asQuery(filter: Json): Json {
  const { metadata, ...others } = inMinorUnits(filter);
  return typeof metadata === 'string' ? { ...others, metadata: pairsIn(metadata) } : others;
}

/** A filter whose amounts are as people write them; without a currency they have two decimals. */
function inMinorUnits(filter: Json): Json {
  const { currency = ANY_WITH_CENTS } = filter;
  const amounts = Object.entries(filter).filter(([name]) => name === 'amountMin' || name === 'amountMax');
  // A text that is no amount goes to the API unchanged; the API explains what is wrong.
  return {
    ...filter,
    ...Object.fromEntries(amounts.map(([name, text]) => [name, parseMoney(String(text), String(currency)) ?? text])),
  };
}

function pathTo(resource: string, id: string): string {
  const parts = resource === LIMITS ? id.split(':') : [id];
  return [resource, ...parts.map(encodeURIComponent)].join('/');
}

function putLimit(dataOf: (path: string, options: RequestOptions) => Promise<Row>, data: Json): Promise<Row> {
  const { paymentMethod, currency, minimumAmount, maximumAmount } = data;
  const path = pathTo(LIMITS, `${String(paymentMethod)}:${String(currency)}`);
  return dataOf(path, { method: 'PUT', body: { minimumAmount, maximumAmount } });
}
