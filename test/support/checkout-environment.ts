import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Environment, SocketHandlers } from '../../sdk/checkout/environment.ts';

/** The platform of a checkout page under test: real requests and sockets, and timers that run so many times as fast. */
export interface TestPage {
  readonly environment: Environment;
  /** The URLs that the page navigated to, in order. */
  readonly visited: string[];
  readonly reported: unknown[];
  /** The network comes back. */
  wake(): void;
  /** The network is gone. */
  goOffline(): void;
}

const SPEED = 50;

export function createTestPage(overrides: Partial<Environment> = {}): TestPage {
  const visited: string[] = [];
  const reported: unknown[] = [];
  const kept = new Map<string, string>();
  const onWake = new Set<() => void>();
  const onOffline = new Set<() => void>();
  const environment: Environment = {
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
      read: (name) => kept.get(name) ?? null,
      write: (name, value) => void kept.set(name, value),
      remove: (name) => void kept.delete(name),
    },
    report: (error) => void reported.push(error),
    ...overrides,
  };
  return {
    environment,
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
