import { createApiClient } from '../api-client.ts';
import { browserPlatform } from '../browser.ts';
import { splitClientSecret } from '../client-secret.ts';
import { asPageMessage, CONNECT, type FrameMessage, type PageMessage } from '../frame-messages.ts';
import type { CheckoutError, StoredCard } from '../types.ts';
import { startCardForm } from './card-form.ts';
import { checkTheme } from './theme.ts';

const platform = browserPlatform();
/** The API is where this frame was loaded from. */
const baseUrl = location.href.slice(0, location.href.indexOf('/sdk/checkout/'));
const INVALID_CLIENT_SECRET: CheckoutError = {
  code: 'INVALID_CLIENT_SECRET',
  message: 'This is not the client secret of a payment intent.',
  details: null,
};

/** The page that embeds this frame passes a port, once. Messages of any other window are not read. */
const onWindowMessage = ({ source, data, ports }: MessageEvent<unknown>): void => {
  const [port] = ports;
  if (source !== window.parent || source === window || data !== CONNECT || port === undefined) return;
  window.removeEventListener('message', onWindowMessage);
  serve(port);
};
window.addEventListener('message', onWindowMessage);

function serve(port: MessagePort): void {
  const send = (message: FrameMessage): void => port.postMessage(message);
  const form = startCardForm({
    onChange: (change) => send({ type: 'changed', ...change }),
    onSubmit: () => send({ type: 'submitted' }),
    onResize: (heightPx) => send({ type: 'resized', heightPx }),
  });

  const onMessage = async (message: PageMessage): Promise<void> => {
    switch (message.type) {
      case 'configure':
        form.setLanguage(message.language);
        form.setSavedCard(message.savedCard);
        return send({ type: 'ready', refusedVariables: applyTheme(message) });
      case 'focus':
        return form.focus();
      case 'validate':
        return send({ type: 'validated', requestId: message.requestId, valid: form.validate() });
      case 'store':
        return send({ type: 'stored', requestId: message.requestId, ...(await store(message.clientSecret)) });
    }
  };

  const store = async (clientSecret: string): Promise<StoredCard> => {
    if (!form.validate()) return { paymentMethodId: null, error: null };
    const credentials = splitClientSecret(clientSecret);
    if (credentials === null) return { paymentMethodId: null, error: INVALID_CLIENT_SECRET };
    const { paymentMethodId, error } = await createApiClient(platform, credentials, baseUrl).store(form.read());
    if (error !== null && form.showRefusal(error)) return { paymentMethodId: null, error: null };
    return { paymentMethodId, error: error === null ? null : { ...error, details: null } };
  };

  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = asPageMessage(data);
    if (message !== null) void onMessage(message);
  };
}

/** Sets the variables that are accepted, and returns the names of the others. */
function applyTheme({ theme, colorScheme }: Extract<PageMessage, { type: 'configure' }>): readonly string[] {
  const root = document.documentElement;
  const { accepted, refused } = checkTheme(theme);
  for (const [name, value] of accepted) root.style.setProperty(name, value);
  root.dataset.colorScheme = colorScheme;
  return refused;
}
