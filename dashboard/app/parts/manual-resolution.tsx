import { SelectInput, TextInput, useRefresh } from 'react-admin';
import type { PaymentIntent, Refund } from '../../../sdk/server/generated/schemas.ts';
import { parseMoney } from '../core/money.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { ActionButton } from './action-dialog.tsx';
import { AmountInput, requiredText } from './inputs.tsx';
import { useData } from './use-data.ts';

/** What the form asks of a payment, and of a refund. */
const PAYMENT = {
  title: 'Resolve this payment by hand',
  outcomes: ['charged', 'not_charged', 'reversed'],
  defaultOutcome: 'not_charged',
  providerId: 'providerPaymentId',
  providerIdLabel: "The provider's id of the payment, if it has charged",
} as const;
const REFUND = {
  title: 'Resolve this refund by hand',
  outcomes: ['refunded', 'not_refunded'],
  defaultOutcome: 'not_refunded',
  providerId: 'providerRefundId',
  providerIdLabel: "The provider's id of the refund, if it has refunded",
} as const;
const STRAY_CHARGE_OUTCOMES = ['returned', 'not_charged'] as const;

const TWO_PEOPLE =
  'Look it up in the ledger of the provider first. It takes effect when another person of your team sends the same; the timeline ' +
  'shows what the first one has sent. The provider is asked once more, and a final answer of it counts more.';
const DONE = 'Recorded. It takes effect when another person has sent the same.';

/** Whether the person may end by hand what waits for a provider. */
function useMayResolve(resource: 'payment-intents' | 'refunds'): boolean {
  const mayWrite = useMay(`${resource}:write`);
  return useMay('support:read') && mayWrite;
}

/** What support staff can do about a payment that waits for its provider. */
export function PaymentResolution({ payment }: { readonly payment: PaymentIntent }) {
  const { id, advisory, currency } = payment;
  const { act } = useData();
  const refresh = useRefresh();
  if (!useMayResolve('payment-intents') || advisory === null) return null;
  if (advisory.operation === 'reversal') return <StrayChargeResolution payment={payment} />;
  return (
    <>
      <ActionButton
        label="Ask the provider now"
        title="Ask the provider now"
        explanation="The engine asks by itself, with growing pauses. Asking charges nothing."
        act={(_values, key) => act(`payment-intents/${id}/ask-provider`, {}, key)}
        done="The provider was asked. The timeline has its answer."
        onDone={refresh}
      />
      <ResolveByHand path={`payment-intents/${id}`} currency={currency} of={PAYMENT} />
    </>
  );
}

/** Records that somebody has returned a stray charge of one of the payment's attempts. */
export function StrayChargeResolution({ payment: { id, attempts } }: { readonly payment: PaymentIntent }) {
  const { act } = useData();
  const refresh = useRefresh();
  if (!useMayResolve('payment-intents')) return null;
  const choices = attempts.map((attempt, index) => ({
    id: attempt.id,
    name: `Attempt ${index + 1}, ${attempt.provider}`,
  }));
  return (
    <ActionButton
      label="Stray charge returned"
      title="Record what has become of a stray charge"
      explanation={TWO_PEOPLE}
      isDangerous
      defaultValues={{ outcome: 'returned', attemptId: choices.at(-1)?.id }}
      act={({ attemptId, outcome, note }, key) =>
        act(`payment-intents/${id}/resolve-stray-charge-by-hand`, { attemptId, outcome, note }, key)
      }
      done={DONE}
      onDone={refresh}
    >
      <SelectInput source="attemptId" label="Attempt" choices={choices} validate={requiredText} fullWidth />
      <Outcome outcomes={STRAY_CHARGE_OUTCOMES} />
      <Note />
    </ActionButton>
  );
}

/** What support staff can do about a refund that waits for its provider. */
export function RefundResolution({ refund }: { readonly refund: Refund }) {
  const { id, advisory, currency } = refund;
  if (!useMayResolve('refunds') || advisory === null) return null;
  return <ResolveByHand path={`refunds/${id}`} currency={currency} of={REFUND} variant="text" />;
}

interface ResolveByHandProps {
  /** Of the resource, below /api/v1. */
  readonly path: string;
  readonly currency: string;
  readonly of: typeof PAYMENT | typeof REFUND;
  readonly variant?: 'text';
}

/** The form by which two people say what the provider's ledger shows. */
function ResolveByHand({ path, currency, of, variant }: ResolveByHandProps) {
  const { act } = useData();
  const refresh = useRefresh();
  return (
    <ActionButton
      label="Resolve by hand"
      title={of.title}
      explanation={TWO_PEOPLE}
      isDangerous
      {...(variant === undefined ? {} : { variant })}
      defaultValues={{ outcome: of.defaultOutcome }}
      act={({ outcome, note, amount, [of.providerId]: providerId }, key) =>
        act(
          `${path}/resolve-by-hand`,
          { outcome, note, ...filled({ [of.providerId]: providerId }), ...amountOf(amount, currency) },
          key,
        )
      }
      done={DONE}
      onDone={refresh}
    >
      <Outcome outcomes={of.outcomes} />
      <TextInput source={of.providerId} label={of.providerIdLabel} fullWidth />
      <AmountInput source="amount" label="Amount, if it reports another" currency={currency} isRequired={false} />
      <Note />
    </ActionButton>
  );
}

function Outcome({ outcomes }: { readonly outcomes: readonly string[] }) {
  return (
    <SelectInput
      source="outcome"
      label="What the provider's ledger shows"
      choices={choicesOf(outcomes, inWords)}
      validate={requiredText}
      fullWidth
    />
  );
}

function Note() {
  return <TextInput source="note" label="What you have checked" validate={requiredText} fullWidth multiline />;
}

/** The values that were filled in. */
function filled(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string' && value !== ''));
}

function amountOf(amount: unknown, currency: string): Readonly<Record<string, unknown>> {
  return typeof amount === 'string' && amount !== '' ? { amount: parseMoney(amount, currency) } : {};
}
