import { z } from 'zod';
import { isOrigin, text, url } from '../value-schemas.ts';
import { flag, httpUrl, numberFrom, PAGES, port, type VariableGroup, variables } from './variable.ts';

const SHORTEST_DASHBOARD_SECRET = 32;

function hours(byDefault: number) {
  return numberFrom(1, 168, byDefault, 'be hours from 1 to 168');
}

const PEOPLE_VARIABLES = variables({
  DASHBOARD_PORT: { ...port(3_003), readBy: ['dashboard', 'start'], description: 'The port of the dashboard.' },
  DASHBOARD_URL: {
    schema: text.refine(isOrigin),
    must: 'be the origin of the dashboard, like https://dashboard.example',
    readBy: PAGES,
    example: 'https://dashboard.example',
    description:
      'The origin of the dashboard as browsers see it, with https:// unless it is this machine. The API puts it into invitations.',
  },
  DASHBOARD_API_URL: {
    ...httpUrl('be the http(s) address of the API'),
    readBy: ['dashboard'],
    example: 'http://127.0.0.1:3000',
    description: 'Where the dashboard reaches the API.',
  },
  DASHBOARD_SECRET: {
    schema: text.min(SHORTEST_DASHBOARD_SECRET),
    must: 'be a secret of 32 characters or more, the same for the dashboard and the API',
    readBy: PAGES,
    isSecret: true,
    description: 'Signs sessions: the same for the dashboard and the API, for example of `openssl rand -hex 32`.',
  },
  REQUIRE_SECOND_FACTOR: {
    ...flag(false),
    readBy: ['api'],
    description: 'Whether a second factor is demanded of everybody who signs in.',
  },
  SESSION_HOURS: {
    ...hours(24),
    readBy: PAGES,
    description: 'Hours after the sign-in when a session of people ends, however much it is used.',
  },
  STAFF_SESSION_HOURS: {
    ...hours(8),
    readBy: PAGES,
    description: "Hours after the sign-in when a session of the platform's staff ends.",
  },
  STAFF_SESSION_IDLE_MINUTES: {
    ...numberFrom(1, 480, 30, 'be minutes from 1 to 480'),
    readBy: PAGES,
    description:
      "Minutes without a request after which a session of the platform's staff ends. PCI DSS 8.2.8 asks for 15.",
  },
  SIGN_UP: {
    schema: z.enum(['open', 'invitation']).default('invitation'),
    must: 'be open or invitation',
    readBy: ['dashboard'],
    description: 'Whether anybody may sign up with a merchant of their own (open), or only who is invited.',
  },
  SMTP_URL: {
    schema: url(['smtp:', 'smtps:']),
    must: 'be an address like smtp://user:password@mail.example:587, or smtps:// for TLS from the start',
    readBy: PAGES,
    isSecret: true,
    example: 'smtp://user:password@mail.example:587',
    description: 'The mail server, with smtps:// for TLS from the start.',
  },
  MAIL_FROM: {
    schema: text.regex(/@/),
    must: 'be an e-mail address, like Payments <payments@example.com>',
    readBy: PAGES,
    example: 'Payments <payments@example.com>',
    description: 'Who mails come from.',
  },
  OIDC_ISSUER: {
    ...httpUrl('be the address of an OpenID provider, its issuer'),
    readBy: ['dashboard'],
    description: 'Sign-in with an account of a company, by OpenID Connect: the issuer. It needs the two next as well.',
  },
  OIDC_CLIENT_ID: {
    schema: text,
    must: 'be the id of the client at the OpenID provider',
    readBy: ['dashboard'],
    description: 'The id of the client at that provider.',
  },
  OIDC_CLIENT_SECRET: {
    schema: text,
    must: 'be the secret of that client',
    readBy: ['dashboard'],
    isSecret: true,
    description: 'The secret of that client.',
  },
  OIDC_NAME: {
    schema: text.default('OpenID Connect'),
    must: 'be a name for people, like Example Login',
    readBy: ['dashboard'],
    description: 'What the button says.',
  },
});

export const PEOPLE = { title: 'Dashboard', variables: PEOPLE_VARIABLES } satisfies VariableGroup;
