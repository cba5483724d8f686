// How the dashboard tells the entries of the audit log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACTION_CHOICES,
  inWords,
  pageOf,
  resourceChoices,
  resourceText,
} from '../../api/dashboard/app/pages/audit-log/entry-words.ts';

test('names of operations, resources and fields are told in words', () => {
  assert.equal(inWords('updateSipAccount'), 'Update sip account');
  assert.equal(inWords('signInRefused'), 'Sign in refused');
  assert.equal(resourceText('sip-account'), 'Softphone');
  assert.equal(resourceText('new-thing'), 'New thing');
});

test('an entry leads to its record, unless the action ended it or it has no page', () => {
  assert.equal(pageOf({ action: 'updateAgent', resource: 'agent', resourceId: 'agt_1' }), '/agents/agt_1');
  assert.equal(pageOf({ action: 'deleteAgent', resource: 'agent', resourceId: 'agt_1' }), null);
  assert.equal(pageOf({ action: 'revokeAccessToken', resource: 'token', resourceId: 'tok_1' }), null);
  assert.equal(pageOf({ action: 'exportCalls', resource: 'call', resourceId: null }), null);
});

test('every action that can be noted can be filtered for, and none that is left out', () => {
  const actions = new Map(ACTION_CHOICES);
  for (const name of ['createAgent', 'signIn', 'signInRefused', 'getRecording', 'listenToCall', 'updateTrunk'])
    assert.ok(actions.has(name), name);
  for (const name of ['placeCall', 'testTool', 'listAgents']) assert.ok(!actions.has(name), name);
  assert.ok(resourceChoices().some(([name]) => name === 'phone-number'));
});
