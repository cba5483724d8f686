// Server-sent events as they come in pieces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataLines } from '../../../../models/llm/chat/event-stream.ts';

async function linesOf(pieces: Iterable<string>): Promise<string[]> {
  const body = (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();
  const lines: string[] = [];
  for await (const line of dataLines(body)) lines.push(line);
  return lines;
}

test('lines are read across pieces, up to [DONE] or the end', async () => {
  assert.deepEqual(await linesOf(['da', 'ta: a\r', '\n: comment\n\ndata:b\nda', 'ta: c']), ['a', 'b', 'c']);
  assert.deepEqual(await linesOf(['data: a\n', 'data: [DONE]\ndata: b\n']), ['a']);
  assert.deepEqual(await linesOf(['data: ä'.slice(0, 7), '\n']), ['ä']);
});

test('a line in 200,000 pieces is read as any other, and one without end is an error', {
  timeout: 20_000,
}, async () => {
  const pieces = Array.from({ length: 200_000 }, () => 'x');
  assert.deepEqual(await linesOf(['data: ', ...pieces, '\n']), ['x'.repeat(200_000)]);
  await assert.rejects(linesOf(Array.from({ length: 11 }, () => 'x'.repeat(100_000))), RangeError);
});
