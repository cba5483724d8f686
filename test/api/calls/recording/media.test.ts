// The readable parts of one call: recording with ranges, transcript, live stream.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRange } from '../../../../api/calls/recording/audio.ts';
import { bearer, signedIn } from '../../../../bench/rig/api/sign-in.ts';
import { eventually } from '../../../../bench/rig/eventually.ts';
import { watchedCalls, writeWords } from '../../../../db/queries/calls/running/live-views.ts';
import type { TranscriptEntry } from '../../../../db/records/resources.ts';
import { seedCall } from '../../../support/api/resources.ts';
import { useApi } from '../../../support/api/use-api.ts';

let base: string;
const audio = Buffer.from(Array.from({ length: 1_000 }, (_, i) => i % 251));

const api = useApi({}, async () => {
  mkdirSync(join(api.context.config.recordingsDir, 'a'), { recursive: true });
  writeFileSync(join(api.context.config.recordingsDir, 'a', 'call.wav'), audio);
  writeFileSync(join(api.context.config.recordingsDir, 'a', 'call.mp3'), audio);
  writeFileSync(join(api.context.config.dataDir, 'secret.wav'), 'secret');
  symlinkSync(join(api.context.config.dataDir, 'secret.wav'), join(api.context.config.recordingsDir, 'link.wav'));
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/api/v1`;
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}`, { headers: { authorization: `Bearer ${api.tenant.token}`, ...headers } });

const recorded = (path: string | null, changes: object = {}) =>
  seedCall(api, api.tenant, { recordingPath: path, recordingFormat: path === null ? null : 'wav', ...changes });

test('the whole recording, by a relative and by an absolute path', async () => {
  for (const path of ['a/call.wav', join(api.context.config.recordingsDir, 'a', 'call.wav')]) {
    const { id } = await recorded(path);
    const response = await get(`/calls/${id}/audio`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'audio/wav');
    assert.equal(response.headers.get('accept-ranges'), 'bytes');
    assert.equal(response.headers.get('content-length'), '1000');
    assert.ok(response.headers.get('x-request-id'));
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), audio);
  }
  const { id } = await recorded('a/call.mp3');
  assert.equal((await get(`/calls/${id}/audio`)).headers.get('content-type'), 'audio/mp3');
});

test('a download that goes on is whole again where the recording has become another file', async () => {
  const { id } = await recorded('a/call.wav');
  const first = await get(`/calls/${id}/audio`);
  const tag = first.headers.get('etag') ?? '';
  const modified = first.headers.get('last-modified') ?? '';
  await first.arrayBuffer();
  const status = async (path: string, headers: Record<string, string>) => {
    const response = await get(path, headers);
    await response.arrayBuffer();
    return response.status;
  };
  const part = { range: 'bytes=500-' };
  assert.equal(await status(`/calls/${id}/audio`, { ...part, 'if-range': tag }), 206);
  assert.equal(await status(`/calls/${id}/audio`, { ...part, 'if-range': modified }), 206);
  assert.equal(await status(`/calls/${id}/audio`, { 'if-none-match': `"other", ${tag}` }), 304);
  const { id: another } = await recorded('a/call.mp3');
  assert.equal(await status(`/calls/${another}/audio`, { ...part, 'if-range': tag }), 200);
  assert.equal(await status(`/calls/${another}/audio`, { 'if-none-match': tag }), 200);
  assert.equal(await status(`/calls/${another}/audio`, { ...part, 'if-range': 'Sun, 01 Jan 2017 00:00:00 GMT' }), 200);
});

test('ranges: the part asked for, 416 past the end, all of it where the header is odd', async () => {
  const { id } = await recorded('a/call.wav');
  const ranged = async (range: string) => {
    const response = await get(`/calls/${id}/audio`, { range });
    return {
      status: response.status,
      contentRange: response.headers.get('content-range'),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  const part = await ranged('bytes=10-19');
  assert.equal(part.status, 206);
  assert.equal(part.contentRange, 'bytes 10-19/1000');
  assert.deepEqual(part.body, audio.subarray(10, 20));
  assert.deepEqual((await ranged('bytes=990-')).body, audio.subarray(990));
  assert.deepEqual((await ranged('bytes=-5')).body, audio.subarray(995));
  assert.deepEqual((await ranged('bytes=990-5000')).body, audio.subarray(990));
  for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
    const beyond = await ranged(range);
    assert.equal(beyond.status, 416, range);
    assert.equal(beyond.contentRange, 'bytes */1000');
    assert.equal(JSON.parse(beyond.body.toString()).success, false);
  }
  for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=9-3', 'bytes=x-y']) {
    const whole = await ranged(range);
    assert.equal(whole.status, 200, range);
    assert.equal(whole.body.length, 1_000);
  }
});

test('ranges of an empty file', () => {
  assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable');
  assert.equal(parseRange('bytes=-1', 0), 'unsatisfiable');
  assert.equal(parseRange(undefined, 0), null);
});

