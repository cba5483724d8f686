// One request of the REST API from the terminal: for what has no command of its own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { json } from '../typescript/answering.ts';
import { useConsole } from './console.ts';

const { run, folder } = useConsole();
const env = { VOICECTL_URL: 'https://phone.example', VOICECTL_TOKEN: 'vcs_x' };

/** A service that keeps what it was asked. */
function listening(answer: () => Response) {
  const asked: unknown[] = [];
  const fetch = (async (url: string, { method, headers, body }: RequestInit) => {
    const { authorization, 'content-type': type, 'idempotency-key': key } = Object.fromEntries(new Headers(headers));
    asked.push({ url, method, body, authorization, type, key });
    return answer();
  }) as typeof globalThis.fetch;
  return { asked, fetch };
}

test('a request is sent with the sign-in, and its answer printed as it is', async () => {
  const answer = { success: true, data: [{ id: 'agt_1', name: 'Kim\u009b2J' }], pagination: { total: 1 } };
  const { asked, fetch } = listening(() => json(200, answer));
  for (const path of ['/agents?limit=5', '/api/v1/agents?limit=5']) {
    const { code, out } = await run(['api', 'get', path], { fetch, env });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(out), answer);
    assert.match(out, /\n {6}"name": "Kim\\u009b2J"\n/, 'no sequence reaches the terminal');
  }
  const sent = { method: 'GET', body: undefined, authorization: 'Bearer vcs_x', type: undefined, key: undefined };
  assert.deepEqual(asked[0], { url: 'https://phone.example/api/v1/agents?limit=5', ...sent });
  assert.deepEqual(asked[1], asked[0]);
});

test('a body comes from the line, a file or the standard input, with a key where one is given', async () => {
  const { asked, fetch } = listening(() => json(201, { success: true, data: {} }));
  const body = '{"name": "Kim"}';
  const file = join(folder, 'agent.json');
  writeFileSync(file, body);
  await run(['api', 'POST', '/agents', '--data', body], { fetch, env });
  await run(['api', 'POST', '/agents', '--data', `@${file}`], { fetch, env });
  await run(['api', 'POST', '/agents', '--data', '-', '--key', 'key-1'], { fetch, env, input: body });
  const expected = { body, type: 'application/json', method: 'POST' };
  for (const each of asked as Array<Record<string, unknown>>)
    assert.deepEqual({ body: each.body, type: each.type, method: each.method }, expected);
  assert.deepEqual(
    (asked as Array<{ key: unknown }>).map(({ key }) => key),
    [undefined, undefined, 'key-1'],
  );
});

test('a file is written byte by byte, and a refusal says why with exit code 2', async () => {
  const audio = new Response(new Uint8Array([0, 255, 10]), { headers: { 'content-type': 'audio/wav' } });
  const heard = await run(['api', 'GET', '/calls/call_1/audio'], { ...listening(() => audio), env });
  assert.equal(heard.out, '\u0000\u00ff\n');
  const errors = [{ field: 'prompt', message: 'is not a known field' }];
  const fault = { success: false, error: 'Validation failed', code: 'VALIDATION_FAILED', errors };
  const service = listening(() => json(422, fault));
  const refused = await run(['api', 'POST', '/agents', '--data', '{}'], { ...service, env });
  assert.equal(refused.code, 2);
  assert.match(refused.err, /Validation failed\n {2}prompt is not a known field/);
  for (const [line, words] of [
    [['FETCH', '/agents'], /METHOD is one of GET/],
    [['GET', 'https://other.example/agents'], /PATH begins with \//],
    [['POST', '/agents', '--data', 'name=Kim'], /no JSON/],
    [['POST', '/agents', '--data', '@none.json'], /none\.json cannot be read \(ENOENT\)/],
  ] as const) {
    const wrong = await run(['api', ...line], { ...service, env });
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, words);
  }
  assert.equal(service.asked.length, 1, 'nothing of it was sent');
});
