import type { Cancel, ClientSocket, Platform, Popup, SocketHandlers, TabStorage } from './platform.ts';

const POPUP_FEATURES = 'popup,width=480,height=720';
const CLOSE_AGAIN_AFTER_MS = 250;
const CLOSE_TRIES = 40;
const NORMAL_CLOSURE = 1000;
const NEVER_OPENED = 1006;
const ID_BYTES = 16;

/** The browser that the page runs in. */
export function browserPlatform(): Platform {
  return {
    canSign: typeof crypto !== 'undefined' && 'subtle' in crypto,
    fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    openSocket,
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
    nowMs: () => Date.now(),
    newId,
    onWake: (callback) => {
      const whenVisible = (): void => {
        if (document.visibilityState === 'visible') callback();
      };
      const cancels = [listen(window, 'online', callback), listen(document, 'visibilitychange', whenVisible)];
      return () => cancels.forEach((cancel) => cancel());
    },
    onOffline: (callback) => listen(window, 'offline', callback),
    navigate: (url) => window.location.assign(url),
    openPopup,
    storage: tabStorage,
    report: (error) => console.error(error),
  };
}

/** Not `randomUUID`: browsers have it on secure pages only, and other pages must get as far as the error `INSECURE_PAGE`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function listen(target: EventTarget, name: string, callback: () => void): Cancel {
  target.addEventListener(name, callback);
  return () => target.removeEventListener(name, callback);
}

function openSocket(url: string, { onOpen, onMessage, onClose }: SocketHandlers): ClientSocket {
  try {
    const socket = new WebSocket(url);
    socket.addEventListener('open', onOpen);
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(String(data)));
    socket.addEventListener('close', ({ code }) => onClose(code));
    return { send: (text) => socket.send(text), close: () => socket.close(NORMAL_CLOSURE) };
  } catch {
    // An address that is none, or that the page's policy forbids.
    setTimeout(() => onClose(NEVER_OPENED), 0);
    return { send: () => undefined, close: () => undefined };
  }
}

/** The window forgets who opened it before it goes to the bank, so that no page there can lead this one elsewhere. */
function openPopup(url: string): Popup | null {
  try {
    const popup = window.open('about:blank', '_blank', POPUP_FEATURES);
    if (popup === null) return null;
    popup.opener = null;
    popup.location.replace(url);
    return { close: () => closeWindow(popup, CLOSE_TRIES) };
  } catch {
    return null;
  }
}

/** A window that is navigating may ignore the first call to close it. */
function closeWindow(popup: Window, triesLeft: number): void {
  popup.close();
  setTimeout(() => {
    if (!popup.closed && triesLeft > 1) closeWindow(popup, triesLeft - 1);
  }, CLOSE_AGAIN_AFTER_MS);
}

/** Pages may be denied storage; then a customer who comes back learns the outcome from the merchant's server. */
const tabStorage: TabStorage = {
  read: (name) => attempt(() => sessionStorage.getItem(name)),
  write: (name, value) => void attempt(() => sessionStorage.setItem(name, value)),
  remove: (name) => void attempt(() => sessionStorage.removeItem(name)),
};

function attempt<Result>(access: () => Result): Result | null {
  try {
    return access();
  } catch {
    return null;
  }
}