test('a recording is served after its folder has moved', async () => {
  const { id } = await recorded('/where/it/was/before/moved.wav');
  writeFileSync(join(api.context.config.recordingsDir, 'moved.wav'), audio);
  assert.equal((await get(`/calls/${id}/audio`)).status, 200);
});

test('no recording: while the call lives, where there is none, where it is gone, or outside of the recordings', async () => {
  const cases = [
    await recorded('a/call.wav', { endedAt: null, status: 'IN_PROGRESS' }),
    await recorded(null),
    await recorded('a/gone.wav'),
    await recorded('../secret.wav'),
    await recorded(join(api.context.config.dataDir, 'secret.wav')),
    await recorded('link.wav'),
    await recorded('a'),
    await recorded('/etc/passwd'),
  ];
  for (const { id, recordingPath } of cases) {
    const response = await get(`/calls/${id}/audio`);
    assert.equal(response.status, 404, String(recordingPath));
    assert.deepEqual(await response.json(), { success: false, error: 'Recording not found', code: 'NOT_FOUND' });
  }
  const foreign = await seedCall(api, api.other, { recordingPath: 'a/call.wav' });
  assert.equal((await get(`/calls/${foreign.id}/audio`)).status, 404);
});

const feed = (callId: string, type: 'transcript' | 'state' | 'ended', data: unknown) =>
  api.context.db
    .insertInto('callFeed')
    .values({
      accountId: api.tenant.accountId,
      callId,
      type,
      data: JSON.stringify(data),
      createdAt: api.clock.now,
    })
    .execute();

const said = (text: string, timestamp: number) => ({ speaker: 'caller', text, timestamp });

