// An operator's own hold music: sent as a WAV, heard back, and gone again; another account's is not there.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { eventually } from '../../../bench/rig/eventually.ts';
import { decodeWav, encodeWav } from '../../../media/wav.ts';
import { setUpCampaign } from '../../support/api/resources.ts';
import { useApi } from '../../support/api/use-api.ts';

const api = useApi();

const music = (seconds: number): Buffer =>
  encodeWav(
    { sampleRateHz: 8_000, channels: 1 },
    Int16Array.from({ length: 8_000 * seconds }, (_, i) => 4_000 * Math.sin(i / 5)),
  );

const send = (method: 'PUT' | 'GET', url: string, token: string, payload?: Buffer | PassThrough, type = 'audio/wav') =>
  api.inject({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${token}`, ...(payload === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined ? {} : { payload }),
  });

const durationOf = ({ json }: { json: { data?: unknown } }): number => (json.data as { durationMs: number }).durationMs;

async function fresh(): Promise<string> {
  const { business } = await setUpCampaign(api, api.tenant);
  return `/businesses/${business.id}/hold-music`;
}

test('a WAV is kept, heard back, replaced and removed, and each change is in the audit log', async () => {
  const path = await fresh();
  const { token, ask } = api.tenant;
  const none = { isOwn: false, durationMs: null, updatedAt: null };
  assert.deepEqual((await ask('GET', path)).json.data, none);
  for (const seconds of [4, 3]) {
    const put = await send('PUT', path, token, music(seconds));
    assert.equal(put.status, 200, put.text);
    assert.ok(Math.abs(durationOf(put) - seconds * 1_000) <= 20);
    assert.deepEqual((await ask('GET', path)).json.data, put.json.data);
  }
  const audio = await send('GET', `${path}/audio`, token);
  assert.equal(audio.headers['content-type'], 'audio/wav');
  const { sampleRateHz, channels } = decodeWav(audio.bytes);
  assert.deepEqual([sampleRateHz, channels], [16_000, 1]);
  assert.deepEqual((await ask('DELETE', path)).json.data, none);
  assert.equal((await ask('DELETE', path)).status, 404);
  assert.equal((await send('GET', `${path}/audio`, token)).status, 404);
  const log = (await ask('GET', path.replace('hold-music', 'audit-log'))).json.data as Array<{ changes: object }>;
  assert.equal(log.filter(({ changes }) => 'holdMusic' in changes).length, 3);
});

test('what is no music, and whose business it is not, gets a clear answer', async () => {
  const path = await fresh();
  const { token } = api.tenant;
  const faults: Array<[Buffer, RegExp]> = [
    [Buffer.from('an MP3'), /not a RIFF/],
    [music(1), /send 2 to 120 s/],
    [Buffer.alloc(0), /not a RIFF|empty/],
  ];
  for (const [payload, why] of faults) {
    const refused = await send('PUT', path, token, payload);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.text, why);
  }
  assert.equal((await send('PUT', path, token, Buffer.from('{}'), 'application/json')).status, 415);
  assert.equal((await send('PUT', path, token, music(2), 'audio/mpeg')).status, 415);
  const other = await api.newTenant();
  assert.equal((await send('PUT', path, other.token, music(2))).status, 404);
  assert.equal((await send('PUT', path, token, music(2))).status, 200);
  assert.equal((await send('GET', `${path}/audio`, other.token)).status, 404);
  assert.equal((await other.ask('DELETE', path)).status, 404);
});

test('a place is taken before anything of a sound is read, and given back', async () => {
  const path = await fresh();
  const { token } = api.tenant;
  const held = [new PassThrough(), new PassThrough()];
  const sent = held.map((body) => send('PUT', path, token, body));
  for (const body of held) body.write(music(2).subarray(0, 1_000));
  await eventually(() => held.every((body) => body.readableLength === 0));
  const third = new PassThrough();
  third.write('a sound that nobody reads');
  const refused = await send('PUT', path, token, third);
  assert.deepEqual([refused.status, refused.json.code], [429, 'ACCOUNT_BUSY']);
  for (const body of held) body.end(music(2).subarray(1_000));
  const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
  // Their threads have one place for each account.
  assert.ok(statuses[0] === 200 && [200, 429].includes(statuses[1] ?? 0), String(statuses));
  assert.equal((await send('PUT', path, token, music(2))).status, 200);
});

test('a sound that is too long is cut off', async () => {
  const path = await fresh();
  const refused = await send('PUT', path, api.tenant.token, Buffer.alloc(24 * 1024 * 1024 + 1));
  assert.deepEqual([refused.status, refused.json.code], [413, 'BODY_TOO_LARGE']);
});
