import { generate } from 'selfsigned';

/** PEM texts for TLS on this machine. */
export interface Certificates {
  readonly authority: string;
  /** For `localhost` and 127.0.0.1. */
  readonly server: { readonly certificate: string; readonly key: string };
  readonly client: { readonly certificate: string; readonly key: string };
}

const COMMON = { keyType: 'ec', algorithm: 'sha256' } as const;

/** Makes an authority, and a server and a client whose certificates it has signed. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await generate([{ name: 'commonName', value: 'Test authority' }], {
    ...COMMON,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  });
  const ca = { key: authority.private, cert: authority.cert };
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...COMMON,
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const client = await generate([{ name: 'commonName', value: 'payment-engine' }], {
    ...COMMON,
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', clientAuth: true },
    ],
  });
  return {
    authority: authority.cert,
    server: { certificate: server.cert, key: server.private },
    client: { certificate: client.cert, key: client.private },
  };
}
