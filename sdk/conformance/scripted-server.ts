import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Answer, ReceivedRequest } from './scenario.ts';

/** A server on a free port of this machine that gives its answers in turn. */
export interface ScriptedServer {
  readonly baseUrl: string;
  readonly received: readonly ReceivedRequest[];
  close(): Promise<void>;
}

export async function startScriptedServer(answers: readonly Answer[]): Promise<ScriptedServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void readRequest(request).then((read) => {
      const answer = answers[received.length] ?? { status: 500, body: 'There is no further answer.' };
      received.push(read);
      respond(answer, request, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const { method = '', url = '', headers } = request;
  return { method, target: url, headers, body: await buffer(request) };
}

function respond(answer: Answer, request: IncomingMessage, response: ServerResponse): void {
  if (answer === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (answer === 'silent' || answer === 'truncated') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' });
    response.write('{"success": true, "da', () => {
      if (answer === 'truncated') request.socket.destroy();
    });
    return;
  }
  const { status, body, headers } = answer;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}
