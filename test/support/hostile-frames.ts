import fc from 'fast-check';

const MASKED = 0x80;
const FINAL = 0x80;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;

interface FrameParts {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly isFinal?: boolean;
  /** The three bits that only extensions may set. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** A false payload length, sent in 8 bytes. */
  readonly claimedLength?: bigint;
}

/** A client's frame, possibly malformed. A mask of zeros leaves the payload unchanged. */
function frame({ opcode, payload, isFinal = true, reserved = 0, isMasked = true, claimedLength }: FrameParts): Buffer {
  const head = Buffer.from([(isFinal ? FINAL : 0) | (reserved << 4) | opcode]);
  const mask = isMasked ? MASKED : 0;
  return Buffer.concat([
    head,
    lengthBytes(mask, claimedLength ?? payload.length),
    Buffer.alloc(isMasked ? 4 : 0),
    payload,
  ]);
}

function lengthBytes(mask: number, length: number | bigint): Buffer {
  if (typeof length === 'bigint') {
    const bytes = Buffer.alloc(9, mask | 127);
    bytes.writeBigUInt64BE(length, 1);
    return bytes;
  }
  if (length < 126) return Buffer.from([mask | length]);
  const bytes = Buffer.alloc(3, mask | 126);
  bytes.writeUInt16BE(length, 1);
  return bytes;
}

const text = (content: string): Buffer => frame({ opcode: TEXT, payload: Buffer.from(content) });
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
const json = (value: unknown) => text(JSON.stringify(value));
const subscribe = { type: 'subscribe', clientSecret: 'pi_0_secret_0' };

/** Hostile frames by kind: one frame each, except the floods. */
const KINDS: Readonly<Record<string, fc.Arbitrary<Buffer>>> = {
  'random bytes': bytes(200),
  'reserved operations': fc
    .tuple(fc.constantFrom(3, 4, 5, 6, 7, 11, 12, 13, 14, 15), bytes(50))
    .map(([opcode, payload]) => frame({ opcode, payload })),
  'reserved bits': fc
    .tuple(fc.integer({ min: 1, max: 7 }), bytes(50))
    .map(([reserved, payload]) => frame({ opcode: TEXT, payload, reserved })),
  'no mask': bytes(50).map((payload) => frame({ opcode: TEXT, payload, isMasked: false })),
  'giant lengths': fc
    .bigInt({ min: 4_097n, max: 2n ** 64n - 1n })
    .map((claimedLength) => frame({ opcode: TEXT, payload: Buffer.from('{'), claimedLength })),
  'no UTF-8': bytes(50).map((payload) =>
    frame({ opcode: TEXT, payload: Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), payload]) }),
  ),
  'half a frame': fc.integer({ min: 1, max: 60 }).map((length) => json(subscribe).subarray(0, length)),
  'an endless message': fc.constant(
    Buffer.concat([
      frame({ opcode: TEXT, payload: Buffer.from('{'), isFinal: false }),
      ...Array<Buffer>(100).fill(frame({ opcode: 0, payload: Buffer.from(' '), isFinal: false })),
    ]),
  ),
  'a continuation of nothing': bytes(50).map((payload) => frame({ opcode: 0, payload })),
  'control frames that are cut or long': fc
    .tuple(fc.constantFrom(CLOSE, PING, 10), fc.boolean())
    .map(([opcode, isFinal]) => frame({ opcode, payload: Buffer.alloc(isFinal ? 126 : 3), isFinal })),
  'wrong closes': bytes(20).map((payload) => frame({ opcode: CLOSE, payload })),
  'a flood of pings': fc.constant(
    Buffer.concat(Array<Buffer>(50).fill(frame({ opcode: PING, payload: Buffer.alloc(125) }))),
  ),
  'deep JSON': fc.integer({ min: 1, max: 4_000 }).map((depth) => text('['.repeat(depth))),
  'deeper JSON': fc.integer({ min: 1, max: 680 }).map((depth) => text(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  'names of prototypes': fc
    .constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty')
    .map((name) => text(`{"${name}":{"clientSecret":"x","type":"subscribe"},"type":"subscribe","clientSecret":"x"}`)),
  'wrong types': fc
    .record({ type: fc.constantFrom('subscribe', 1, null), clientSecret: fc.jsonValue(), after: fc.jsonValue() })
    .map(json),
  'strange secrets': fc
    .string({ unit: 'binary', maxLength: 255 })
    .map((clientSecret) => json({ ...subscribe, clientSecret })),
  'strange cursors': fc.string({ unit: 'binary', maxLength: 100 }).map((after) => json({ ...subscribe, after })),
  'a flood of subscriptions': fc.constant(Buffer.concat(Array<Buffer>(20).fill(json(subscribe)))),
  'bytes for text': bytes(50).map((payload) => frame({ opcode: BINARY, payload })),
};

/** Hostile frames of all kinds; the same for the same seed. */
export function hostileFrames(count: number, seed: number): readonly Buffer[] {
  return fc.sample(fc.oneof(...Object.values(KINDS)), { numRuns: count, seed });
}
