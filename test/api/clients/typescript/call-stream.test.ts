// The events of a running call, over connections that break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../../../api/clients/typescript/client.ts';
import { answering, refusal } from './answering.ts';

function stream(pieces: string[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const said = (id: number, text: string) =>
  `id: ${id}\nevent: transcript\ndata: ${JSON.stringify({ speaker: 'caller', text, timestamp: id })}\n\n`;
const ENDED = 'event: ended\ndata: {"status":"COMPLETED","outcome":"completed"}\n\n';

test('events come whole, whatever the pieces, and the last one ends it', async () => {
  const text = `: open\n\n${said(1, 'Zoë')}event: words\ndata: {"said":[]}\n\nevent: news\ndata: {}\n\n${ENDED}`;
  const bytes = text.split('');
  const { options } = answering(() => stream(bytes));
  const events = [];
  for await (const event of createClient(options).call('call_1').events()) events.push(event);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['transcript', 'words', 'ended'],
    'a kind that is not known is left out',
  );
  assert.deepEqual(events[0], { type: 'transcript', speaker: 'caller', text: 'Zoë', timestamp: 1 });
});

test('a stream that breaks, or is refused for a while, goes on where it was', async () => {
  const { options, asked, waits } = answering(
    () => stream([said(1, 'one'), said(2, 'two'), 'id: 3\nevent: tran']),
    () => refusal(503, 'API_STOPPING'),
    () => stream([said(3, 'three')]),
    () => stream([ENDED]),
  );
  const texts: string[] = [];
  for await (const event of createClient(options).calls.stream('call_1')) {
    if (event.type === 'transcript') texts.push(event.text);
  }
  assert.deepEqual(texts, ['one', 'two', 'three']);
  assert.deepEqual(
    asked.map(({ headers }) => headers.get('last-event-id')),
    [null, '2', '2', '3'],
  );
  assert.ok(waits.length >= 3);
});

test('a call that is not there ends it at once, and so does an abort', async () => {
  const gone = answering(() => refusal(404, 'NOT_FOUND'));
  await assert.rejects(
    async () => {
      for await (const _ of createClient(gone.options).calls.stream('call_1'));
    },
    { code: 'NOT_FOUND' },
  );
  assert.equal(gone.asked.length, 1);
  const reason = new Error('enough');
  const controller = new AbortController();
  const { options } = answering(() => stream([said(1, 'one')]));
  await assert.rejects(async () => {
    for await (const _ of createClient(options).calls.stream('call_1', { signal: controller.signal }))
      controller.abort(reason);
  }, reason);
});

test('a stream of which nothing comes is given up', async () => {
  const { options, asked } = answering(() => stream([]));
  await assert.rejects(
    async () => {
      for await (const _ of createClient(options).calls.stream('call_1'));
    },
    { code: 'UNREACHABLE' },
  );
  assert.equal(asked.length, 15);
});
