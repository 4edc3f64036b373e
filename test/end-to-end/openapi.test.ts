import assert from 'node:assert/strict';
import { getStack } from '../support/stack.ts';

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${getStack().sandbox.baseUrl}${path}`, { headers });
}

describe('the published OpenAPI document', () => {
  it('is served without a key, and not sent again to clients that have it', async () => {
    const first = await get('/openapi.json');
    const body: unknown = await first.json();
    assert.equal(first.status, 200);
    assert.ok(typeof body === 'object' && body !== null && 'openapi' in body && body.openapi === '3.1.1');
    const again = await get('/openapi.json', { 'If-None-Match': first.headers.get('etag') ?? '' });
    assert.equal(again.status, 304);
  });

  it('is displayed by a page that loads nothing from other origins', async () => {
    const page = await get('/docs');
    const html = await page.text();
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const files = [...html.matchAll(/(?:src|href)="(\/docs[^"#]*)"/g)].map(([, file = '']) => file);
    assert.ok(files.filter((file) => file.startsWith('/docs/assets/')).length >= 3);
    for (const file of files) {
      const answer = await get(file);
      assert.equal(answer.status, 200, file);
      assert.notEqual((await answer.arrayBuffer()).byteLength, 0, file);
    }
  });

  it('and the files of its page are compressed, and immutable files are cached for ever', async () => {
    const html = await (await get('/docs')).text();
    const [script = ''] = /\/docs\/assets\/docs\.[^"]+\.js/.exec(html) ?? [];
    for (const [path, cacheControl] of [
      ['/openapi.json', 'no-cache'],
      [script, 'public, max-age=31536000, immutable'],
    ] as const) {
      const [plain, compressed] = await Promise.all([
        get(path, { 'Accept-Encoding': 'identity' }),
        get(path, { 'Accept-Encoding': 'gzip' }),
      ]);
      const { headers } = compressed;
      assert.deepEqual(
        ['content-encoding', 'cache-control', 'vary'].map((name) => headers.get(name)),
        ['gzip', cacheControl, 'Accept-Encoding'],
      );
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.ok(Number(headers.get('content-length')) < Number(plain.headers.get('content-length')) / 2);
      assert.equal(await compressed.text(), await plain.text());
    }
  });

  it('names the methods of paths outside the API', async () => {
    for (const path of ['/openapi.json', '/docs', '/healthz', '/readyz']) {
      const answer = await fetch(`${getStack().sandbox.baseUrl}${path}`, { method: 'DELETE' });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], path);
    }
  });
});
