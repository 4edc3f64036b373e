import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Platform, SocketHandlers } from '../../sdk/checkout/platform.ts';

/** The platform of a checkout page under test: real requests and sockets, and accelerated timers. */
export interface TestPage {
  readonly platform: Platform;
  /** Addresses to which the page navigated, in order. */
  readonly visited: string[];
  readonly reported: unknown[];
  /** Signals that the network is back. */
  wake(): void;
  /** Signals that the network is lost. */
  goOffline(): void;
}

/** Not so much that a deadline of seconds becomes shorter than a pause of a busy machine. */
const SPEED = 10;

export function createTestPage(overrides: Partial<Platform> = {}): TestPage {
  const visited: string[] = [];
  const reported: unknown[] = [];
  const stored = new Map<string, string>();
  const onWake = new Set<() => void>();
  const onOffline = new Set<() => void>();
  const platform: Platform = {
    canSign: true,
    fetch: (url, init) => fetch(url, init),
    openSocket,
    schedule: (delayMs, run) => {
      const timer = setTimeout(run, delayMs / SPEED);
      return () => clearTimeout(timer);
    },
    random: () => 0,
    nowMs: () => Date.now(),
    newId: () => randomUUID(),
    onWake: (callback) => (onWake.add(callback), () => void onWake.delete(callback)),
    onOffline: (callback) => (onOffline.add(callback), () => void onOffline.delete(callback)),
    navigate: (url) => void visited.push(url),
    openPopup: () => null,
    storage: {
      read: (name) => stored.get(name) ?? null,
      write: (name, value) => void stored.set(name, value),
      remove: (name) => void stored.delete(name),
    },
    report: (error) => void reported.push(error),
    ...overrides,
  };
  return {
    platform,
    visited,
    reported,
    wake: () => onWake.forEach((callback) => callback()),
    goOffline: () => onOffline.forEach((callback) => callback()),
  };
}

function openSocket(url: string, { onOpen, onMessage, onClose }: SocketHandlers) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('open', onOpen);
  socket.on('message', (data) => onMessage(data.toString()));
  socket.on('close', onClose);
  socket.on('error', () => undefined);
  return { send: (text: string) => socket.send(text), close: () => socket.close() };
}
