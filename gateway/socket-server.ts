import { WebSocketServer } from 'ws';

/** The protocol's side of sockets, for a server that hands over its upgrades. */
export function createSocketServer(maximumFrameBytes: number): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maximumFrameBytes,
    perMessageDeflate: false,
  });
}
