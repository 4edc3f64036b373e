import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import ContentCopy from '@mui/icons-material/ContentCopy';
import Check from '@mui/icons-material/Check';
import { type ReactNode, useState } from 'react';
import { useCreatePath } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import { formatMoney } from '../core/money.ts';
import { MONOSPACE } from '../core/plain-theme.ts';
import { lookOf, nameOf } from '../core/words.ts';

const LOCAL = { dateStyle: 'medium', timeStyle: 'short' } as const;
/** The long style names the zone. */
const PRECISE = { dateStyle: 'medium', timeStyle: 'long' } as const;

interface TimeProps {
  readonly at: string | null | undefined;
  readonly precise?: boolean;
}

/** A time in the reader's zone; the time in UTC shows on hover. */
export function Time({ at, precise = false }: TimeProps) {
  if (at == null) return <None />;
  const text = new Intl.DateTimeFormat(undefined, precise ? PRECISE : LOCAL).format(new Date(at));
  return (
    <time dateTime={at} title={`${at.replace('T', ' ').replace('Z', '')} UTC`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  );
}

/** An amount in the reader's locale. */
export function Money({ minor, currency }: { readonly minor: number; readonly currency: string }) {
  return (
    <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>{formatMoney(minor, currency)}</span>
  );
}

export function Status({ of }: { readonly of: string }) {
  return <Chip size="small" label={nameOf(of)} color={lookOf(of)} sx={WRAPS_ON_PHONES} />;
}

/** So that a long status widens no list. */
const WRAPS_ON_PHONES = {
  height: 'auto',
  minHeight: 24,
  '& .MuiChip-label': { whiteSpace: { xs: 'normal', sm: 'nowrap' } },
};

/** What there is nothing of. */
export function None() {
  return (
    <Typography component="span" variant="inherit" color="textSecondary">
      –
    </Typography>
  );
}

export function Code({ children, wrap = false }: { readonly children: ReactNode; readonly wrap?: boolean }) {
  return (
    <code
      style={{
        fontFamily: MONOSPACE,
        // A whole id and its button fit into a column of facts.
        fontSize: wrap ? '0.78em' : '0.85em',
        ...(wrap ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }),
      }}
    >
      {children}
    </code>
  );
}

/** The resources with a page of their own, by the beginning of their ids. */
const RESOURCES: Readonly<Record<string, string>> = {
  pi: 'payment-intents',
  plink: 'payment-links',
  re: 'refunds',
  txn: 'transactions',
  dp: 'disputes',
  stl: 'settlements',
  ste: 'settlement-entries',
  cus: 'customers',
  key: 'api-keys',
  whe: 'webhook-endpoints',
  evt: 'events',
  aud: 'audit-events',
};

interface IdProps {
  readonly id: string | null | undefined;
  /** Default: the resource of the id's prefix. */
  readonly resource?: string;
  /** Whether the id is shown whole, with a button that copies it. */
  readonly whole?: boolean;
  /** Whether it leads to the resource's page. */
  readonly link?: boolean;
}

/** An id: short in tables, whole where there is room; it leads to the resource's page. */
export function Id({ id, resource, whole = false, link = true }: IdProps) {
  const createPath = useCreatePath();
  if (id == null) return <None />;
  const target = resource ?? RESOURCES[id.split('_')[0] ?? ''];
  const text = <Code wrap={whole}>{whole || id.length <= 16 ? id : shortId(id)}</Code>;
  return (
    // A long id wraps beside its button, which never stands alone in a line.
    <span style={whole ? { display: 'inline-flex', alignItems: 'center', maxWidth: '100%' } : {}}>
      {link && target !== undefined ? (
        <Link
          component={RouterLink}
          to={createPath({ resource: target, id, type: 'show' })}
          title={id}
          onClick={(event) => event.stopPropagation()}
        >
          {text}
        </Link>
      ) : (
        <span title={id}>{text}</span>
      )}
      {whole ? <CopyButton text={id} label="Copy ID" /> : null}
    </span>
  );
}

/** Who made something: a key with a link to it, or a person. */
export function Maker({ of }: { readonly of: { readonly type: string; readonly id: string } | null | undefined }) {
  if (of == null) return <>The operator</>;
  return (
    <>
      {of.type === 'api_key' ? 'API key ' : 'Person '}
      <Id id={of.id} />
    </>
  );
}

/** Ids begin with their time, so their ends tell them apart. */
function shortId(id: string): string {
  const end = id.indexOf('_') + 1;
  return `${id.slice(0, end)}…${id.slice(-8)}`;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    });
  };
  return (
    <Tooltip title={isCopied ? 'Copied' : label}>
      <IconButton size="small" aria-label={label} onClick={copy} sx={{ p: '3px' }}>
        {isCopied ? <Check fontSize="inherit" /> : <ContentCopy fontSize="inherit" />}
      </IconButton>
    </Tooltip>
  );
}

/** Names and values, one below the other on phones; what there is nothing of is left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl
      style={{
        margin: 0,
        display: 'grid',
        gap: '0.6rem 1.5rem',
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 19rem), 1fr))',
      }}
    >
      {rows
        .filter(([, value]) => value != null && value !== '')
        .map(([name, value]) => (
          <div key={name} style={{ minWidth: 0 }}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {name}
            </Typography>
            <Typography component="dd" variant="body1" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {value}
            </Typography>
          </div>
        ))}
    </dl>
  );
}

/** Any JSON, for people who look into details. */
export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre
      // A scrolled text is reached by keyboard.
      tabIndex={0}
      style={{
        margin: 0,
        fontFamily: MONOSPACE,
        fontSize: '0.8rem',
        overflow: 'auto',
        maxHeight: '24rem',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** Pairs of a merchant's own. */
export function Metadata({ pairs }: { readonly pairs: Readonly<Record<string, string>> }) {
  const rows = Object.entries(pairs);
  return rows.length === 0 ? <None /> : <Facts rows={rows} />;
}
