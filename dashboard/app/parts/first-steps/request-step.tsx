import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useId, useState } from 'react';
import { messageOf } from '../../core/message-of.ts';
import { sendFirstPayment, type SentPayment } from '../../core/first-payment.ts';
import { usePlace } from '../../core/session.ts';
import { CopyButton } from '../fields.tsx';
import { CodeBlock } from './code-block.tsx';
import {
  type Language,
  LANGUAGES,
  type SandboxKey,
  type SignedPayment,
  signPayment,
  snippetOf,
} from './signed-payment.ts';

/** Shown where the operator has not said where the API is. */
const UNKNOWN_API = 'https://api.example';

interface RequestStepProps {
  readonly sandboxKey: SandboxKey;
  readonly apiUrl: string | null;
  readonly onSent: () => void;
}

/** The request of a payment in three languages, and a button that sends it. */
export function RequestStep({ sandboxKey, apiUrl, onSent }: RequestStepProps) {
  const { merchantId } = usePlace().account;
  const { signed, sent, failure, isBusy, send, begin } = useFirstPayment(sandboxKey, merchantId, onSent);
  const [language, setLanguage] = useState<Language>('curl');
  const snippet =
    signed === null ? '' : snippetOf(language, { apiUrl: apiUrl ?? UNKNOWN_API, key: sandboxKey, merchantId, signed });
  return (
    <>
      <Typography sx={{ mb: 1 }}>
        This pays EUR 19.99 with a test card. It is signed with your key, here in your browser. The curl command works
        once, within five minutes.
      </Typography>
      {apiUrl === null ? (
        <Alert severity="info" sx={{ mb: 1 }}>
          Put the address of the API in place of {UNKNOWN_API}: whoever operates the engine knows it.
        </Alert>
      ) : null}
      <SnippetTabs language={language} onChange={setLanguage} snippet={snippet} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2 }}>
        <Button variant="contained" onClick={() => void send()} loading={isBusy}>
          Send it from here
        </Button>
        <Button onClick={begin}>New request</Button>
      </Box>
      {failure === null ? null : (
        <Alert severity="error" sx={{ mt: 2 }}>
          {failure}
        </Alert>
      )}
      {sent === null ? null : <Answer sent={sent} />}
    </>
  );
}

/** Signs the request of a payment, and sends it when asked to; a repeat has the same idempotency key until `begin`. */
function useFirstPayment(sandboxKey: SandboxKey, merchantId: string, onSent: () => void) {
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const [signed, setSigned] = useState<SignedPayment | null>(null);
  const [sent, setSent] = useState<SentPayment | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const signNow = useCallback(
    () => signPayment(sandboxKey, merchantId, idempotencyKey),
    [sandboxKey, merchantId, idempotencyKey],
  );
  useEffect(() => {
    let isCurrent = true;
    signNow().then(
      (payment) => isCurrent && setSigned(payment),
      (error: unknown) => isCurrent && setFailure(String(error)),
    );
    return () => void (isCurrent = false);
  }, [signNow]);

  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      setSent(await sendFirstPayment(await signNow()));
      onSent();
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const begin = () => {
    setSent(null);
    setFailure(null);
    setIdempotencyKey(newIdempotencyKey());
  };
  return { signed, sent, failure, isBusy, send, begin };
}

interface SnippetTabsProps {
  readonly language: Language;
  readonly onChange: (language: Language) => void;
  readonly snippet: string;
}

/** The request in one of the languages, and tabs to choose it. */
function SnippetTabs({ language, onChange, snippet }: SnippetTabsProps) {
  const panelId = useId();
  return (
    <>
      <Tabs value={language} onChange={(_event, chosen: Language) => onChange(chosen)} aria-label="Language">
        {LANGUAGES.map((each) => (
          <Tab
            key={each}
            value={each}
            label={each}
            id={`${panelId}-${each}`}
            aria-controls={panelId}
            sx={{ textTransform: 'none' }}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id={panelId} aria-labelledby={`${panelId}-${language}`} sx={{ position: 'relative' }}>
        <CodeBlock label={`Request in ${language}`} text={snippet} />
        <Box sx={{ position: 'absolute', top: 6, right: 6 }}>
          <CopyButton text={snippet} label="Copy request" />
        </Box>
      </Box>
    </>
  );
}

function newIdempotencyKey(): string {
  return `first-payment-${crypto.randomUUID()}`;
}

function Answer({ sent: { status, text, elapsedMs } }: { readonly sent: SentPayment }) {
  const isDone = status < 300;
  return (
    <Box sx={{ mt: 2 }}>
      <Alert severity={isDone ? 'success' : 'warning'} sx={{ mb: 1 }}>
        The API answered {status} after {elapsedMs.toLocaleString()} ms.
      </Alert>
      <CodeBlock label="Answer" text={text} />
    </Box>
  );
}
