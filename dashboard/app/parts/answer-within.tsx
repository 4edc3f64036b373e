import Chip from '@mui/material/Chip';
import type { Dispute } from '../../../sdk/server/generated/schemas.ts';
import { timeLeft, urgencyOf } from './dispute-words.ts';
import { None } from './fields.tsx';

interface AnswerWithinProps {
  readonly dispute: Pick<Dispute, 'status' | 'respondBy'>;
}

/** How much time is left to answer; nothing where nobody has to. */
export function AnswerWithin({ dispute: { status, respondBy } }: AnswerWithinProps) {
  if (status !== 'needs_response' || respondBy === null) return <None />;
  return (
    <time dateTime={respondBy} title={new Date(respondBy).toLocaleString()}>
      <Chip size="small" label={timeLeft(respondBy)} color={urgencyOf(respondBy)} component="span" />
    </time>
  );
}
