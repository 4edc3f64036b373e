/** The largest logo of an account. */
export const MAXIMUM_LOGO_BYTES = 64 * 1_024;
/** Below the path of the payment pages, whose origin and rules they share. */
export const LOGOS_PATH = '/pay/logos';
/** In pixels. */
export const LONGEST_LOGO_SIDE = 512;

const BEGIN_OF_PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
const END_OF_PNG = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** Whether the bytes are a PNG image of an allowed size. Browsers, which draw it, read the rest. */
export function isLogo(bytes: Uint8Array): boolean {
  if (bytes.length > MAXIMUM_LOGO_BYTES || bytes.length < BEGIN_OF_PNG.length + END_OF_PNG.length) return false;
  if (!hasAt(bytes, 0, BEGIN_OF_PNG) || !hasAt(bytes, bytes.length - END_OF_PNG.length, END_OF_PNG)) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return [WIDTH_AT, HEIGHT_AT].every((at) => isSide(view.getUint32(at)));
}

function hasAt(bytes: Uint8Array, start: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[start + index] === byte);
}

function isSide(pixels: number): boolean {
  return pixels >= 1 && pixels <= LONGEST_LOGO_SIDE;
}
