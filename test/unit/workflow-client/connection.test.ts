import assert from 'node:assert/strict';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { after, before, describe, it } from 'mocha';
import { createTemporalClient } from '../../../workflow-client/connection.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { listenLocally, portOf } from '../../support/local-server.ts';

describe('a connection to Temporal', () => {
  let server: Http2SecureServer;
  let authority: string;
  const authorizations: (string | undefined)[] = [];

  before(async () => {
    const certificates = await makeCertificates();
    ({ authority } = certificates);
    server = createSecureServer({ cert: certificates.server.certificate, key: certificates.server.key });
    server.on('stream', (stream, { authorization }) => {
      authorizations.push(authorization);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
    });
    await listenLocally(server);
  });
  after(() => server.close());

  it('sends its API key over TLS', async () => {
    const client = createTemporalClient({
      address: `127.0.0.1:${portOf(server)}`,
      namespace: 'default',
      tls: { authorities: Buffer.from(authority), client: null, serverName: null },
      apiKey: 'key-of-the-cloud',
    });
    try {
      const asked = client.workflowService.describeNamespace({ namespace: 'default' });
      await assert.rejects(() => client.withDeadline(Date.now() + 30_000, () => asked));
    } finally {
      await client.connection.close();
    }
    assert.equal(authorizations[0], 'Bearer key-of-the-cloud');
  });
});
