import { readFile } from 'node:fs/promises';
import type { SdkFile } from './shop.ts';

/** The page as it was built, and what it loads from the shop. */
export interface ShopPage {
  /** With the SDK of that name and hash; the import map is told as well, for the page's policy to allow it. */
  render(sdk: SdkFile): { readonly html: string; readonly importMap: string };
  readonly assets: Readonly<Record<string, { readonly type: string; readonly content: Buffer }>>;
}

const BUILT_FOLDER = new URL('../../../sandbox/demo-shop/dist/', import.meta.url);
const PLACE_OF_SDK = '<!-- sdk -->';

/** Reads what `npm run build` made of `sandbox/demo-shop/page`. @throws Error when it was not built */
export async function readShopPage(apiUrl: string): Promise<ShopPage> {
  const read = (name: string) => readFile(new URL(name, BUILT_FOLDER));
  const [template, script, style] = await Promise.all([read('index.html'), read('shop.js'), read('shop.css')]);
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
      return { html: template.toString().replace(PLACE_OF_SDK, () => tags.join('\n    ')), importMap };
    },
    assets: {
      'shop.js': { type: 'text/javascript', content: script },
      'shop.css': { type: 'text/css', content: style },
    },
  };
}
