import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer as readBuffer } from 'node:stream/consumers';
import { closeServer, listenLocally } from '../local-server.ts';
import type { Fault, FaultControls } from './subject.ts';

/** A proxy between an adapter and its provider, which injects faults. */
export interface FaultProxy extends FaultControls {
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Headers that hold for one connection only. */
const OF_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

/** Starts a proxy on a free port of this machine. @param targetUrl where the provider listens, `http://host:port` */
export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const agent = new http.Agent({ keepAlive: true });
  let planned: readonly (Fault | null)[] = [];
  let arrived = 0;
  let handled = 0;
  let waiting: (() => void)[] = [];
  let held: (() => Promise<unknown>)[] = [];

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const number = arrived;
    arrived += 1;
    const ofPlan = planned;
    const fault = ofPlan[number] ?? null;
    const body = await readBuffer(request);
    const work = (): Promise<Answer> => forward({ targetUrl, agent, request, body });
    await meet(fault, { work, response, hold: (later) => held.push(later) });
    if (ofPlan !== planned) return;
    handled += 1;
    for (const check of waiting) check();
  };

  const server = http.createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });

  return {
    url: await listenLocally(server),
    plan(faults) {
      planned = [...faults];
      arrived = 0;
      handled = 0;
    },
    calls: () => arrived,
    waitForCalls: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (handled < count) return;
          waiting = waiting.filter((each) => each !== check);
          resolve();
        };
        waiting.push(check);
        check();
      }),
    async release() {
      const released = held;
      held = [];
      await Promise.all(released.map((send) => send()));
    },
    close() {
      agent.destroy();
      return closeServer(server);
    },
  };
}

interface Call {
  readonly work: () => Promise<Answer>;
  readonly response: ServerResponse;
  readonly hold: (later: () => Promise<unknown>) => void;
}

async function meet(fault: Fault | null, { work, response, hold }: Call): Promise<void> {
  switch (fault) {
    case null:
      send(response, await work());
      return;
    case 'lose_request':
      response.destroy();
      return;
    case 'lose_reply':
      await work();
      response.destroy();
      return;
    case 'hold_reply':
      await work();
      return;
    case 'hold_request':
      hold(work);
      return;
    default: {
      if (fault.work === 'done') await work();
      const { status, body = '{}' } = fault;
      send(response, { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) });
    }
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...withoutConnection(headers), 'content-length': body.length }).end(body);
}

function forward({
  targetUrl,
  agent,
  request,
  body,
}: {
  readonly targetUrl: string;
  readonly agent: http.Agent;
  readonly request: IncomingMessage;
  readonly body: Buffer;
}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, url = '/' } = request;
    const { host: _, ...headers } = withoutConnection(request.headers);
    const length = body.length > 0 || method !== 'GET' ? { 'content-length': body.length } : {};
    const call = http.request(new URL(url, targetUrl), { method, agent, headers: { ...headers, ...length } });
    call.on('error', reject);
    call.on('response', (response) => {
      readBuffer(response).then(
        (answer) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answer });
        },
        (error: unknown) => {
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    call.end(body);
  });
}

function withoutConnection(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name)));
}
