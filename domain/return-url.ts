const PARAMETER = 'paymentIntentId';
const GIVEN = new RegExp(`([?&])${PARAMETER}=[^&]*`, 'g');

/**
 * Where a customer comes back to, with the payment's id as the query parameter `paymentIntentId`, in place of another one. The rest
 * of the address stays as it is, byte for byte.
 */
export function withPaymentId(returnUrl: string, paymentIntentId: string): string {
  const [address = '', ...fragment] = returnUrl.split('#');
  const pair = `${PARAMETER}=${paymentIntentId}`;
  const replaced = address.replaceAll(GIVEN, `$1${pair}`);
  const separator = address.includes('?') ? '&' : '?';
  const carrying = replaced.includes(pair) ? replaced : `${address}${separator}${pair}`;
  return [carrying.replace('?&', '?'), ...fragment].join('#');
}
