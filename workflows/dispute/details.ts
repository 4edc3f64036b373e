import type { DisputeState, DisputeWork } from '../../domain/dispute-plan.ts';
import { formatMoney } from '../../domain/money.ts';
import type { DisputeInput } from '../../protocol/messages.ts';
import { detailsText, linksOfPayment, workflowLink } from '../shared/details.ts';

/** The dispute for support staff, in markdown: how it stands, and what its workflow waits for. */
export function describeDispute(input: DisputeInput, dispute: DisputeState, work: DisputeWork): string {
  const { paymentIntentId, provider, providerReference } = input;
  const { stage, status, reason, amountMinor, currency, respondBy, withdrawnMinor } = dispute;
  const amountOf = (minor: number): string => (currency === null ? String(minor) : formatMoney(minor, currency));
  return detailsText([
    `Dispute of the payment ${workflowLink(paymentIntentId)}.`,
    '',
    `- Stage \`${stage}\`, status \`${status}\`, reason \`${reason}\`.`,
    ...(amountMinor === null ? [] : [`- Disputed: **${amountOf(amountMinor)}**.`]),
    ...(withdrawnMinor === 0 ? [] : [`- ${provider} has taken ${amountOf(withdrawnMinor)}.`]),
    ...(respondBy === null ? [] : [`- The merchant can answer until ${respondBy}.`]),
    `- ${describeWork(provider, work)}.`,
    `- Provider: ${provider}, dispute \`${providerReference}\`.`,
    linksOfPayment(paymentIntentId),
  ]);
}

/** What the workflow does or waits for, in one line. */
export function describeWork(provider: string, work: DisputeWork): string {
  switch (work.kind) {
    case 'end':
      return 'It has ended; a card scheme may open it again';
    case 'operate':
      return work.operation === 'submit'
        ? `Sends the merchant's evidence to ${provider}`
        : `Tells ${provider} that the merchant accepts the dispute`;
    case 'remind':
      return `Reminds the merchant that the time to answer ends in less than ${work.hours} hours`;
    case 'inquire':
      return `Asks ${provider} how the dispute stands, because the time to answer has passed`;
    case 'wait':
      return WAITS[work.nextKind ?? 'nothing'](provider);
  }
}

const WAITS: Readonly<Record<'remind' | 'inquire' | 'nothing', (provider: string) => string>> = {
  remind: () => "Waits for the merchant's answer; reminds the merchant before the time ends",
  inquire: (provider) => `Waits for the merchant's answer, or for ${provider} to report the end`,
  nothing: (provider) => `Waits for ${provider} to report something`,
};
