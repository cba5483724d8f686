// The relays that a browser is told of: none by default, else with a password that coturn would take.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { iceServers } from '../../../../api/calls/place/ice-servers.ts';
import { readApiConfig } from '../../../../api/config.ts';

test('a relay’s name and password belong to one call, and end', () => {
  assert.deepEqual(iceServers(null, 'call_1', 0), []);
  const turn = { urls: ['turn:turn.example.com:3478'], secret: 'shared' };
  const [server] = iceServers(turn, 'call_1', 1_000_000_500);
  assert.equal(server?.username, '1007200:call_1');
  assert.equal(server.credential, createHmac('sha1', 'shared').update('1007200:call_1').digest('base64'));
  assert.deepEqual(server.urls, turn.urls);
});

test('relays are configured with both variables, by addresses that browsers take', () => {
  const read = (more: Record<string, string>) => readApiConfig(more).turn;
  assert.equal(read({}), null);
  const urls = 'turn:turn.example.com:3478?transport=tcp, turns:[2001:db8::1]:5349';
  assert.deepEqual(read({ TURN_URLS: urls, TURN_SECRET: 'x' })?.urls, urls.split(', '));
  assert.throws(() => read({ TURN_URLS: urls }), /TURN_SECRET/);
  assert.throws(() => read({ TURN_SECRET: 'x' }), /TURN_URLS/);
  assert.throws(() => read({ TURN_URLS: 'https://turn.example.com', TURN_SECRET: 'x' }), /turn:host:port/);
});
