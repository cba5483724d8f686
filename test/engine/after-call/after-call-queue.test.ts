// After the call: the model's summary replaces the rule-based one; the WAV is served until its MP3 replaces it.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import type { CallTimeline, TurnTiming } from '../../../db/domain/calls/timeline.ts';
import { findTimeline } from '../../../db/queries/calls/ended/timelines.ts';
import { type AfterCallOptions, AfterCallQueue } from '../../../engine/after-call/after-call-queue.ts';
import { systemClock } from '../../../engine/clock.ts';
import { encodeMp3 } from '../../../media/mp3.ts';
import { encodeWav } from '../../../media/wav.ts';
import type { DialogueModel } from '../../../models/llm/llm.ts';
import { Stage } from '../campaign/stage.ts';

const START = Date.UTC(2026, 9, 12, 12);
const log = { info() {}, warn() {} };
let folder: string;
let stage: Stage;
let wavPath: string;

/** An answered, recorded call of a campaign configured for `format`. */
async function endedCall(format: 'wav' | 'mp3', timeline: CallTimeline | null = null): Promise<string> {
  const account = await stage.tables.account();
  const campaign = await stage.tables.campaign(account, { recordingFormat: format });
  const callId = `call_${format}`;
  await stage.run('createInboundCall', {
    id: callId,
    accountId: account,
    businessId: campaign.businessId,
    campaignId: campaign.id,
    agentId: campaign.agentId,
    phoneNumberId: 'pn_1',
    fromNumber: '+12125550100',
    toNumber: '+12125550101',
    callerName: null,
    trunkId: null,
    engineId: 'eng_1',
    nowMs: START,
  });
  await stage.run('markAnswered', { callId, recordingPath: wavPath, nowMs: START });
  await stage.run('endCall', {
    callId,
    status: 'COMPLETED',
    outcome: 'completed',
    endReason: 'caller_hangup',
    endedAtMs: START + 2_000,
    sentiment: 'neutral',
    summary: 'Inbound call of 2 s.',
    tags: ['hours', 'appointment-booked'],
    transcript: [{ speaker: 'caller', text: 'Are you open on Monday?', timestamp: 0 }],
    latency: timeline && { turns: 1, p50Ms: 900, p95Ms: 900 },
    timeline,
    usage: null,
    recordingPath: wavPath,
    contact: null,
  });
  return callId;
}

const row = (callId: string) =>
  stage.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();

const model = (complete?: DialogueModel['complete']): DialogueModel =>
  ({ name: 'fake', ...(complete ? { complete } : {}) }) as unknown as DialogueModel;

beforeEach(() => {
  folder = temporaryFolder('after-call');
  wavPath = join(folder, 'call.wav');
  const tone = new Int16Array(8_000 / 2).map((_, i) => 8_000 * Math.sin(((i >> 1) * 2 * Math.PI * 440) / 8_000));
  writeFileSync(wavPath, encodeWav({ sampleRateHz: 8_000, channels: 2 }, tone));
  stage = new Stage({ startMs: START, seed: 1 });
});

afterEach(() => stage.close());

/** Its encoder runs in this thread: that of the product gives way to everything else on the machine. */
const queueWith = (model: DialogueModel) =>
  queueOf(model, { encode: ({ wavPath, mp3Path }) => encodeMp3(wavPath, mp3Path) });

const queueOf = (model: DialogueModel, encoder: Pick<AfterCallOptions, 'encode'> = {}) =>
  new AfterCallQueue({
    ...encoder,
    clock: systemClock,
    recordingsDir: folder,
    read: stage.db,
    writer: { run: stage.run.bind(stage), runDurably: stage.run.bind(stage) },
    model,
    log,
    wavGraceMs: 0,
  });

test("the model's summary replaces the rule-based one, and the tags of what tools did stay", async () => {
  const callId = await endedCall('wav');
  const answer = { summary: 'They asked about Monday.', sentiment: 'positive', tags: ['opening hours'] };
  const queue = queueWith(model(async () => JSON.stringify(answer)));
  queue.add('acc_1', callId);
  await queue.idle();
  const { summary, sentiment, tags, recordingFormat } = await row(callId);
  assert.equal(summary, 'They asked about Monday.');
  assert.equal(sentiment, 'positive');
  assert.deepEqual(JSON.parse(tags), ['appointment-booked', 'opening hours']);
  assert.equal(recordingFormat, 'wav');
  assert.ok(existsSync(wavPath));
  await queue.stop();
});

test('a model that fails, or answers in another form, leaves the rule-based summary', async () => {
  const callId = await endedCall('wav');
  for (const complete of [
    async () => 'I would rather not.',
    async () => {
      throw new Error('503');
    },
  ]) {
    const queue = queueWith(model(complete));
    queue.add('acc_1', callId);
    await queue.idle();
    assert.equal((await row(callId)).summary, 'Inbound call of 2 s.');
    await queue.stop();
  }
});

