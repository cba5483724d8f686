// The outline of a recording, and the order of its moments.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDay, startOfDay } from '../../api/dashboard/app/calls/local-days.ts';
import { momentsOf, type TurnTiming } from '../../api/dashboard/app/calls/moments.ts';
import { addPeaks, pcmLayout } from '../../api/dashboard/app/calls/peaks.ts';
import { callTitle, otherParty, sipWords, statusTone, statusWords } from '../../api/dashboard/app/calls/words.ts';
import { encodeWav } from '../../media/wav.ts';

test('each step has the loudest sample of its channel, however the samples are cut', () => {
  const samples = Int16Array.from([0, 100, -16_384, 0, 0, 0, 8_192, -32_768]);
  const common = { stride: 2, total: 4, full: 32_768 };
  for (const pieces of [[samples], [samples.subarray(0, 2), samples.subarray(2)]]) {
    const [caller, agent] = [new Float32Array(2), new Float32Array(2)];
    let first = 0;
    for (const piece of pieces) {
      addPeaks(caller, piece, { ...common, first, offset: 0 });
      addPeaks(agent, piece, { ...common, first, offset: 1 });
      first += piece.length / 2;
    }
    assert.deepEqual([...caller], [0.5, 0.25]);
    assert.deepEqual([...agent], [100 / 32_768, 1].map(Math.fround));
  }
});

test('the samples of a WAV are found, those of anything else are not', () => {
  const wav = encodeWav({ sampleRateHz: 16_000, channels: 2 }, new Int16Array(8));
  const view = new DataView(wav.buffer, wav.byteOffset, wav.length);
  assert.deepEqual(pcmLayout(view, wav.length), { channels: 2, rateHz: 16_000, dataAt: 44, dataBytes: 16 });
  assert.equal(pcmLayout(new DataView(new ArrayBuffer(100)), 100), null);
  assert.equal(pcmLayout(new DataView(new ArrayBuffer(3)), 3), null);
});

const turn: TurnTiming = {
  speechEndAtMs: 1_000,
  recognisedAtMs: 1_100,
  askedAtMs: 1_100,
  turnEndAtMs: 1_600,
  firstTokenAtMs: 1_300,
  firstClauseAtMs: null,
  firstAudioAtMs: 1_350,
  firstPacketAtMs: 1_620,
  guessed: true,
  gapMs: 620,
  measuredOn: 'line',
  unrecordedMs: 0,
};

test('turns, interruptions and tool calls stand in the order of the call', () => {
  const bargeIn = { onsetAtMs: 500, yieldingAtMs: 510, silentAtMs: 700, yieldMs: 200, unrecordedMs: 0 };
  const latency = {
    turns: 1,
    p50Ms: 620,
    p95Ms: 620,
    timeline: [turn],
    bargeIns: [{ ...bargeIn, measuredOn: 'line' as const }],
  };
  const tool = {
    tookMs: 40,
    name: 'check_availability',
    arguments: {},
    result: { ok: true },
    outcome: 'done' as const,
  };
  const kinds = (call: Parameters<typeof momentsOf>[0]) => momentsOf(call).map(({ kind }) => kind);
  assert.deepEqual(kinds({ latency }), ['barge-in', 'turn']);
  assert.deepEqual(kinds({ latency, toolCalls: [{ ...tool, startedAtMs: 900 }] }), ['barge-in', 'tool-call', 'turn']);
  assert.deepEqual(kinds({ latency: null, toolCalls: [{ ...tool, startedAtMs: 900 }] }), ['tool-call']);
  assert.deepEqual(kinds({ latency: { turns: 0, p50Ms: 0, p95Ms: 0 } }), []);
});

test('a call is described in words, also by values that are not known yet', () => {
  const ending = { status: 'FAILED', outcome: 'no_answer' } as const;
  assert.equal(statusWords(ending), 'No answer');
  assert.equal(statusTone(ending), 'warn');
  assert.equal(statusWords({ status: 'COMPLETED', outcome: 'sold_a_bicycle' }), 'Sold a bicycle');
  assert.equal(sipWords(486), '486, Busy');
  assert.equal(sipWords(499), '499');
  const numbers = { fromNumber: '+441632960001', toNumber: '+12025550100', callerName: null, erasedAt: null };
  assert.equal(otherParty({ ...numbers, direction: 'inbound' }), '+441632960001');
  assert.equal(otherParty({ ...numbers, direction: 'outbound', callerName: 'Ada' }), 'Ada');
  assert.equal(otherParty({ ...numbers, direction: 'inbound', fromNumber: 'web' }), 'Browser');
  assert.equal(callTitle({ ...numbers, direction: 'inbound', fromNumber: 'web' }), 'Call from a browser');
  const erased = { ...numbers, direction: 'outbound', toNumber: '', erasedAt: '2026-01-01T00:00:00.000Z' } as const;
  assert.equal(callTitle(erased, { inSentence: true }), 'call that has been erased');
});

test('a day is the whole of it in the zone of the reader', () => {
  const [from, to] = [startOfDay('2026-03-01'), endOfDay('2026-03-01')];
  assert.ok(from !== undefined && to !== undefined);
  assert.equal(new Date(from).getHours(), 0);
  assert.equal(Date.parse(to) - Date.parse(from), 86_400_000 - 1);
  assert.equal(startOfDay('soon'), undefined);
  assert.equal(startOfDay(null), undefined);
});

test('passages of one reply stand together, at its time', () => {
  const source = (atMs: number, passage: string) => ({
    atMs,
    documentId: 'kdc_1',
    name: 'Terms',
    heading: '',
    passage,
  });
  const call = {
    latency: null,
    sources: [source(4_000, 'Two years'), source(9_000, 'One'), source(4_000, 'Of purchase')],
  };
  const moments = momentsOf(call as unknown as Parameters<typeof momentsOf>[0]);
  assert.deepEqual(
    moments.map((moment) => moment.kind === 'sources' && [moment.atMs, moment.sources.map(({ passage }) => passage)]),
    [
      [4_000, ['Two years', 'Of purchase']],
      [9_000, ['One']],
    ],
  );
});
