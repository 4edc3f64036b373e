import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { SECOND_MS } from '../../domain/time.ts';
import { listenLocally } from './local-server.ts';

const CLIENT_ID = 'dashboard';
const KEY_ID = 'key-1';
const VALID_SECONDS = 300;

/** An OpenID provider that says of everybody what the test says. */
export interface OpenIdProvider {
  /** The issuer. */
  readonly url: string;
  readonly clientId: string;
  /**
   * Signs a person in.
   * @param authorization where the dashboard sent the browser
   * @param claims of the ID token
   * @param issuer of the response; it has none by default
   * @returns where the browser goes next
   */
  answer(authorization: URL, claims: Readonly<Record<string, unknown>>, issuer?: string): URL;
  close(): void;
}

/** Starts one on a free port. */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  let url = '';
  let claimsToSign: Readonly<Record<string, unknown>> = {};
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const idToken = (): string => {
    const issuedAt = Math.floor(Date.now() / SECOND_MS);
    const times = { iat: issuedAt, exp: issuedAt + VALID_SECONDS };
    const payload = encode({ iss: url, aud: CLIENT_ID, ...times, ...claimsToSign });
    const signed = `${encode({ alg: 'RS256', kid: KEY_ID })}.${payload}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')}`;
  };
  const answers: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] }),
    '/token': () => ({ access_token: 'token', token_type: 'Bearer', expires_in: VALID_SECONDS, id_token: idToken() }),
  };
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  url = await listenLocally(server);
  return {
    url,
    clientId: CLIENT_ID,
    answer({ searchParams }, claims, issuer) {
      claimsToSign = { name: 'Person of a test', nonce: searchParams.get('nonce'), ...claims };
      const next = new URL(searchParams.get('redirect_uri') ?? '');
      next.searchParams.set('code', 'code');
      next.searchParams.set('state', searchParams.get('state') ?? '');
      if (issuer !== undefined) next.searchParams.set('iss', issuer);
      return next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
