import type { MaskedPaymentMethod } from '../../../sdk/server/generated/schemas.ts';
import { None } from './fields.tsx';

/** A payment method, as short as people name it. */
export function Method({ method }: { readonly method: MaskedPaymentMethod | null }) {
  if (method === null) return <None />;
  if (method.type === 'card')
    return (
      <span style={{ whiteSpace: 'nowrap' }}>
        {method.brand.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())} ···· {method.last4}
      </span>
    );
  if (method.type === 'upi') return <>UPI {method.vpa ?? ''}</>;
  return (
    <>
      {method.asset} on {method.network}
    </>
  );
}
