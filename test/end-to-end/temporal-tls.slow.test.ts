import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { after, before, describe, it } from 'mocha';
import { MINUTE_MS } from '../../domain/time.ts';
import { createTemporalClient, type TemporalServer } from '../../workflow-client/connection.ts';
import { connectWithRetries } from '../../worker/connect-with-retries.ts';
import { type Certificates, makeCertificates } from '../support/certificates.ts';
import { silenceRuntime } from '../support/silence-runtime.ts';
import { getStack } from '../support/stack.ts';
import { listenLocally, portOf } from '../support/local-server.ts';

describe('a Temporal server behind mutual TLS', function () {
  this.timeout(2 * MINUTE_MS);
  let certificates: Certificates;
  let proxy: Server;
  let server: TemporalServer;

  before(async () => {
    silenceRuntime();
    certificates = await makeCertificates();
    proxy = createServer(
      {
        cert: certificates.server.certificate,
        key: certificates.server.key,
        ca: certificates.authority,
        requestCert: true,
        rejectUnauthorized: true,
        ALPNProtocols: ['h2'],
      },
      (socket) => {
        const port = Number(getStack().sandbox.temporalAddress.split(':')[1]);
        const upstream = connect(port, '127.0.0.1');
        socket.pipe(upstream).pipe(socket);
        for (const each of [socket, upstream]) each.on('error', () => [socket, upstream].map((end) => end.destroy()));
      },
    );
    await listenLocally(proxy);
    server = {
      address: `127.0.0.1:${portOf(proxy)}`,
      namespace: 'default',
      tls: {
        authorities: Buffer.from(certificates.authority),
        client: {
          certificate: Buffer.from(certificates.client.certificate),
          key: Buffer.from(certificates.client.key),
        },
        serverName: 'localhost',
      },
    };
  });
  after(() => proxy.close());

  async function ask(asked: TemporalServer): Promise<unknown> {
    const client = createTemporalClient(asked);
    try {
      return await client.withDeadline(Date.now() + 5_000, () =>
        client.workflowService.describeNamespace({ namespace: 'default' }),
      );
    } finally {
      await client.connection.close();
    }
  }

  it('is reached by clients and workers with a certificate', async () => {
    assert.ok(await ask(server));
    const connection = await connectWithRetries(server);
    await connection.close();
  });

  it('refuses a client without a certificate, and one in plain text', async () => {
    assert.ok(server.tls);
    await assert.rejects(ask({ ...server, tls: { ...server.tls, client: null } }));
    await assert.rejects(ask({ ...server, tls: null }));
  });

  it('is refused when its certificate is of an unknown authority, or has another name', async () => {
    assert.ok(server.tls);
    await assert.rejects(ask({ ...server, tls: { ...server.tls, authorities: null } }));
    await assert.rejects(ask({ ...server, tls: { ...server.tls, serverName: 'temporal.example' } }));
  });
});
