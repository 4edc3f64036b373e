import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noteRefusals } from '../../../providers/note-refusals.ts';
import type { ProviderCapabilities } from '../../../providers/payment-provider.ts';
import { loggedRefusals } from '../../../vault/account-refusals.ts';
import { credentialsRefused, timeout } from '../../support/outcomes.ts';
import { cardOf, newSignal, requestWith } from '../../support/provider-contract.ts';
import { type ProviderScript, scriptedProvider } from '../../support/scripted-provider.ts';

const REQUEST = requestWith(cardOf('4242424242424242'));
const PENDING = { kind: 'pending', providerPaymentId: 'sim_1' } as const;

describe('notes of refused credentials', () => {
  const notesOf = async (inquiry: ProviderCapabilities['inquiry'], inquire: ProviderScript['inquire']) => {
    const noted: string[] = [];
    const scripted = scriptedProvider('alpha', { inquire: inquire ?? [] }, () => undefined);
    const notes = {
      refused: async (operation: string) => void noted.push(`${operation} refused`),
      accepted: async (operation: string) => void noted.push(`${operation} accepted`),
    };
    const provider = noteRefusals({ ...scripted, capabilities: { ...scripted.capabilities, inquiry } }, notes);
    await provider.inquire(REQUEST, newSignal()).catch(() => undefined);
    return noted;
  };

  it('have the operation that was refused or answered; an outage says nothing of credentials', async () => {
    assert.deepEqual(await notesOf('exact', [credentialsRefused]), ['inquire refused']);
    assert.deepEqual(await notesOf('exact', [PENDING]), ['inquire accepted']);
    assert.deepEqual(await notesOf('exact', [timeout]), []);
  });

  it('take an inquiry that repeats the call for that call, and its answer for none, as it may be a stored report', async () => {
    assert.deepEqual(await notesOf('repeat', [credentialsRefused]), ['authorize refused']);
    assert.deepEqual(await notesOf('repeat', [PENDING]), []);
  });

  it('are logged once for a provider of the settings, until the operation is answered', async () => {
    const logged: string[] = [];
    const log = (_fields: object, message: string): void => void logged.push(message);
    const notes = loggedRefusals({ error: log, info: log }, 'alpha');
    for (const reason of ['expired', 'expired']) await notes.refused('authorize', reason);
    await notes.accepted('inquire');
    await notes.accepted('authorize');
    await notes.refused('authorize', 'expired');
    const refusal = 'a provider refuses the credentials';
    assert.deepEqual(logged, [refusal, 'a provider accepts the credentials again', refusal]);
  });
});
