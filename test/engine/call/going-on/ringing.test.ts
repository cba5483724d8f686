// A call that rings changes hands: what one conductor says of it, through JSON, and how another one goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handOverMoment } from '../../../../engine/call/going-on/hand-over-moment.ts';
import {
  RINGING_VERSION,
  type RingingContinuation,
  type TakenRinging,
} from '../../../../engine/call/going-on/ringing.ts';
import type { RingingState } from '../../../../engine/sip/telephony.ts';
import { type CallStageOptions, CallStage as Stage } from '../stage.ts';
import { AUDIO, StageLeg } from '../stage-leg.ts';

const INVITE = {
  sipCallId: 'sip-1',
  dialog: { state: 'inviting', transport: 'udp', inviteVia: 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1' },
  earlyAudio: null,
  rest: { secret: 'known to the adapter' },
} as unknown as RingingState;

class JournalOfOne {
  describe: () => object | null = () => null;
  urgent = 0;
  follow(_callId: string, describe: () => object | null): void {
    this.describe = describe;
  }
  changed(_callId: string, isUrgent = false): void {
    if (isUrgent) this.urgent++;
  }
  busyWith(): void {}
  forget(): void {
    this.describe = () => null;
  }
  get written(): RingingContinuation {
    return JSON.parse(JSON.stringify(this.describe())) as RingingContinuation;
  }
}

/** It has rung for 10 s. */
async function ringing(invite: RingingState = INVITE) {
  const journal = new JournalOfOne();
  const stage = await new Stage({ medium: 'outbound', journal }).start(100);
  const { leg } = stage;
  assert.ok(leg);
  leg.ringing = invite;
  leg.report({ type: 'ringing', status: 180, earlyAudio: null });
  await stage.run(9_900);
  return { stage, leg, journal };
}

/** Another process goes on with it. */
function goesOn(from: RingingContinuation, options: CallStageOptions = {}) {
  const stage = new Stage({ medium: 'outbound', ...options });
  const leg = new StageLeg('line', 'outbound', (line) => stage.print(line));
  leg.ringing = from.leg;
  stage.leg = leg;
  const taken: TakenRinging = { from, leg, resumption: { atMs: 0, gapMs: 1_500, cause: 'crash' } };
  stage.conductor.resumeRinging(taken);
  return { stage, leg };
}

test('who picks up is greeted as if nothing had been, and the row says that another engine went on', async () => {
  const { journal } = await ringing();
  const { stage, leg } = goesOn(journal.written);
  await stage.run(3_000);
  leg.report({ type: 'answered', audio: AUDIO });
  await stage.run(8_000);
  await stage.says('Yes?', 4_000);
  await stage.hangsUp();
  await stage.run(500);
  const [end] = stage.of('endCall');
  assert.deepEqual([end?.status, end?.endReason], ['COMPLETED', 'caller_hangup']);
  const transcript = end?.transcript as Array<{ speaker: string; text: string; timestamp: number }>;
  assert.match(transcript[0]?.text ?? '', /^Hello, this is Sam/);
  assert.ok((transcript[0]?.timestamp ?? 99_999) < 2_000, 'the clock of the call begins with the answer');
  assert.equal(
    transcript.some(({ text }) => /lost you/.test(text)),
    false,
  );
  const timeline = end?.timeline as { resumptions?: unknown } | undefined;
  assert.deepEqual(timeline?.resumptions, [{ atMs: 0, gapMs: 1_500, cause: 'crash' }]);
  assert.deepEqual([stage.of('markAnswered').length, stage.of('markStarted').length, stage.ended.length], [1, 0, 1]);
});

test('its audio is opened on the port of the offer, with the early media and the detection of machines', async () => {
  const { journal } = await ringing({ ...INVITE, earlyAudio: AUDIO });
  const { stage } = goesOn(journal.written);
  const { command, connected } = stage.audio();
  assert.deepEqual(command.resume, { answeredAtMs: null, port: 20_000, lastEpoch: 0 });
  assert.deepEqual([command.amd, connected], [{ enabled: true }, AUDIO]);
});

test('it rings for what is left of its time', async () => {
  const { journal } = await ringing();
  const { stage } = goesOn(journal.written);
  await stage.run(34_000);
  assert.equal(stage.ended.length, 0);
  await stage.run(2_000);
  assert.deepEqual(
    stage.ended.map(({ status, endReason }) => [status, endReason]),
    [['FAILED', 'no_answer']],
  );
});

test('a refusal ends it as it would have', async () => {
  const { journal } = await ringing();
  const { stage, leg } = goesOn(journal.written);
  leg.end({ sipStatus: 486, rang: true });
  await stage.run(500);
  assert.deepEqual(
    stage.ended.map(({ status, endReason }) => [status, endReason]),
    [['FAILED', 'busy']],
  );
});

test('what killed its process while it rang is held against it after the answer, too', async () => {
  const { journal } = await ringing();
  const next = new JournalOfOne();
  const { stage, leg } = goesOn({ ...journal.written, suspicions: 1 }, { journal: next });
  assert.deepEqual([next.written.version, next.written.suspicions], [RINGING_VERSION, 1]);
  assert.equal(next.written.resumptions.length, 1);
  leg.ringing = null;
  leg.report({ type: 'answered', audio: AUDIO });
  assert.equal(next.urgent, 1, 'at once: a journal that says that it rings would be wrong');
  await stage.run(100);
  assert.equal(next.describe(), null, 'this leg cannot be described once it is answered');
});

test('it may change hands while it rings over UDP, and not before its INVITE is out', async () => {
  const { stage, leg, journal } = await ringing();
  assert.equal(stage.conductor.handOverMoment, 'good');
  leg.ringing = null;
  assert.equal(stage.conductor.handOverMoment, 'never');
  const { leg: state } = { ...(journal.written ?? {}), leg: INVITE };
  const overTls = { version: RINGING_VERSION, leg: { ...state, dialog: { ...state.dialog, transport: 'tls' } } };
  assert.equal(handOverMoment(overTls as RingingContinuation, 'waiting', false), 'never');
});

test('left at an upgrade, it rings for what is left of its time', async () => {
  const { stage, journal } = await ringing();
  stage.conductor.leave();
  assert.deepEqual(Object.keys(journal.written.timers), ['ring']);
  const { stage: next } = goesOn(journal.written);
  await next.run(36_000);
  assert.deepEqual(
    next.ended.map(({ endReason }) => endReason),
    ['no_answer'],
  );
  assert.equal(stage.ended.length, 0, 'nothing happens in the engine that has left it');
});
