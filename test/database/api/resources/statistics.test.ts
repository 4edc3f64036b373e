import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { after, before, describe, it } from 'mocha';
import { toApiError } from '../../../../http/errors.ts';
import type { ApiErrorHandler, ApiHandler } from '../../../../http/request-context.ts';
import { statisticsOperations } from '../../../../api/resources/statistics/operations.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { principalWith } from '../../../support/principal.ts';
import { closeServer, listenLocally, portOf } from '../../../support/local-server.ts';

describe('statistics of the first and the last days that a time may name', () => {
  const test = useAccount();
  let server: Server;

  before(async () => {
    const authenticated: ApiHandler = (_request, response, next) => {
      response.locals.principal = principalWith({ merchantAccountId: test.account, scopes: ['statistics:read'] });
      next();
    };
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) => {
      const { status, code, details } = toApiError(error);
      response.status(status).json({ code, details });
    };
    const app = express();
    for (const { path, handler } of statisticsOperations({ database: test.database })) {
      app.get(path, authenticated, handler);
    }
    server = createServer(app.use(answerError));
    await listenLocally(server);
  });
  after(() => closeServer(server));

  async function read(query: Readonly<Record<string, string>>) {
    const port = portOf(server);
    const parameters = new URLSearchParams({ currency: 'EUR', ...query });
    const response = await fetch(`http://127.0.0.1:${port}/statistics?${parameters.toString()}`);
    return { status: response.status, body: await response.text() };
  }

  it('are read as long as whole intervals stay within these years, and else refused', async () => {
    for (const query of [
      { to: '9999-12-31T23:00:00Z' },
      { to: '9999-12-30T12:00:00Z', interval: 'day' },
      { from: '0001-01-01T00:00:00Z', to: '0001-01-01T00:30:00Z' },
    ]) {
      assert.equal((await read(query)).status, 200, JSON.stringify(query));
    }
    for (const query of [
      { to: '9999-12-31T23:00:00.001Z' },
      { to: '9999-12-31T12:00:00Z', interval: 'day' },
      { to: '0001-01-01T12:00:00Z' },
    ]) {
      const { status, body } = await read(query);
      assert.equal(status, 422, `${JSON.stringify(query)} ${body}`);
    }
  });
});
