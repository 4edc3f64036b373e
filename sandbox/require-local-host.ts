import type { RequestHandler, Response } from 'express';
import { hostnameOf, isLocalName } from '../domain/ip-address.ts';

/** Not the server that the request was meant for (RFC 9110, 15.5.20). */
const MISDIRECTED_STATUS = 421;

export interface LocalHostOptions {
  /** Names and addresses besides loopback that the server is reached by. */
  readonly hosts: readonly string[];
  /** Sends the refusal in the server's own form. */
  readonly refuse: (response: Response, status: number, message: string) => void;
}

/**
 * Lets only requests pass whose Host header is this machine, or one of the given hosts; the port does not matter. A page of an
 * attacker can make its own name lead to this machine (DNS rebinding), and would then share an origin with the server.
 */
export function requireLocalHost({ hosts, refuse }: LocalHostOptions): RequestHandler {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return (request, response, next) => {
    const host = hostnameOf(request.headers.host ?? '');
    if (known.has(host) || isLocalName(host)) next();
    else refuse(response, MISDIRECTED_STATUS, 'This server answers only requests to its own address.');
  };
}
