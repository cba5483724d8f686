// A telephone behind a real NAT: its SDP and Contact name a private address, and the NAT gives it other ports. The
// embedded endpoint, as users start it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../bench/rig/eventually.ts';
import { ADMIN, freshEnvironment } from '../../bench/rig/service/service.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import {
  makeNattedNetwork,
  missingNamespaces,
  NAT,
  type NattedNetwork,
  OUTSIDE,
  type Running,
} from '../support/network-namespaces.ts';

const SUPERVISE = fileURLToPath(new URL('../../supervise.mjs', import.meta.url));
const LIMIT = { timeout: 240_000 };
const skip = missingNamespaces();

let network: NattedNetwork;
let service: Running;
let sip = '';
let api = '';
const folder = temporaryFolder('voice-nat');

before(async () => {
  if (skip !== false) return;
  network = makeNattedNetwork();
  const environment = { ...freshEnvironment(folder), SIP_HOST: OUTSIDE, SIP_INBOUND_ALLOW: `${NAT}/32` };
  service = network.spawn('outside', process.execPath, [SUPERVISE, 'start'], environment);
  const [, apiUrl = '', address = ''] = await eventually(
    () => /^ready api=(\S+) sip=sip:(\S+)$/m.exec(service.output()),
    'the ready line',
  );
  [api, sip] = [apiUrl, address];
}, LIMIT);

after(async () => {
  if (skip === false) {
    service.end('SIGTERM');
    await service.ended;
    network.close();
  }
}, LIMIT);

const calls = (args: readonly string[]): Running =>
  network.spawn('inside', process.execPath, [SUPERVISE, 'run', 'bench/caller/main.ts', `sip:demo@${sip}`, ...args]);

test('a phone that signals a private address hears the agent, and is heard', { ...LIMIT, skip }, async () => {
  const caller = calls(['--say', 'What are your opening hours?']);
  assert.equal(await caller.ended, 0, caller.output());
  // The answer to its words: audio has passed both ways.
  assert.match(caller.output(), /agent speaks \(\d+ ms after the caller's last word\)/);
  assert.match(caller.output(), /ended by the caller \(200 OK\)/);
});

test('a call that we end reaches the phone behind the NAT', { ...LIMIT, skip }, async () => {
  const caller = calls(['--say', 'What are your opening hours?']);
  await eventually(() => caller.output().includes('agent speaks'), 'the agent speaks');
  const script = `
    const post = async (path, body, token) => (await fetch('${api}/api/v1' + path, { method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: 'Bearer ' + token } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}) })).json();
    const { data: { token } } = await post('/auth/login', ${JSON.stringify(ADMIN)});
    const { data } = await post('/calls?limit=10', null, token);
    const live = data.find(({ endedAt }) => endedAt === null);
    console.log(JSON.stringify(await post('/calls/' + live.id + '/end', {}, token)));`;
  const request = network.spawn('outside', process.execPath, ['--input-type=module', '-e', script]);
  assert.equal(await request.ended, 0, request.output());
  await caller.ended;
  assert.match(caller.output(), /ended by the agent/, request.output());
});
