import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ConfigError } from '../../../config/read-variables.ts';
import { readDashboardConfig } from '../../../config/dashboard.ts';
import { sessionCookieOf } from '../../../dashboard/server/auth.ts';

const SETTINGS = {
  DATABASE_URL: 'postgresql://127.0.0.1/payments',
  DASHBOARD_URL: 'https://dashboard.example',
  DASHBOARD_API_URL: 'https://api.example/',
  DASHBOARD_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'payments@example.com',
};

describe('the settings of the dashboard', () => {
  it('give the cookie of a public dashboard a name that no other host can set', () => {
    const { publicUrl, apiUrl, signUp } = readDashboardConfig(SETTINGS);
    assert.equal(sessionCookieOf(publicUrl), '__Host-payment-engine.session_token');
    assert.equal(sessionCookieOf('http://127.0.0.1:3003'), 'payment-engine.session_token');
    assert.deepEqual([apiUrl, signUp], ['https://api.example', 'invitation']);
  });

  it('refuse plain HTTP but on this machine, a short secret, half a provider, and a dashboard without mail', () => {
    for (const [wrong, message] of [
      [{ DASHBOARD_URL: 'http://dashboard.example' }, /DASHBOARD_URL .* https:/],
      [{ DASHBOARD_URL: 'https://dashboard.example/path' }, /DASHBOARD_URL must be the origin/],
      [{ DASHBOARD_SECRET: 'short' }, /DASHBOARD_SECRET must be a secret of 32/],
      [{ OIDC_ISSUER: 'https://login.example' }, /OIDC_CLIENT_SECRET must be set together/],
      [{ SMTP_URL: '' }, /SMTP_URL/],
    ] as const) {
      assert.throws(
        () => readDashboardConfig({ ...SETTINGS, ...wrong }),
        (error) => error instanceof ConfigError && message.test(error.message),
      );
    }
    assert.equal(
      readDashboardConfig({ ...SETTINGS, DASHBOARD_URL: 'http://localhost:3003' }).publicUrl,
      'http://localhost:3003',
    );
  });
});
