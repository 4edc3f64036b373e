/** What the SDK needs of the world: a browser's, or a test's. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Whether requests can be signed here at all. */
  readonly canSign: boolean;
  /** Opens a WebSocket. It reports `onClose` once, also when it could never be opened. */
  openSocket(url: string, handlers: SocketHandlers): ClientSocket;
  /** Runs something later, unless it is called off. */
  schedule(delayMs: number, run: () => void): Cancel;
  /** From 0 to less than 1. */
  random(): number;
  nowMs(): number;
  newId(): string;
  /** Calls back when the page comes back to life: online again, shown again. */
  onWake(callback: () => void): Cancel;
  /** Calls back when the network is known to be gone. */
  onOffline(callback: () => void): Cancel;
  /** Leaves the page. */
  navigate(url: string): void;
  /** Opens a window that cannot reach this one; null when it is not allowed to. */
  openPopup(url: string): Popup | null;
  /** Keeps texts as long as the tab lives. */
  readonly storage: TabStorage;
  /** Tells the page's developers of a listener that threw. */
  report(error: unknown): void;
}

export type Cancel = () => void;

export interface SocketHandlers {
  readonly onOpen: () => void;
  readonly onMessage: (text: string) => void;
  readonly onClose: (code: number) => void;
}

export interface ClientSocket {
  send(text: string): void;
  /** Closes it; `onClose` may still follow. */
  close(): void;
}

export interface Popup {
  close(): void;
}

export interface TabStorage {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
}
