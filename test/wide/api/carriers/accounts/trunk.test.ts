// A trunk made at the carrier and here in one request: again is the same, what is missing is named, and it is undone
// with its account if that is asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../../../../bench/rig/api/api.ts';
import { listTrunkConfigs } from '../../../../../db/queries/trunks/trunks.ts';
import { PLIVO_KEY } from '../../../../support/carriers/fake-plivo.ts';
import { TELNYX_KEY } from '../../../../support/carriers/fake-telnyx.ts';
import { TWILIO_KEY } from '../../../../support/carriers/fake-twilio.ts';
import { connect, useCarriers } from '../../../../support/carriers/use-carriers.ts';

const lab = useCarriers();
const make = (id: string, body: object = {}) => lab.api.admin.ask('POST', `/admin/carriers/${id}/trunk`, body);
const only = <T>(rows: Map<string, T>): T => {
  assert.equal(rows.size, 1);
  return [...rows.values()][0] as T;
};
const configs = () => listTrunkConfigs(lab.api.context.db, lab.api.context.secretKey);

test('Twilio: trunk, origination, credentials; the same when asked again, and secure by wish', async () => {
  const { api, twilio } = lab;
  const id = await connect(api, TWILIO_KEY);
  const answer = await make(id);
  assert.equal(answer.status, 200, answer.text);
  const trunk = answer.json.data;
  const [config] = await configs();
  assert.equal(trunk.host, only(twilio.trunks).domain_name);
  assert.equal(only(twilio.origination).sip_url, 'sip:203.0.113.20:5060');
  assert.deepEqual(
    [config?.username, config?.password],
    [only(twilio.credentials).username, only(twilio.credentials).password],
  );
  assert.ok(trunk.inboundAllow.includes('54.172.60.0/30'));
  assert.deepEqual([trunk.transport, trunk.srtp, trunk.callsPerSecond], ['udp', false, 1]);
  assert.ok(!answer.text.includes(config?.password ?? ''));

  const again = await make(id, { secure: true });
  assert.equal(again.json.data.id, trunk.id);
  assert.deepEqual([again.json.data.transport, again.json.data.srtp], ['tls', true]);
  assert.equal(only(twilio.trunks).secure, 'true');
  assert.equal(only(twilio.origination).sip_url, 'sip:203.0.113.20:5061;transport=tls');
  assert.equal(only(twilio.credentials).password, config?.password);
  assert.equal(twilio.attached.length, 1);
  assert.equal((await configs()).length, 1);
});

test('Telnyx: a connection with which we register, and an outbound profile for the countries asked for', async () => {
  const { api, telnyx } = lab;
  const id = await connect(api, TELNYX_KEY);
  const trunk = (await make(id, { countries: ['de', 'US'] })).json.data;
  const connection = only(telnyx.connections);
  const [config] = await configs();
  assert.deepEqual([trunk.host, trunk.register], ['sip.telnyx.com', true]);
  assert.deepEqual([config?.username, config?.password], [connection.user_name, connection.password]);
  assert.deepEqual(only(telnyx.profiles).whitelisted_destinations, ['DE', 'US']);
  assert.deepEqual(connection.outbound, { outbound_voice_profile_id: only(telnyx.profiles).id });
  assert.equal((await make(id)).json.data.id, trunk.id);
  assert.deepEqual([telnyx.connections.size, telnyx.profiles.size, (await configs()).length], [1, 1, 1]);
});

test('Plivo: a trunk for each direction; the addresses of its calls must be given', async () => {
  const { api, plivo } = lab;
  const id = await connect(api, PLIVO_KEY);
  const missing = await make(id);
  assert.deepEqual([missing.status, missing.json.errors?.[0]?.field], [422, 'inboundAllow']);
  const trunk = (await make(id, { inboundAllow: ['198.51.100.0/24'] })).json.data;
  assert.deepEqual(trunk.inboundAllow, ['198.51.100.0/24']);
  assert.equal(only(plivo.uris).uri, '203.0.113.20:5060;transport=udp');
  const directions = [...plivo.trunks.values()].map((one) => one.trunk_direction);
  assert.deepEqual(directions, ['inbound', 'outbound']);
  assert.match(trunk.host, /\.zt\.plivo\.com$/);
  assert.equal((await make(id, { inboundAllow: ['198.51.100.0/24'] })).json.data.id, trunk.id);
  assert.deepEqual([plivo.trunks.size, plivo.uris.size, plivo.credentials.size], [2, 1, 1]);
});

