import { type ServerOptions, WebSocketServer } from 'ws';

export interface SocketServerLimits {
  /** Longest frame, and longest message, that a client may send. */
  readonly maximumFrameBytes: number;
  /** Most frames that a message may come in. */
  readonly maximumFragments: number;
}

/** The protocol's side of sockets, for a server that hands over its upgrades. */
export function createSocketServer({ maximumFrameBytes, maximumFragments }: SocketServerLimits): WebSocketServer {
  const options: ServerOptions & { readonly maxFragments: number } = {
    noServer: true,
    clientTracking: false,
    maxPayload: maximumFrameBytes,
    maxFragments: maximumFragments,
    perMessageDeflate: false,
  };
  return new WebSocketServer(options);
}
