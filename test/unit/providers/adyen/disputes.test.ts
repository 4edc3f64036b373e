import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { DisputeFileKind } from '../../../../domain/dispute-evidence.ts';
import { ADYEN } from '../../../../providers/adyen/adyen-provider.ts';
import { chooseDefense } from '../../../../providers/adyen/defense.ts';
import type { DefenseReason } from '../../../../providers/adyen/messages.ts';
import type { DisputeAnswer, EvidenceFile } from '../../../../providers/payment-provider.ts';
import { type FakeAdyen, startFakeAdyen } from '../../../../sandbox/fakes/adyen/fake-adyen.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { ADYEN_CREDENTIALS, adyenAdapterTo } from './adyen-fixture.ts';

const fileOf = (kind: DisputeFileKind): EvidenceFile => ({
  kind,
  contentType: 'application/pdf',
  content: Buffer.from(`%PDF-1.7 ${kind}`),
});

/** @param types each a code, with `!` where it is required */
const reasonOf = (defenseReasonCode: string, ...types: readonly string[]): DefenseReason => ({
  defenseReasonCode,
  defenseDocumentTypes: types.map((type) => ({
    defenseDocumentTypeCode: type.replace('!', ''),
    requirementLevel: type.endsWith('!') ? 'Required' : 'Optional',
  })),
});
const ANY = reasonOf('SupplyDefenseMaterial', 'TIDorInvoice', 'DefenseMaterial!');
const DESCRIBED = reasonOf('GoodsWereAsDescribed', 'GoodsWereAsDescribed!', 'TIDorInvoice!');
const RETURNED = reasonOf('GoodsNotReturned', 'TIDorInvoice', 'GoodsNotReturned!');

describe('disputes at Adyen', () => {
  const defenseOf = (reasons: readonly DefenseReason[], ...kinds: readonly DisputeFileKind[]) => {
    const defense = chooseDefense(reasons, kinds.map(fileOf));
    if ('reason' in defense) return defense.reason;
    return [defense.reasonCode, ...defense.documents.map(({ typeCode, file }) => `${typeCode}=${file.kind}`)].join(' ');
  };

  it('are defended with the reason that takes material of any kind, else with the only one that fits', () => {
    assert.equal(defenseOf([DESCRIBED, ANY], 'receipt'), 'SupplyDefenseMaterial DefenseMaterial=receipt');
    assert.equal(
      defenseOf([DESCRIBED, ANY], 'receipt', 'other'),
      'SupplyDefenseMaterial TIDorInvoice=receipt DefenseMaterial=other',
    );
    assert.equal(
      defenseOf([DESCRIBED], 'shipping_documentation', 'receipt'),
      'GoodsWereAsDescribed TIDorInvoice=receipt GoodsWereAsDescribed=shipping_documentation',
    );
  });

  it('are not defended with a part of the files, without a required document, or with a reason that nobody has chosen', () => {
    assert.match(defenseOf([ANY], 'receipt', 'other', 'refund_policy'), /No reason fits/);
    assert.match(defenseOf([DESCRIBED], 'other'), /No reason fits/);
    assert.match(defenseOf([DESCRIBED, RETURNED], 'other', 'receipt'), /Several reasons fit/);
    assert.match(defenseOf([], 'other'), /No reason fits/);
  });

  it('take no texts and no PNG', () => {
    const problemWith = ADYEN.disputeAnswers?.problemWith ?? assert.fail();
    const pdf = { contentType: 'application/pdf' };
    assert.equal(problemWith({ evidence: {}, files: [pdf] }), null);
    assert.match(problemWith({ evidence: { explanation: 'It was delivered.' }, files: [pdf] }) ?? '', /no texts/);
    assert.match(problemWith({ evidence: {}, files: [pdf, { contentType: 'image/png' }] }) ?? '', /got a PNG/);
  });

  describe('at the service', () => {
    let fake: FakeAdyen;
    let answer: DisputeAnswer;

    beforeEach(async () => {
      fake = await startFakeAdyen(ADYEN_CREDENTIALS);
      const { attemptId, ...request } = requestWith(cardOf('4111111111111111'));
      await adyenAdapterTo(fake.url).authorize({ ...request, attemptId }, newSignal());
      answer = {
        disputeId: 'dp_1',
        environment: 'sandbox',
        providerReference: fake.openDispute(attemptId, { value: 1_234, currency: 'USD' }),
        attemptId,
        providerPaymentId: null,
        operationId: 'op_1',
        stage: 'chargeback',
        reason: 'fraudulent',
        evidence: {},
        files: [fileOf('other')],
        begin: () => Promise.resolve(),
      };
    });
    afterEach(() => fake.close());

    it('say what Adyen would take, where the files fit no reason', async () => {
      const files = ['receipt', 'other', 'refund_policy'] as const;
      const outcome = await adyenAdapterTo(fake.url).submitEvidence?.(
        { ...answer, files: files.map(fileOf) },
        newSignal(),
      );
      assert.ok(outcome?.kind === 'refused');
      assert.match(JSON.stringify(outcome.providerResponse), /SupplyDefenseMaterial: TIDorInvoice \(Optional\)/);
    });

    it('need a role of their own: a key without it is refused, and has done nothing', async () => {
      fake.planFaults([{ when: 'before', reply: { status: 403, body: { errorCode: '010' } } }]);
      const accepted = adyenAdapterTo(fake.url).acceptDispute?.(answer, newSignal());
      await assert.rejects(accepted ?? assert.fail(), { name: 'CredentialsRefusedError' });
      assert.equal(fake.store.disputes.answersTo(answer.providerReference).accepted, 0);
    });
  });
});