test('a trunk that broke off half way is gone on with: nothing is made twice, and the password fits', async () => {
  const { api, http, twilio } = lab;
  const id = await connect(api, TWILIO_KEY);
  const credentials = 'POST api.twilio.com/2010-04-01/Accounts/:account/SIP/CredentialLists/:list/Credentials.json';
  for (const route of ['POST trunking.twilio.com/v1/Trunks', credentials]) {
    http.planned = [{ route, kind: 'broken-after' }];
    const broken = await make(id);
    assert.deepEqual([broken.status, broken.json.code], [503, 'CARRIER_DOWN']);
    assert.equal((await configs()).length, 0);
  }
  // Two at once: the second waits for the first.
  const both = await Promise.all([make(id), make(id)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual([twilio.trunks.size, twilio.origination.size, twilio.credentialLists.size], [1, 1, 1]);
  assert.equal((await configs())[0]?.password, only(twilio.credentials).password);
});

test('the variable that is missing is named', async () => {
  for (const [environment, body, words] of [
    [{}, {}, /EXTERNAL_IP/],
    [{ EXTERNAL_IP: '10.0.0.4' }, {}, /private address: set EXTERNAL_IP/],
    [{ EXTERNAL_IP: '203.0.113.20' }, { secure: true }, /SIP_TLS_PORT/],
    [{ EXTERNAL_IP: '203.0.113.20', SIP_PORT: '0' }, {}, /SIP_PORT/],
  ] as const) {
    const api = await startApi({ environment });
    try {
      const id = await connect(api, TWILIO_KEY);
      const answer = await api.admin.ask('POST', `/admin/carriers/${id}/trunk`, body);
      assert.deepEqual([answer.status, answer.json.code], [409, 'NO_SIP_ADDRESS']);
      assert.match(answer.text, words);
    } finally {
      await api.close();
    }
  }
});

test('a refusal is told in the words of the carrier', async () => {
  const { api, http } = lab;
  const id = await connect(api, TWILIO_KEY);
  http.planned = [{ route: 'POST trunking.twilio.com/v1/Trunks', kind: 'status', status: 400 }];
  const answer = await make(id);
  assert.deepEqual([answer.status, answer.json.code], [409, 'CARRIER_REFUSED']);
  assert.match(answer.text, /planned/);
});

test('an account is disconnected with its trunk, or without it', async () => {
  const { api, twilio, telnyx } = lab;
  const withTrunk = await connect(api, TWILIO_KEY);
  const without = await connect(api, TELNYX_KEY);
  await make(withTrunk);
  const kept = (await make(without)).json.data.id;
  assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${withTrunk}?undo=true`)).status, 200);
  assert.deepEqual([twilio.trunks.size, twilio.credentialLists.size], [0, 0]);
  assert.equal((await api.admin.ask('DELETE', `/admin/carriers/${without}`)).status, 200);
  assert.equal(telnyx.connections.size, 1);
  assert.deepEqual(
    (await configs()).map((one) => one.id),
    [kept],
  );
});

test('a trunk that is deleted here is made again', async () => {
  const { api, twilio } = lab;
  const id = await connect(api, TWILIO_KEY);
  const first = (await make(id)).json.data.id;
  await api.admin.ask('DELETE', `/admin/trunks/${first}`);
  assert.equal((await api.admin.ask('GET', `/admin/carriers/${id}`)).json.data.trunkId, null);
  const second = (await make(id)).json.data.id;
  assert.notEqual(second, first);
  assert.equal((await configs())[0]?.password, only(twilio.credentials).password);
});
