import { SUPPORTED_CURRENCIES } from '../domain/currencies.ts';
import { decimalAmount } from '../domain/money.ts';
import type { PaymentProblem, PaymentToTake } from '../domain/routing.ts';

type Money = Pick<PaymentToTake, 'amountMinor' | 'currency'>;

/** The steps of a currency in which a provider may count, in minor units. */
const STEPS = [10, 100, 1_000];

/**
 * Why an adapter does not take an amount, as far as its currency and its units say; null where it does.
 * @param isExpressible whether the provider takes the currency and has a unit for the amount
 */
export function amountProblem(
  { amountMinor, currency }: Money,
  isExpressible: (money: Money) => boolean,
): PaymentProblem | null {
  if (isExpressible({ amountMinor, currency })) return null;
  const step = STEPS.find((minor) => isExpressible({ amountMinor: minor, currency }));
  if (step === undefined) return { reason: 'currency_not_offered', takes: takenCurrencies(isExpressible) };
  const lower = Math.floor(amountMinor / step) * step;
  const nearest = [lower, lower + step].filter((minor) => minor > 0).map((minor) => decimalAmount(minor, currency));
  const takes = `amounts in ${currency} in steps of ${decimalAmount(step, currency)}, such as ${nearest.join(' or ')}`;
  return { reason: 'amount_not_offered', takes };
}

/** A multiple of every step. */
const WHOLE_MINOR = 1_000;

function takenCurrencies(isExpressible: (money: Money) => boolean): string {
  const taken = SUPPORTED_CURRENCIES.filter((currency) => isExpressible({ amountMinor: WHOLE_MINOR, currency }));
  const others = SUPPORTED_CURRENCIES.filter((currency) => !taken.includes(currency));
  return taken.length <= others.length ? taken.join(', ') : `every currency but ${others.join(', ')}`;
}
