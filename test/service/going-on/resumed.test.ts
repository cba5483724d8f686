// The engine is killed with -9 mid-call, and the call goes on: the same line, one recording, one end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processesOf } from '../../../bench/rig/service/engine-threads.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { decodeWav } from '../../../media/wav.ts';
import { assertAskedTwice, greeted, say } from '../../support/conversation.ts';
import { useService } from '../../support/use-service.ts';

const { service, rest } = useService();

const killEngine = (): void => {
  process.kill(processesOf(service.process.pid ?? 0).engine, 'SIGKILL');
};

test('a call outlives its engine: the same stream, an apology, an answer, one recording and one end', async () => {
  const { caller, number } = await greeted(service);
  const question = await renderSpeech('What are your opening hours?', 'flite-slt');
  await say(caller, question);
  const before = caller.frames.length;
  killEngine();
  await caller.until('the line is back', () => caller.frames.length > before + 10, 30_000);
  const [last, first] = [caller.frames[before - 1], caller.frames[before + 1]];
  const skipped = ((first?.sequence ?? 0) - (last?.sequence ?? 0)) & 0xffff;
  const silentFrames = ((first?.atMs ?? 0) - (last?.atMs ?? 0)) / 20;
  assert.ok(Math.abs(skipped - silentFrames) < 30, `${skipped} packets counted in ${silentFrames} frames of silence`);
  assert.deepEqual(new Set(caller.frames.map(({ ssrc }) => ssrc)).size, 1);
  await caller.agentSound(last?.atMs ?? 0);
  await caller.agentQuiet(900);
  await say(caller, question);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.deepEqual([call.status, call.endReason], ['COMPLETED', 'caller_hangup']);
  assertAskedTwice(call.transcript);
  assert.equal(call.latency?.turns, 2, 'a turn in each process');
  const [resumption, ...more] = (await rest.must('GET', `/calls/${call.id}`)).resumptions ?? [];
  assert.deepEqual([resumption?.cause, more], ['crash', []]);
  const heardGapMs = (first?.atMs ?? 0) - (last?.atMs ?? 0);
  assert.ok(Math.abs((resumption?.gapMs ?? 0) - heardGapMs) < 600, `${resumption?.gapMs} ms of ${heardGapMs}`);
  const wav = decodeWav((await rest.bytes(`/calls/${call.id}/audio`)).body);
  const seconds = (wav.channelsSamples[0]?.length ?? 0) / wav.sampleRateHz;
  assert.ok(Math.abs(seconds - call.durationSeconds) <= 1.5, `${seconds} s of ${call.durationSeconds} were recorded`);
});
