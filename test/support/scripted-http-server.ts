import { createServer, type IncomingHttpHeaders } from 'node:http';
import { closeServer, listenLocally } from './local-server.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response with a JSON body or text, or a closed connection without a response. */
export type ScriptedReply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | 'hang up'
  | 'silence';

/** A server on a free port that sends these replies one after another, and records the requests. */
export async function withScriptedHttpServer(
  answers: readonly ScriptedReply[],
  use: (baseUrl: string, received: readonly ReceivedRequest[]) => Promise<void>,
): Promise<void> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const answer = answers[received.length] ?? { status: 500, body: 'no more answers' };
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      if (answer === 'silence') return;
      if (answer === 'hang up') request.socket.destroy();
      else {
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(text);
      }
    });
  });
  const url = await listenLocally(server);
  try {
    await use(url, received);
  } finally {
    await closeServer(server);
  }
}
