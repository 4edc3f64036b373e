import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, beforeEach, describe, it } from 'mocha';
import pino from 'pino';
import { createPolicyReportRouter, createPolicyReports, type PolicyReports } from '../../../api/policy-reports.ts';
import { createClientAddresses } from '../../../http/client-address.ts';
import { toApiError } from '../../../http/errors.ts';
import type { ApiErrorHandler } from '../../../http/request-context.ts';
import type { RateLimiters } from '../../../http/rate-limits/rate-limit.ts';
import type { DirectStatements } from '../../../prisma/connection/direct-statements.ts';
import { closeServer, listenLocally, portOf } from '../../support/local-server.ts';

interface Written {
  readonly page: string;
  readonly directive: string;
  readonly blocked: string;
  readonly reports: number;
}

const OTHER_SCRIPT = 'https://other.example/stolen?card=4242424242424242';

describe('reports of the policy of a payment page', () => {
  let server: Server;
  let policyReports: PolicyReports;
  let written: Written[];
  let alerts: object[];
  let measured: number;

  beforeEach(() => {
    [written, alerts, measured] = [[], [], 0];
    const unused = () => Promise.reject(new Error('not used'));
    const direct: DirectStatements = {
      rows: unused,
      row: unused,
      rowsLocked: unused,
      execute: ({ values: [json] }) => {
        written.push(...(JSON.parse(String(json)) as Written[]));
        return Promise.resolve(1);
      },
    };
    const logger = pino({ level: 'warn' }, { write: (line: string) => void alerts.push(JSON.parse(line) as object) });
    policyReports = createPolicyReports({ direct }, logger, ({ isSerious }) => (measured += isSerious ? 1 : 0));
  });

  before(async () => {
    const answerStatus: ApiErrorHandler = (error: unknown, _request, response, _next) =>
      void response.status(toApiError(error).status).end();
    const app = express().use(
      '/policy-reports',
      createPolicyReportRouter({
        policyReports: { add: (...report) => policyReports.add(...report), close: () => policyReports.close() },
        addresses: createClientAddresses([]),
        rateLimiters: { blockedAddress: () => null } as Partial<RateLimiters> as RateLimiters,
        pageRequestsPerMinute: 300,
      }),
      answerStatus,
    );
    server = createServer(app);
    await listenLocally(server);
  });
  after(() => closeServer(server));

  const report = async (body: unknown, page = 'payment-page', type = 'application/reports+json') => {
    const url = `http://127.0.0.1:${portOf(server)}/policy-reports/${page}`;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body: text })).status;
  };
  const violation = (blockedURL: string, effectiveDirective = 'script-src-elem') => ({
    type: 'csp-violation',
    body: { effectiveDirective, blockedURL, sample: 'card=4242424242424242' },
  });
  const closed = async () => {
    await policyReports.close();
    return written.map(({ page, directive, blocked, reports }) => [page, directive, blocked, reports]);
  };

  it('are counted in both forms, by the origin alone, and alert to a script of somebody else', async () => {
    assert.equal(await report([violation(OTHER_SCRIPT), violation(OTHER_SCRIPT), { type: 'deprecation' }]), 204);
    const old = { 'csp-report': { 'violated-directive': 'script-src-elem', 'blocked-uri': OTHER_SCRIPT } };
    assert.equal(await report(old, 'card-fields', 'application/csp-report'), 204);
    assert.deepEqual(await closed(), [
      ['payment-page', 'script-src-elem', 'https://other.example', 2],
      ['card-fields', 'script-src-elem', 'https://other.example', 1],
    ]);
    assert.equal(measured, 3);
    assert.deepEqual(
      alerts.map((line) => (line as { page: string }).page),
      ['payment-page', 'card-fields'],
    );
    assert.doesNotMatch(JSON.stringify([written, alerts]), /4242/);
  });

  it('of browser extensions and of pictures are counted, and alert nobody', async () => {
    await report([violation('chrome-extension://abcdef/inject.js'), violation('https://a.example/x.png', 'img-src')]);
    assert.deepEqual(await closed(), [
      ['payment-page', 'script-src-elem', 'chrome-extension', 1],
      ['payment-page', 'img-src', 'https://a.example', 1],
    ]);
    assert.deepEqual([measured, alerts], [0, []]);
  });

  it('take a limited number of rows, whatever somebody makes up, and no other page', async () => {
    for (let body = 0; body < 30; body += 1) {
      const made = Array.from({ length: 30 }, (_, each) => violation(`https://${body}-${each}.example/`));
      assert.equal(await report(made), 204);
    }
    const rows = await closed();
    assert.equal(rows.length, 201);
    assert.deepEqual(rows.at(-1), ['payment-page', 'others', 'others', 400]);
    assert.equal(await report([], 'dashboard'), 404);
    for (const wrong of ['', 'text', '{}', JSON.stringify([violation('x'.repeat(40_000))])]) {
      assert.equal(await report(wrong), 400, wrong.slice(0, 20));
    }
    const strange = [
      violation('\u0000javascript:alert(1)', '<script>'),
      violation('x'.repeat(1_000)),
      { type: 'csp-violation' },
    ];
    assert.equal(await report(strange), 204);
  });
});