test('one account’s many calls do not keep another’s summary waiting', async () => {
  const [callId, another] = [await endedCall('wav'), await endedCall('mp3')];
  let asked = 0;
  let foundAfter = Number.POSITIVE_INFINITY;
  const answer = JSON.stringify({ summary: 'They asked.', sentiment: 'neutral', tags: [] });
  const queue = queueWith(
    model(async () => {
      if ((await row(another)).summary === 'They asked.') foundAfter = Math.min(foundAfter, asked);
      asked++;
      return answer;
    }),
  );
  for (let n = 0; n < 20; n++) queue.add('acc_busy', callId);
  queue.add('acc_2', another);
  await queue.idle();
  assert.deepEqual([asked, foundAfter], [21, 2]);
  await queue.stop();
});

test('a recording becomes an MP3 if the campaign asks for it, and the WAV is then deleted', async () => {
  const callId = await endedCall('mp3');
  const queue = queueOf(model());
  queue.add('acc_1', callId);
  await queue.idle();
  const { recordingPath, recordingFormat } = await row(callId);
  assert.equal(recordingFormat, 'mp3');
  assert.equal(recordingPath, join(folder, 'call.mp3'));
  assert.ok(existsSync(recordingPath));
  assert.ok(!existsSync(wavPath));
  await queue.stop();
});

test('a recording that a stop left as WAV is encoded at the next start', async () => {
  const callId = await endedCall('mp3');
  const queue = queueWith(model());
  await queue.resume(START + 60_000);
  await queue.idle();
  assert.equal((await row(callId)).recordingFormat, 'mp3');
  await queue.stop();
});

test('a call whose recording was lost before any of it was stored names none', async () => {
  for (const format of ['wav', 'mp3'] as const) {
    const callId = await endedCall(format);
    rmSync(wavPath, { force: true });
    const queue = queueWith(model());
    queue.add('acc_1', callId);
    await queue.idle();
    assert.equal((await row(callId)).recordingPath, null, format);
    await queue.stop();
  }
});

test('a recording that cannot be encoded stays a WAV', async () => {
  writeFileSync(wavPath, 'not a recording');
  const callId = await endedCall('mp3');
  const queue = queueWith(model());
  queue.add('acc_1', callId);
  await queue.idle();
  assert.equal((await row(callId)).recordingFormat, 'wav');
  assert.ok(existsSync(wavPath));
  await queue.stop();
});

const turn = (change: Partial<TurnTiming>): TurnTiming => ({
  speechEndAtMs: 1_000,
  recognisedAtMs: 1_150,
  askedAtMs: 1_150,
  turnEndAtMs: 1_500,
  firstTokenAtMs: 1_400,
  firstClauseAtMs: 1_450,
  firstAudioAtMs: 1_480,
  firstPacketAtMs: 1_500,
  guessed: true,
  gapMs: 500,
  measuredOn: 'line',
  unrecordedMs: 40,
  ...change,
});

/** A recording in which the caller speaks from 0 to 1040 ms and the agent from 1600 to 2000 ms. */
function writeConversation(): void {
  const samples = new Int16Array(8_000 * 2 * 2);
  const speak = (channel: 0 | 1, fromMs: number, toMs: number) => {
    for (let i = fromMs * 8; i < toMs * 8; i++)
      samples[i * 2 + channel] = 8_000 * Math.sin((i * 2 * Math.PI * 440) / 8_000);
  };
  speak(0, 0, 1_040);
  speak(1, 1_600, 2_000);
  writeFileSync(wavPath, encodeWav({ sampleRateHz: 8_000, channels: 2 }, samples));
}

test('the recording says what the gap was; a turn that it does not show keeps the line’s figure', async () => {
  writeConversation();
  const elsewhere = turn({ speechEndAtMs: 9_000, firstPacketAtMs: 9_300, gapMs: 300 });
  const callId = await endedCall('wav', { turns: [turn({}), elsewhere], bargeIns: [], speech: null });
  const queue = queueWith(model());
  queue.add('acc_1', callId);
  await queue.idle();
  await queue.stop();
  const { accountId, latency } = await row(callId);
  const timeline = await findTimeline(stage.db, accountId, callId);
  // 560 ms in the recording, in which the caller's sound lies 40 ms late.
  assert.deepEqual(
    timeline?.turns.map(({ gapMs, measuredOn }) => [gapMs, measuredOn]),
    [
      [600, 'recording'],
      [300, 'line'],
    ],
  );
  assert.deepEqual(timeline?.speech, { caller: [[0, 1_040]], agent: [[1_600, 2_000]] });
  assert.deepEqual(JSON.parse(String(latency)), { turns: 2, p50Ms: 300, p95Ms: 600 });
});

test('a recording that cannot be measured leaves the figures of the line', async () => {
  writeFileSync(wavPath, 'no recording');
  const callId = await endedCall('wav', { turns: [turn({})], bargeIns: [], speech: null });
  const queue = queueWith(model());
  queue.add('acc_1', callId);
  await queue.idle();
  await queue.stop();
  const { accountId, latency } = await row(callId);
  assert.equal((await findTimeline(stage.db, accountId, callId))?.turns[0]?.gapMs, 500);
  assert.deepEqual(JSON.parse(String(latency)), { turns: 1, p50Ms: 900, p95Ms: 900 });
});
