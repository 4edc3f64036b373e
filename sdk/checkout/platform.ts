/** What the SDK needs of its platform: a browser, or a test. */
export interface Platform {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Whether requests can be signed here at all. */
  readonly canSign: boolean;
  /** Opens a WebSocket. It reports `onClose` once, also when it could never be opened. */
  openSocket(url: string, handlers: SocketHandlers): ClientSocket;
  /** Runs something later, unless it is cancelled. */
  schedule(delayMs: number, run: () => void): Cancel;
  /** From 0 to less than 1. */
  random(): number;
  nowMs(): number;
  newId(): string;
  /** Calls back when the page is online or visible again. */
  onWake(callback: () => void): Cancel;
  /** Calls back when the network is lost. */
  onOffline(callback: () => void): Cancel;
  /** Leaves the page. */
  navigate(url: string): void;
  /** Opens a window that cannot reach this one; null when it is not allowed to. */
  openPopup(url: string): Popup | null;
  /** Stores texts as long as the tab lives. */
  readonly storage: TabStorage;
  /** Reports the error of a listener that threw. */
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
