import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countOpening, forgetOpening } from '../../../../api/checkout-limits/link-openings.ts';
import { LINK_OPENINGS } from '../../../../domain/payment-link.ts';
import { useTestDatabase } from '../../../support/database.ts';

describe('the openings of a payment link', () => {
  const test = useTestDatabase();

  const opener = (paymentLinkId: string) => (address: string) => ({
    environment: 'production' as const,
    paymentLinkId,
    address,
  });
  const countAccepted = async (openings: readonly ReturnType<ReturnType<typeof opener>>[]) => {
    const answers = await Promise.allSettled(openings.map((opening) => countOpening(test.database, opening)));
    return answers.filter(({ status }) => status === 'fulfilled').length;
  };
  const { limit } = LINK_OPENINGS;

  it('are limited for all networks of one connection of IPv6, and for those around it', async () => {
    const by = opener('plink_1');
    const ofSubscriber = Array.from({ length: limit * 3 }, (_, network) => by(`2001:db8:1:${network.toString(16)}::1`));
    assert.equal(await countAccepted(ofSubscriber), limit);
    const link = opener('plink_2');
    const ofNeighbours = Array.from({ length: limit * 8 }, (_, network) =>
      link(`2001:db8:2:${network.toString(16)}00::1`),
    );
    assert.equal(await countAccepted(ofNeighbours), limit * 4);
    assert.equal(await countAccepted([link('2001:db8:3::1'), link('192.0.2.1'), by('2001:db8:2:1::1')]), 3);
  });

  it('make room again when they are confirmed', async () => {
    const by = opener('plink_3');
    const openings = Array.from({ length: limit }, () => by('2001:db8:4::1'));
    assert.equal(await countAccepted(openings), limit);
    await forgetOpening(test.database, by('2001:db8:4::1'));
    assert.equal(await countAccepted([by('2001:db8:4:1::1'), by('2001:db8:4:2::1')]), 1);
  });
});
