import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import AddCircle from '@mui/icons-material/AddCircle';
import AltRoute from '@mui/icons-material/AltRoute';
import Bolt from '@mui/icons-material/Bolt';
import CallMade from '@mui/icons-material/CallMade';
import Edit from '@mui/icons-material/Edit';
import HelpOutlined from '@mui/icons-material/HelpOutlined';
import Input from '@mui/icons-material/Input';
import MoreHoriz from '@mui/icons-material/MoreHoriz';
import Timer from '@mui/icons-material/Timer';
import TouchApp from '@mui/icons-material/TouchApp';
import type { ComponentType } from 'react';
import type { PaymentAttempt, TimelineLine } from '../../../sdk/server/generated/schemas.ts';
import { Id, Json, Time } from './fields.tsx';
import { Method } from './method.tsx';

/** The kinds of entries: their name, and the sign before them. */
const KINDS: Readonly<Record<string, readonly [name: string, Icon: ComponentType<{ fontSize?: 'small' }>]>> = {
  created: ['Created', AddCircle],
  updated: ['Updated', Edit],
  request: ['Request', TouchApp],
  decision: ['Decision', AltRoute],
  attempt: ['Attempt', CallMade],
  inquiry: ['Inquiry', HelpOutlined],
  provider_event: ['Provider', Input],
  timer: ['Time limit', Timer],
  event: ['Event', Bolt],
  left_out: ['Left out', MoreHoriz],
};

/** The words of a summary that tell how it went. */
const OUTCOMES: readonly (readonly [words: RegExp, color: string])[] = [
  [/declined|refused|failed|no answer|another amount|expired|stuck/i, 'error.main'],
  [/approved|captured|succeeded|given back/i, 'success.main'],
];

interface TimelineProps {
  readonly lines: readonly TimelineLine[];
  /** Of the payment: what each was to be paid with stands at its lines. */
  readonly attempts: readonly PaymentAttempt[];
}

const ATTEMPT_NUMBER = /^Attempt (\d+)\b/;

/** What the attempt of a line was to be paid with. */
function methodOf({ summary }: TimelineLine, attempts: readonly PaymentAttempt[]): PaymentAttempt['paymentMethod'] {
  const [, number] = ATTEMPT_NUMBER.exec(summary) ?? [];
  return number === undefined ? null : (attempts[Number(number) - 1]?.paymentMethod ?? null);
}

/** What happened and why, from the first to the last, joined by a line. */
export function Timeline({ lines, attempts }: TimelineProps) {
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {lines.map((line, index) => (
        <Entry key={index} line={line} method={methodOf(line, attempts)} isLast={index === lines.length - 1} />
      ))}
    </Box>
  );
}

function Entry({
  line: { at, kind, summary, details },
  method,
  isLast,
}: {
  readonly line: TimelineLine;
  readonly method: PaymentAttempt['paymentMethod'];
  readonly isLast: boolean;
}) {
  const [name, Icon] = KINDS[kind] ?? [kind, Bolt];
  const [, color = 'text.secondary'] = OUTCOMES.find(([words]) => words.test(summary)) ?? [];
  const isQuiet = kind === 'event';
  const eventId = eventIdIn(details);
  return (
    <Box component="li" sx={{ display: 'grid', gridTemplateColumns: '2rem 1fr', columnGap: 1.5 }}>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', color }}>
        <Icon fontSize="small" />
        {isLast ? null : <Box sx={{ flexGrow: 1, width: '2px', backgroundColor: 'divider', my: 0.5, minHeight: 8 }} />}
      </Box>
      <Box sx={{ pb: 1.5, minWidth: 0 }}>
        <Typography
          sx={{ fontWeight: isQuiet ? 400 : 600, overflowWrap: 'anywhere' }}
          color={isQuiet ? 'textSecondary' : 'textPrimary'}
        >
          {summary}
          {eventId === null ? null : (
            <>
              {' '}
              <Id id={eventId} />
            </>
          )}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {name} · <Time at={at} precise />
          {method === null ? null : (
            <>
              {' '}
              · <Method method={method} />
            </>
          )}
        </Typography>
        {details === null || eventId !== null ? null : (
          <details>
            <summary>Details</summary>
            <Json value={details} />
          </details>
        )}
      </Box>
    </Box>
  );
}

/** An event has a page of its own, which says more than the entry's details. */
function eventIdIn(details: TimelineLine['details']): string | null {
  const id: unknown = details?.['eventId'];
  return typeof id === 'string' ? id : null;
}
