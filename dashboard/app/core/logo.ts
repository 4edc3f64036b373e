import { dataUrlOf } from './data-url.ts';

/** The API's limits. */
const LONGEST_SIDE = 512;
const MAXIMUM_BASE64 = Math.floor((64 * 1_024) / 3) * 4;
/** A smaller picture is no logo. */
const SHORTEST_SIDE = 16;
const PNG_URL = 'data:image/png;base64,';

/** The kinds of files that browsers draw. */
export const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/svg+xml';

/** A file as a logo that the API takes: a PNG image in Base64, as large as its limits allow. @throws Error for people */
export async function logoOf(file: File): Promise<string> {
  const image = new Image();
  image.src = await dataUrlOf(file);
  await image.decode().catch(() => {
    throw new Error('The browser cannot show this file as an image. Choose a PNG, JPEG, WebP or SVG file.');
  });
  const { naturalWidth: width, naturalHeight: height } = image;
  const longest = Math.max(width, height, 1);
  for (let side = Math.min(LONGEST_SIDE, longest); side >= SHORTEST_SIDE; side = Math.floor(side * 0.8)) {
    const drawn = drawPng(image, {
      width: atLeastOne((width * side) / longest),
      height: atLeastOne((height * side) / longest),
    });
    if (drawn.length <= MAXIMUM_BASE64) return drawn;
  }
  throw new Error('This image cannot be made small enough. Choose a simpler one.');
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels));
}

/** What a script in an SVG would do is not done: an image runs none, and only its pixels go on. */
function drawPng(
  image: HTMLImageElement,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width, height);
  return canvas.toDataURL('image/png').slice(PNG_URL.length);
}
