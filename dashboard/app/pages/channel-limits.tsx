import Box from '@mui/material/Box';
import { DeleteWithConfirmButton, RecordContextProvider, SelectInput, useRefresh } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { ChannelLimit } from '../../../sdk/server/generated/schemas.ts';
import { decimalOf, formatMoney, parseMoney } from '../core/money.ts';
import { useMay } from '../core/session.ts';
import { PAYMENT_METHODS } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Money, Time } from '../parts/fields.tsx';
import { AmountInput, CurrencyInput, requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { useData } from '../parts/use-data.ts';

const RESOURCE = 'channel-limits';

const FILTERS = [
  <SelectInput
    key="paymentMethod"
    source="paymentMethod"
    label="Payment method"
    choices={PAYMENT_METHODS}
    alwaysOn
    sx={{ minWidth: '12rem' }}
  />,
  <CurrencyInput key="currency" source="currency" alwaysOn />,
];

const COLUMNS: readonly Column<ChannelLimit>[] = [
  { label: 'Method', onPhone: true, show: ({ paymentMethod }) => methodName(paymentMethod) },
  {
    label: 'Smallest amount',
    align: 'right',
    show: ({ minimumAmount, currency }) => <Money minor={minimumAmount} currency={currency} />,
  },
  {
    label: 'Largest amount',
    onPhone: true,
    align: 'right',
    show: ({ maximumAmount, currency }) => <Money minor={maximumAmount} currency={currency} />,
  },
  { label: 'Last change', show: ({ updatedAt }) => <Time at={updatedAt} /> },
  { label: 'Actions', onPhone: true, show: (limit) => <LimitActions limit={limit} /> },
];

function methodName(id: string): string {
  return PAYMENT_METHODS.find((method) => method.id === id)?.name ?? id;
}

export function LimitList() {
  return (
    <ResourceList<ChannelLimit>
      title="Channel limits"
      columns={COLUMNS}
      filters={FILTERS}
      actions={<CreateLimit />}
      rowClick={false}
      empty="No limits yet: the engine refuses no payment for its amount. A limit is for one payment method and currency."
    />
  );
}

function usePut() {
  const data = useData();
  return ({ paymentMethod, currency, minimum, maximum }: Record<string, unknown>) => {
    const code = String(currency);
    const id = `${String(paymentMethod)}:${code}`;
    const amounts = {
      minimumAmount: parseMoney(String(minimum), code),
      maximumAmount: parseMoney(String(maximum), code),
    };
    return data.update(RESOURCE, { id, data: { paymentMethod, currency: code, ...amounts }, previousData: { id } });
  };
}

function CreateLimit() {
  const put = usePut();
  const refresh = useRefresh();
  if (!useMay('channel-limits:write')) return null;
  return (
    <ActionButton
      label="Set a limit"
      variant="contained"
      title="Set a limit"
      explanation="Payments below the smallest or above the largest amount are refused. A limit that exists is replaced."
      defaultValues={{ paymentMethod: 'card', currency: 'EUR' }}
      act={put}
      done="The limit is set."
      onDone={refresh}
    >
      <SelectInput
        source="paymentMethod"
        label="Payment method"
        choices={PAYMENT_METHODS}
        validate={requiredText}
        fullWidth
      />
      <CurrencyInput source="currency" isRequired />
      <Amounts />
    </ActionButton>
  );
}

function Amounts() {
  const value: unknown = useWatch({ name: 'currency' });
  const currency = typeof value === 'string' ? value : 'EUR';
  return (
    <>
      <AmountInput source="minimum" label="Smallest amount" currency={currency} />
      <AmountInput source="maximum" label="Largest amount" currency={currency} />
    </>
  );
}

function LimitActions({ limit }: { readonly limit: ChannelLimit }) {
  const { paymentMethod, currency, minimumAmount, maximumAmount } = limit;
  const put = usePut();
  const refresh = useRefresh();
  if (!useMay('channel-limits:write')) return null;
  const name = `${methodName(paymentMethod)} in ${currency}`;
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      <ActionButton
        label="Change"
        title={`Limit for ${name}`}
        explanation={`Now from ${formatMoney(minimumAmount, currency)} to ${formatMoney(maximumAmount, currency)}.`}
        defaultValues={{ minimum: decimalOf(minimumAmount, currency), maximum: decimalOf(maximumAmount, currency) }}
        act={({ minimum, maximum }) => put({ paymentMethod, currency, minimum, maximum })}
        done="The limit is changed."
        onDone={refresh}
      >
        <AmountInput source="minimum" label="Smallest amount" currency={currency} />
        <AmountInput source="maximum" label="Largest amount" currency={currency} />
      </ActionButton>
      <RecordContextProvider value={limit}>
        <DeleteWithConfirmButton
          resource={RESOURCE}
          redirect={false}
          mutationMode="pessimistic"
          confirmTitle={`Delete the limit for ${name}?`}
          confirmContent="Every amount is accepted then."
        />
      </RecordContextProvider>
    </Box>
  );
}
