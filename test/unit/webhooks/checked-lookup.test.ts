import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { limitLookups, rememberAddresses } from '../../../webhooks/checked-lookup.ts';
import { eventually } from '../../support/eventually.ts';

const ADDRESS = { address: '203.0.113.7', family: 4 };

describe('look-ups of webhook hosts', () => {
  /** A resolver whose look-ups end when they are told to. */
  function slowResolver() {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const resolve = (hostname: string) => {
      begun.push(hostname);
      return new Promise<readonly (typeof ADDRESS)[]>((end) => ends.push(() => end([ADDRESS])));
    };
    const endNext = async () => {
      ends[begun.length - 1]?.();
      await turn();
    };
    return { begun, ends, endNext, resolve };
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('are limited in number, and go on when one ends', async () => {
    const { begun, ends, resolve } = slowResolver();
    const limited = limitLookups(resolve, { maximum: 2, waitMs: 5_000, slowMs: 1_000, slowForMs: 60_000 });
    const results = ['a.example', 'b.example', 'c.example', 'd.example'].map((host) => limited(host));
    await turn();
    assert.deepEqual(begun, ['a.example', 'b.example']);
    for (let count = 0; count < 4; count += 1) {
      ends[count]?.();
      await turn();
    }
    assert.deepEqual(begun, ['a.example', 'b.example', 'c.example', 'd.example']);
    assert.deepEqual(await Promise.all(results), Array(4).fill([ADDRESS]));
    void limited('e.example');
    void limited('f.example');
    assert.deepEqual(begun.slice(4), ['e.example', 'f.example']);
  });

  it('are shared for one host, and not made for an address', async () => {
    const { begun, resolve } = slowResolver();
    const limited = limitLookups(resolve, { maximum: 1, waitMs: 5_000, slowMs: 1_000, slowForMs: 60_000 });
    void limited('a.example');
    void limited('a.example');
    void limited('203.0.113.7');
    void limited('2001:db8::7');
    await turn();
    assert.deepEqual(begun, ['a.example', '203.0.113.7', '2001:db8::7']);
  });

  it('of hosts whose name servers are slow wait for those of all others', async () => {
    const { begun, endNext, resolve } = slowResolver();
    const limited = limitLookups(resolve, { maximum: 1, waitMs: 5_000, slowMs: 5, slowForMs: 60_000 });
    for (const slow of ['slow-1.example', 'slow-2.example']) {
      void limited(slow);
      await new Promise((resolve) => setTimeout(resolve, 10));
      await endNext();
    }
    void limited('slow-1.example');
    void limited('slow-2.example');
    void limited('rare.example');
    for (let count = 0; count < 3; count += 1) await endNext();
    assert.deepEqual(begun.slice(2), ['slow-1.example', 'rare.example', 'slow-2.example']);
  });

  it('of hosts whose name servers were slow wait for others during a limited time only', async () => {
    const { begun, endNext, resolve } = slowResolver();
    const limited = limitLookups(resolve, { maximum: 1, waitMs: 5_000, slowMs: 5, slowForMs: 20 });
    void limited('slow.example');
    await new Promise((resolve) => setTimeout(resolve, 10));
    await endNext();
    void limited('busy-1.example');
    await new Promise((resolve) => setTimeout(resolve, 30));
    void limited('slow.example');
    void limited('busy-2.example');
    for (let count = 0; count < 2; count += 1) await endNext();
    assert.deepEqual(begun.slice(1), ['busy-1.example', 'slow.example', 'busy-2.example']);
  });

  it('fail after they have waited too long, and leave no gap behind', async () => {
    const { begun, ends, resolve } = slowResolver();
    const limited = limitLookups(resolve, { maximum: 1, waitMs: 10, slowMs: 1_000, slowForMs: 60_000 });
    const first = limited('a.example');
    await assert.rejects(limited('b.example'), { code: 'EAI_AGAIN' });
    ends[0]?.();
    await first;
    void limited('c.example');
    await turn();
    assert.deepEqual(begun, ['a.example', 'c.example']);
  });
});

describe('addresses of hosts that are called often', () => {
  it('are remembered, and looked up again beside the calls', async () => {
    const answers = [
      async () => [{ address: '192.0.9.1', family: 4 }],
      () => Promise.reject(new Error('no answer')),
      async () => [{ address: '192.0.9.2', family: 4 }],
    ];
    let lookups = 0;
    const resolve = rememberAddresses(() => answers[lookups++]?.() ?? Promise.reject(new Error('once more')), {
      freshMs: 0,
      keptMs: 60_000,
      maximum: 10,
    });
    const next = async () => (await resolve('node.example'))[0]?.address;
    assert.equal(await next(), '192.0.9.1');
    assert.equal(await next(), '192.0.9.1');
    assert.equal(await next(), '192.0.9.1');
    await eventually(async () => assert.equal(await next(), '192.0.9.2'));
  });

  it('are looked up each time as long as that fails', async () => {
    let lookups = 0;
    const fail = () => {
      lookups += 1;
      return Promise.reject(new Error('no such host'));
    };
    const resolve = rememberAddresses(fail, { freshMs: 0, keptMs: 60_000, maximum: 10 });
    await assert.rejects(resolve('node.example'));
    await assert.rejects(resolve('node.example'));
    assert.equal(lookups, 2);
  });
});
