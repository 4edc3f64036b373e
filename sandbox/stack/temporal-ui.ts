import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { createProxyServer } from 'httpxy';
import type { Settings } from '../../config/read-variables.ts';
import { requireLocalHost } from '../require-local-host.ts';
import { findFreePorts, listen, type ListeningPlace } from './ports.ts';
import type { StackOptions } from './stack-options.ts';

/** The way to the Temporal UI. */
export interface GuardedUi {
  /** Where the UI itself has to listen. */
  readonly place: ListeningPlace;
  close(): Promise<void>;
}

/**
 * Opens the UI's usual port to requests that name this machine. The UI answers to any name: a page could make its own lead there
 * (DNS rebinding), read all histories, and end workflows.
 */
export async function guardTemporalUi({
  ports: { temporalUi: port },
  settings,
}: {
  readonly ports: Pick<StackOptions['ports'], 'temporalUi'>;
  readonly settings: Settings;
}): Promise<GuardedUi> {
  const place = await findHiddenPlace();
  const { TEMPORAL_UI_URL: publicUrl = '' } = settings;
  const server = createServer(createGuard(place, URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : []));
  await listen(server, { host: '127.0.0.1', port });
  return { place, close: () => close(server) };
}

function createGuard({ host, port }: ListeningPlace, hosts: readonly string[]): Express {
  const proxy = createProxyServer({ target: `http://${host}:${port}` });
  const app = express();
  app.disable('x-powered-by');
  app.use(
    requireLocalHost({ hosts, refuse: (response, status, message) => void response.status(status).json({ message }) }),
  );
  app.use(async (request, response) => {
    try {
      await proxy.web(request, response);
    } catch {
      if (response.headersSent) response.destroy();
      else response.status(502).json({ message: 'The Temporal UI does not answer just now.' });
    }
  });
  return app;
}

/**
 * A page can try every port of 127.0.0.1, but not the 16 million other addresses by which Linux reaches itself. Other systems have
 * that one alone.
 */
async function findHiddenPlace(): Promise<ListeningPlace> {
  const host = ['127', ...[1, 2, 3].map(() => randomInt(1, 255))].join('.');
  const server = createServer();
  try {
    await listen(server, { host, port: 0 });
    return { host, port: (server.address() as AddressInfo).port };
  } catch {
    const [port = 0] = await findFreePorts(1);
    return { host: '127.0.0.1', port };
  } finally {
    await close(server);
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