test('a transcript: of an ended call as kept, of a running one so far', async () => {
  const ended = await seedCall(api, api.tenant, { transcript: JSON.stringify([said('hello', 10)]) });
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${ended.id}/transcript`)).json.data, [said('hello', 10)]);
  const running = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${running.id}/transcript`)).json.data, []);
  await feed(running.id, 'state', { state: 'listening' });
  await feed(running.id, 'transcript', { ...said('second', 20), internal: 1 });
  await feed(running.id, 'transcript', said('first', 10));
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${running.id}/transcript`)).json.data, [
    said('first', 10),
    said('second', 20),
  ]);
  assert.equal((await api.other.ask('GET', `/calls/${running.id}/transcript`)).status, 404);
  // A turn that went on is told again in full, from the same first word.
  await feed(running.id, 'transcript', said('second, and on', 20));
  assert.deepEqual((await api.tenant.ask('GET', `/calls/${running.id}/transcript`)).json.data, [
    said('first', 10),
    said('second, and on', 20),
  ]);
});

interface ServerSentEvent {
  type: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

/** Reads server-sent events into `list`, until `count` of them are there or the stream ends. */
async function events(
  response: Response,
  count: number,
  list: ServerSentEvent[] = [],
): Promise<{ list: ServerSentEvent[]; ended: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && list.length < count) {
    const { value, done } = await reader.read();
    if (done) return { list, ended: true };
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
      if (fields.event) list.push({ type: fields.event, data: JSON.parse(fields.data ?? ''), id: fields.id });
    }
  }
  await reader?.cancel();
  return { list, ended: false };
}

test('a live view tells what was said before, what comes, and ends with the call', async () => {
  const call = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  await feed(call.id, 'transcript', said('before', 10));
  const response = await get(`/calls/${call.id}/stream`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.ok(response.headers.get('x-request-id'));
  const told: ServerSentEvent[] = [];
  const reading = events(response, 99, told);
  await eventually(() => told.length === 1);
  await feed('call_another', 'transcript', said('not ours', 1));
  await feed(call.id, 'state', { state: 'thinking' });
  await feed(call.id, 'transcript', said('after', 20));
  await feed(call.id, 'ended', { status: 'COMPLETED' });
  const { list, ended } = await reading;
  assert.equal(ended, true);
  assert.deepEqual(
    list.map(({ type, data }) => [type, data]),
    [
      ['transcript', said('before', 10)],
      ['state', { state: 'thinking' }],
      ['transcript', said('after', 20)],
      ['ended', { status: 'COMPLETED' }],
    ],
  );
});

test('a live view asks for the words that are being said, and tells them until the whole sentence comes', async () => {
  const { accountId } = api.tenant;
  const call = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  const isWatched = async (): Promise<boolean> =>
    (await watchedCalls(api.context.read, api.clock.now)).some(({ callId }) => callId === call.id);
  assert.equal(await isWatched(), false);
  const list: ServerSentEvent[] = [];
  const reading = events(await get(`/calls/${call.id}/stream`), 99, list);
  await eventually(isWatched);
  const tell = async (...texts: string[]): Promise<void> => {
    const words = texts.map((text) => said(text, 10)) as TranscriptEntry[];
    const before = list.length;
    await writeWords(api.context.db, { accountId, callId: call.id, words });
    await eventually(() => list.length > before);
  };
  await tell('what');
  await tell('what are');
  await feed(call.id, 'transcript', said('what are your hours', 10));
  await eventually(() => list.length === 3);
  await tell();
  await feed(call.id, 'ended', { status: 'COMPLETED' });
  await reading;
  assert.deepEqual(
    list.map(({ type, data }) => [type, data]),
    [
      ['words', { said: [said('what', 10)] }],
      ['words', { said: [said('what are', 10)] }],
      ['transcript', said('what are your hours', 10)],
      ['words', { said: [] }],
      ['ended', { status: 'COMPLETED' }],
    ],
  );
  assert.ok(
    list.every(({ type, id }) => (type === 'words') === (id === undefined)),
    'words are not gone back to',
  );
});

test('a live view that broke off goes on behind the last event it saw', async () => {
  const call = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  await feed(call.id, 'transcript', said('one', 10));
  const first = await events(await get(`/calls/${call.id}/stream`), 1);
  await feed(call.id, 'transcript', said('two', 20));
  const response = await get(`/calls/${call.id}/stream`, { 'last-event-id': first.list[0]?.id ?? '' });
  const { list } = await events(response, 1);
  assert.deepEqual(list[0]?.data, said('two', 20));
});

test('a live view of a call that has ended says all of it and ends; of one whose engine died too', async () => {
  const ended = await seedCall(api, api.tenant, { transcript: JSON.stringify([said('kept', 10)]) });
  const view = await events(await get(`/calls/${ended.id}/stream`), 99);
  assert.equal(view.ended, true);
  assert.deepEqual(
    view.list.map(({ type }) => type),
    ['transcript', 'ended'],
  );
  assert.equal(view.list[1]?.data.status, 'COMPLETED');
  const lost = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  const reading = events(await get(`/calls/${lost.id}/stream`), 99);
  await api.context.db
    .updateTable('calls')
    .set({ endedAt: 1, status: 'FAILED', endReason: 'crash' })
    .where('id', '=', lost.id)
    .execute();
  const { list } = await reading;
  assert.equal(list.at(-1)?.type, 'ended');
  assert.equal(list.at(-1)?.data.endReason, 'crash');
});

test('a running call of many hours is told from its beginning to its newest word', async () => {
  const { accountId } = api.tenant;
  const call = await seedCall(api, api.tenant, { endedAt: null, status: 'IN_PROGRESS' });
  const lines = Array.from({ length: 5_100 }, (_, line) => said(`line ${line}`, line * 1_000));
  const of = { accountId, callId: call.id, type: 'transcript' as const, createdAt: api.clock.now };
  for (let from = 0; from < lines.length; from += 1_000) {
    const rows = lines.slice(from, from + 1_000).map((line) => ({ ...of, data: JSON.stringify(line) }));
    await api.context.db.insertInto('callFeed').values(rows).execute();
  }
  const transcript = (await api.tenant.ask('GET', `/calls/${call.id}/transcript`)).json.data;
  assert.deepEqual([transcript.length, transcript.at(-1)?.text], [lines.length, 'line 5099']);
  await feed(call.id, 'ended', { status: 'COMPLETED' });
  await api.context.db.updateTable('calls').set({ endedAt: 1 }).where('id', '=', call.id).execute();
  const { list } = await events(await get(`/calls/${call.id}/stream`), lines.length + 1);
  assert.deepEqual([list.length, list.at(-2)?.data.text], [lines.length + 1, 'line 5099']);
});

test('a live view is the account’s alone', async () => {
  const foreign = await seedCall(api, api.other, { endedAt: null });
  assert.equal((await get(`/calls/${foreign.id}/stream`)).status, 404);
});

test('a live view ends with the session, or the token, that opened it', async () => {
  const user = await signedIn(api);
  const accountId = (await api.ask('GET', '/auth/me', undefined, bearer(user.token))).json.data.accountId as string;
  const made = await api.ask('POST', '/auth/tokens', { name: 'wall board' }, bearer(user.token));
  const { id, token } = made.json.data;
  const call = await seedCall(api, { ...api.tenant, accountId }, { endedAt: null, status: 'IN_PROGRESS' });
  const view = async (credential: string) => {
    const response = await fetch(`${base}/calls/${call.id}/stream`, { headers: bearer(credential) });
    assert.equal(response.status, 200);
    const closed = response.text().then(
      () => 'ended',
      () => 'cut',
    );
    return { closed };
  };
  const [byToken, bySession] = [await view(token), await view(user.token)];
  await api.ask('DELETE', `/auth/tokens/${id}`, undefined, bearer(user.token));
  assert.equal(await byToken.closed, 'cut');
  await api.ask('POST', '/auth/logout', {}, bearer(user.token));
  assert.equal(await bySession.closed, 'cut');
});
