import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isLogo, MAXIMUM_LOGO_BYTES } from '../../../domain/logo.ts';
import { pngOf } from '../../support/png.ts';

describe('isLogo', () => {
  it('takes PNG images within the limits, and nothing that only begins like one', () => {
    const png = pngOf(512, 40);
    assert.ok(isLogo(png));
    assert.ok(!isLogo(pngOf(513, 40)));
    assert.ok(!isLogo(pngOf(40, 0)));
    assert.ok(!isLogo(png.subarray(0, -1)));
    assert.ok(!isLogo(Buffer.concat([png, Buffer.from('<script>')])));
    assert.ok(!isLogo(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')));
    assert.ok(!isLogo(Buffer.from('GIF89a')));
    assert.ok(!isLogo(Buffer.alloc(0)));
  });

  it('takes no image above the limit of bytes', () => {
    assert.ok(isLogo(pngOf(10, 10, MAXIMUM_LOGO_BYTES)));
    assert.ok(!isLogo(pngOf(10, 10, MAXIMUM_LOGO_BYTES + 1)));
  });
});
