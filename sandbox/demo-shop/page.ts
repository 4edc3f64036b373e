import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SdkFile } from './engine.ts';

/** The page, and what it loads from the shop. */
export interface ShopPage {
  /** With the SDK of that name and hash; the import map is told as well, for the page's policy to allow it. */
  render(sdk: SdkFile): { readonly html: string; readonly importMap: string };
  /** The folder of its script and style, as they were built. */
  readonly assets: string;
}

const TEMPLATE = new URL('../../../sandbox/demo-shop/page/index.html', import.meta.url);
const BUILT_FOLDER = new URL('../../../sandbox/demo-shop/dist/', import.meta.url);
const PLACE_OF_SDK = '<!-- sdk -->';

/** Reads the page's template. `npm run build` makes the rest of `sandbox/demo-shop/page`. */
export async function readShopPage(apiUrl: string): Promise<ShopPage> {
  const template = await readFile(TEMPLATE, 'utf8');
  return {
    render: ({ fixed, integrity }) => {
      const url = `${apiUrl}${fixed}`;
      const importMap = JSON.stringify({
        imports: { '@payment-engine/checkout': url },
        integrity: { [url]: integrity },
      });
      // The script tag loads the module under its hash also where import maps know nothing of integrity.
      const tags = [
        `<script type="importmap">${importMap}</script>`,
        `<script type="module" crossorigin="anonymous" src="${url}" integrity="${integrity}"></script>`,
      ];
      return { html: template.replace(PLACE_OF_SDK, () => tags.join('\n    ')), importMap };
    },
    assets: fileURLToPath(BUILT_FOLDER),
  };
}
