/** `payment-intents`, `payment_intent` or `createRefund` as a type is called: `PaymentIntents`, `PaymentIntent`, `CreateRefund`. */
export function pascalCase(words: string): string {
  return words
    .split(/[-_ ]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
