import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHUNK_FRAME_BYTES = 12;

/** A grey PNG image. @param bytes its length, which a comment fills up; as short as possible where it is left out */
export function pngOf(width: number, height: number, bytes?: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey.
  header.set([8, 0], 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 0x80));
  const parts = [SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  const missing = (bytes ?? 0) - Buffer.concat(parts).length - CHUNK_FRAME_BYTES;
  if (missing >= 0) parts.splice(2, 0, chunk('tEXt', Buffer.alloc(missing, 0x20)));
  return Buffer.concat(parts);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
