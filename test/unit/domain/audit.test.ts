import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { actorAtStart, actorOfSupport, supportName } from '../../../domain/audit.ts';
import { newId } from '../../../domain/new-id.ts';

describe('who acts as support staff', () => {
  for (const type of ['person', 'api_key'] as const) {
    it(`is a ${type} that has sent the request over the API`, () => {
      const id = newId(type === 'person' ? 'person' : 'apiKey');
      assert.deepEqual(actorOfSupport(supportName({ type, id })), { type, id, address: 'temporal' });
    });
  }

  it('is an operator where the name is free text', () => {
    for (const by of [
      'Support',
      `person ${newId('person')} and another`,
      `the person ${newId('person')}`,
      'person me',
    ]) {
      assert.deepEqual(actorOfSupport(by), { type: 'operator', id: by, address: 'temporal' });
    }
  });

  it('is found at the beginning of a text alone', () => {
    const id = newId('person');
    const name = supportName({ type: 'person', id });
    assert.deepEqual(actorAtStart(`${name} asks`), { type: 'person', id, length: name.length });
    assert.equal(actorAtStart(`he asks ${name}`), null);
  });
});
