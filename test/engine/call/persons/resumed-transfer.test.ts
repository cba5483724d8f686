// A call that is being transferred changes hands, in each phase of the transfer: what one conductor says of it, through
// JSON, and how another one goes on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedClockMs } from '../../../../db/shared/process/shared-clock.ts';
import {
  BRIDGED_VERSION,
  CONTINUATION_VERSION,
  type Continuation,
  type TakenCall,
} from '../../../../engine/call/going-on/continuation.ts';
import { isWhole, type TakenTransfer } from '../../../../engine/call/going-on/transfer-continuation.ts';
import type { CallJournal } from '../../../../engine/journal/journal.ts';
import type { LegState, RingingState } from '../../../../engine/sip/telephony.ts';
import type { DialogueChunk } from '../../../../models/llm/llm.ts';
import { negotiatedAudio } from '../../../support/sip/negotiated-audio.ts';
import { type CallStageOptions, type Script, CallStage as Stage } from '../stage.ts';
import { AUDIO, StageLeg } from '../stage-leg.ts';

const PERSONS_AUDIO = negotiatedAudio({ remoteAddress: '192.0.2.9', codec: 'G722', payloadType: 9 });
const GAP_MS = 2_000;

const legState = (sipCallId: string, audio = AUDIO): LegState => ({
  sipCallId,
  dialog: { callId: sipCallId, state: 'confirmed', transport: 'udp' } as LegState['dialog'],
  audio,
  rest: { secret: 'known to the adapter' },
});
const INVITE = {
  sipCallId: 'sip-person',
  dialog: { callId: 'sip-person', state: 'inviting', transport: 'udp', inviteVia: 'SIP/2.0/UDP one' },
  earlyAudio: null,
  rest: { secret: 'known to the adapter' },
} as unknown as RingingState;

class JournalOfOne implements CallJournal {
  readonly #asks = new Map<string, () => object | null>();
  urgent = 0;
  follow(key: string, ask: () => object | null): void {
    this.#asks.set(key, ask);
  }
  changed(_key: string, isUrgent = false): void {
    if (isUrgent) this.urgent++;
  }
  busyWith(): void {}
  forget(key: string): void {
    this.#asks.delete(key);
  }
  get described(): Continuation | null {
    return JSON.parse(JSON.stringify(this.#asks.get('call_1')?.() ?? null)) as Continuation | null;
  }
  get written(): Continuation {
    assert.ok(this.described);
    return this.described;
  }
}

const text = (words: string): DialogueChunk => ({ type: 'text', text: words });
const model: Script = ({ messages }) => {
  if (messages.some(({ role }) => role === 'note')) return [text('Nobody is there. Anything else?')];
  return [text('One moment, please.'), { type: 'tool-call', id: 't-1', name: 'transfer_call', arguments: {} }];
};

/** A caller has asked for a person, and the peer has answered the REFER. */
async function transferred(options: CallStageOptions = {}) {
  const journal = new JournalOfOne();
  const stage = new Stage({ model, callerName: 'Ada', journal, ...options });
  await stage.start(6_000);
  assert.ok(stage.leg);
  stage.leg.state = legState('sip-line');
  await stage.says('a person please', 3_000);
  return { stage, journal };
}

async function ringing(options: CallStageOptions = {}) {
  const { stage, journal } = await transferred(options);
  const [person] = stage.legs;
  assert.ok(person);
  person.ringing = INVITE;
  person.report({ type: 'ringing', status: 180, earlyAudio: null });
  await stage.run(1_000);
  return { stage, journal, person };
}

async function announcing(options: CallStageOptions = {}) {
  const { stage, journal, person } = await ringing(options);
  person.ringing = null;
  person.state = legState('sip-person', PERSONS_AUDIO);
  person.report({ type: 'answered', audio: PERSONS_AUDIO });
  await stage.run(1_000);
  return { stage, journal, person };
}

async function bridged(options: CallStageOptions = {}) {
  const { stage, journal, person } = await announcing(options);
  await stage.run(10_000);
  assert.match(stage.timeline(), /shard: bridge/);
  return { stage, journal, person };
}

/** Another process goes on with it, `GAP_MS` later. `keepsTransfer`: the journal was as the wire was. */
async function goesOn(from: Continuation, options: CallStageOptions = {}, keepsTransfer = true) {
  const journal = new JournalOfOne();
  const stage = new Stage({ model, callerName: 'Ada', journal, ...options });
  const leg = new StageLeg('line', 'inbound', (line) => stage.print(line));
  leg.state = from.leg;
  stage.leg = leg;
  const pulse = { callId: 'call_1', speaking: null, stream: null, hasHeard: true, atMs: sharedClockMs() - GAP_MS };
  const transfer: TakenTransfer | null =
    keepsTransfer && from.transfer
      ? { from: from.transfer, elapsedMs: GAP_MS, pulse: { ...pulse, callId: 'call_1:human' } }
      : null;
  const resumption = { atMs: 12_000, gapMs: GAP_MS, cause: 'crash' } as const;
  const transcript: TakenCall['transcript'] = Promise.resolve([]);
  stage.conductor.resume({ from, leg, transcript, pulse, record: null, transfer, resumption });
  await stage.run(200);
  return { stage, journal, leg, person: stage.legs[0] };
}

const ends = (stage: Stage) => stage.ended.map(({ status, outcome, endReason }) => [status, outcome, endReason]);
const TRANSFERRED = ['COMPLETED', 'transferred', 'transfer'];

describe('caller and person talk to each other', () => {
  test('they are joined again on the same ports, and the agent says nothing', async () => {
    const { journal } = await bridged();
    const { stage } = await goesOn(journal.written);
    const { command, connected } = stage.audio('call_1:human');
    assert.equal(command.resume?.port, 20_000);
    assert.equal(command.resume?.hasHeard, true);
    assert.equal(command.sampleRateHz, 16_000);
    assert.ok((command.resume?.answeredAtMs ?? 0) > 0, 'nothing is announced');
    assert.deepEqual(connected, PERSONS_AUDIO);
    await stage.run(20_000);
    assert.equal(stage.timeline().match(/shard: bridge/g)?.length, 1);
    assert.doesNotMatch(stage.timeline(), /agent/);
    assert.equal(stage.placesTaken, 1);
  });

  test('the person hangs up: one end, one close of the books, the place is free', async () => {
    const { journal } = await bridged();
    const { stage, person } = await goesOn(journal.written);
    person?.end();
    await stage.run(500);
    assert.deepEqual(ends(stage), [TRANSFERRED]);
    assert.match(stage.timeline(), /> line: hang up/);
    assert.deepEqual([stage.of('closeTransferLeg').length, stage.of('openTransferLeg').length], [1, 0]);
    assert.deepEqual([stage.of('endCall').length, stage.of('markTransferred').length], [1, 0]);
    assert.equal(stage.placesTaken, 0);
    assert.deepEqual(stage.shard.openAudio, []);
    const [end] = stage.of('endCall');
    const timeline = end?.timeline as { resumptions?: unknown[] } | undefined;
    assert.equal(timeline?.resumptions?.length, 1);
  });

  test('the caller hangs up: the person is let go', async () => {
    const { journal } = await bridged();
    const { stage } = await goesOn(journal.written);
    await stage.hangsUp();
    await stage.run(500);
    assert.deepEqual(ends(stage), [TRANSFERRED]);
    assert.match(stage.timeline(), /> person: hang up/);
    assert.deepEqual([stage.placesTaken, stage.shard.openAudio], [0, []]);
  });

  test('the minutes of the leg begin with the answer, though its write was lost', async () => {
    const { stage: before, journal } = await bridged();
    const [answered] = before.of('answerTransferLeg');
    const { stage } = await goesOn(journal.written);
    assert.deepEqual(stage.of('answerTransferLeg'), [answered]);
  });

  test('it goes on with the third process as with the second', async () => {
    const { journal } = await bridged();
    const second = await goesOn(journal.written);
    const third = await goesOn(second.journal.written);
    assert.equal(third.journal.written.version, BRIDGED_VERSION);
    third.person?.end();
    await third.stage.run(500);
    assert.deepEqual(ends(third.stage), [TRANSFERRED]);
  });

  test('a person who sends nothing is asked whether they are there', async () => {
    const { journal } = await bridged();
    const { stage, person } = await goesOn(journal.written);
    let asked = 0;
    Object.assign(person ?? {}, { refresh: () => asked++ });
    stage.audio('call_1:human').emit({ type: 'peer-silent', callId: 'call_1:human' });
    assert.equal(asked, 1);
  });

  test('a leg that nobody could go on with is described to nobody', async () => {
    const { journal, person } = await bridged();
    person.state = null;
    assert.equal(journal.described, null);
  });

  test('a release that knows no such calls ends both legs; an upgrade takes them at any moment', async () => {
    const { stage, journal } = await bridged();
    assert.equal(journal.written.version, BRIDGED_VERSION);
    assert.equal(stage.conductor.handOverMoment, 'good');
  });
});

test('killed at any moment: one end, no audio, place or leg is left, and the agent never talks to a joined caller', async () => {
  const journal = new JournalOfOne();
  const stage = await new Stage({ model, callerName: 'Ada', journal }).start(6_000);
  assert.ok(stage.leg);
  stage.leg.state = legState('sip-line');
  await stage.says('a person please');
  const moments: Continuation[] = [];
  for (let atMs = 0; atMs < 16_000; atMs += 100) {
    const [person] = stage.legs;
    if (person && atMs < 5_000) person.ringing = INVITE;
    if (person && atMs === 5_000) {
      person.ringing = null;
      person.state = legState('sip-person', PERSONS_AUDIO);
      person.report({ type: 'answered', audio: PERSONS_AUDIO });
    }
    moments.push(journal.written);
    await stage.run(100);
  }
  const phases = new Set(moments.map(({ transfer }) => transfer?.state.phase));
  assert.deepEqual([...phases].sort(), ['announcing', 'bridged', 'referring', 'ringing', undefined]);
  for (const [index, from] of moments.entries()) {
    const { transfer } = from;
    const stored = transfer?.state.phase === 'ringing' ? INVITE.dialog : null;
    const next = await goesOn(from, {}, Boolean(transfer && isWhole(transfer, stored)));
    await next.stage.run(2_000);
    await next.stage.hangsUp();
    await next.stage.run(2_000);
    const context = `moment ${index}: ${next.stage.timeline()}`;
    assert.equal(next.stage.ended.length, 1, context);
    assert.deepEqual([next.stage.shard.openAudio, next.stage.placesTaken], [[], 0], context);
    assert.ok(
      next.stage.legs.every(({ isOver }) => isOver),
      context,
    );
    if (from.version === BRIDGED_VERSION) assert.doesNotMatch(next.stage.timeline(), /agent/);
  }
});

describe('a browser talks to a person', () => {
  async function joinedBrowser() {
    const journal = new JournalOfOne();
    const stage = new Stage({ medium: 'web', model, journal });
    await stage.start(100);
    await stage.reports({ type: 'socket-joined', callId: 'call_1' }, 6_000);
    await stage.says('a person please', 3_000);
    const [person] = stage.legs;
    assert.ok(person);
    person.state = legState('sip-person', PERSONS_AUDIO);
    person.report({ type: 'answered', audio: PERSONS_AUDIO });
    await stage.run(12_000);
    assert.match(stage.timeline(), /shard: bridge/);
    return journal.written;
  }

  test('it joins the call again, and has the person: the agent says nothing', async () => {
    const from = await joinedBrowser();
    const stage = new Stage({ medium: 'web', model });
    assert.ok(from.transfer);
    stage.conductor.resume({
      ...{ from, leg: null, transcript: Promise.resolve([]), pulse: null, record: null },
      transfer: { from: from.transfer, elapsedMs: GAP_MS, pulse: null },
      resumption: { atMs: 12_000, gapMs: GAP_MS, cause: 'crash' },
    });
    await stage.run(200);
    await stage.reports({ type: 'socket-joined', callId: 'call_1' }, 20_000);
    assert.match(stage.timeline(), /shard: bridge/);
    assert.doesNotMatch(stage.timeline(), /agent/);
    await stage.reports({ type: 'media-lost', callId: 'call_1', reason: 'socket-closed' }, 500);
    assert.match(stage.timeline(), /> person: hang up/);
    assert.deepEqual([stage.placesTaken, stage.shard.openAudio], [0, []]);
  });
});

describe('the person hears who is waiting', () => {
  test('they hear it again from its beginning, and are joined', async () => {
    const { journal } = await announcing();
    const { stage } = await goesOn(journal.written);
    const { command } = stage.audio('call_1:human');
    assert.deepEqual([command.resume?.port, command.resume?.answeredAtMs], [20_000, null]);
    assert.match(stage.timeline(), /agent to person: Hello, this is Sam, .* I have Ada on the line/);
    assert.match(stage.timeline(), /agent: I am still trying to connect you\./);
    assert.doesNotMatch(stage.timeline(), /lost you/);
    await stage.run(15_000);
    assert.match(stage.timeline(), /shard: bridge/);
    assert.equal(stage.of('markTransferred').length, 1);
    stage.legs[0]?.end();
    await stage.run(500);
    assert.deepEqual(ends(stage), [TRANSFERRED]);
    assert.equal(stage.of('closeTransferLeg').length, 1);
  });

  test('who hangs up then leaves the caller to the agent', async () => {
    const { journal } = await announcing();
    const { stage } = await goesOn(journal.written);
    stage.legs[0]?.end();
    await stage.run(3_000);
    assert.match(stage.timeline(), /agent: Nobody is there/);
    assert.equal(stage.placesTaken, 0);
  });
});

describe('the person’s telephone rings', () => {
  test('it rings on, whoever picks up is told who waits, and nobody is dialled again', async () => {
    const { journal } = await ringing();
    const { stage, person } = await goesOn(journal.written);
    assert.deepEqual(person?.ringing, INVITE);
    assert.equal(stage.audio('call_1:human').command.resume?.answeredAtMs, null);
    assert.match(stage.timeline(), /agent: I am still trying to connect you\./);
    person?.report({ type: 'answered', audio: PERSONS_AUDIO });
    await stage.run(15_000);
    assert.match(stage.timeline(), /agent to person: Hello, this is Sam/);
    assert.match(stage.timeline(), /shard: bridge/);
    assert.doesNotMatch(stage.timeline(), /dial/);
    assert.equal(stage.of('answerTransferLeg').length, 1);
  });

  test('a refusal gives the caller back to the agent, who says so', async () => {
    const { journal } = await ringing();
    const { stage, person } = await goesOn(journal.written);
    person?.end({ sipStatus: 486 });
    await stage.run(3_000);
    assert.match(stage.timeline(), /agent: Nobody is there/);
    assert.deepEqual([stage.placesTaken, stage.of('closeTransferLeg').length], [0, 1]);
    assert.deepEqual(stage.shard.openAudio, ['call_1']);
    await stage.hangsUp();
    await stage.run(500);
    assert.deepEqual(ends(stage), [['COMPLETED', 'completed', 'caller_hangup']]);
  });

  test('where the journal was behind, the transfer has failed, and the agent says so', async () => {
    const { journal } = await ringing();
    const { stage } = await goesOn(journal.written, {}, false);
    await stage.run(3_000);
    assert.deepEqual([stage.legs, stage.shard.hasAudio('call_1:human')], [[], false]);
    assert.match(stage.timeline(), /agent: Nobody is there/);
  });

  test('the journal has the answer at once: one that says that it rings would be wrong', async () => {
    const { stage, journal, person } = await ringing();
    const before = journal.urgent;
    person.state = legState('sip-person', PERSONS_AUDIO);
    person.report({ type: 'answered', audio: PERSONS_AUDIO });
    assert.equal(journal.urgent, before + 1);
    assert.equal(journal.written.version, CONTINUATION_VERSION);
    await stage.run(100);
  });

  test('an upgrade waits while the INVITE is about to leave, and for an answer over TCP', async () => {
    const { stage, person } = await ringing();
    assert.equal(stage.conductor.handOverMoment, 'good');
    person.ringing = { ...INVITE, dialog: { ...INVITE.dialog, transport: 'tcp' } };
    assert.equal(stage.conductor.handOverMoment, 'never');
    person.ringing = null;
    assert.equal(stage.conductor.handOverMoment, 'busy');
  });
});

describe('the peer was asked to call the person (REFER)', () => {
  const asked = () => transferred({ referStatus: 202 });
  const accepted = async () => {
    const { stage, journal } = await transferred({ referStatus: null });
    stage.leg?.report({ type: 'refer-progress', status: 100, reason: 'Trying' });
    await stage.run(500);
    return { stage, journal };
  };

  test('its report ends the call as transferred', async () => {
    const { journal } = await accepted();
    const { stage, leg } = await goesOn(journal.written);
    leg.report({ type: 'refer-progress', status: 100, reason: 'Trying' });
    leg.report({ type: 'refer-progress', status: 200, reason: 'OK' });
    await stage.run(500);
    assert.deepEqual(ends(stage), [TRANSFERRED]);
    assert.deepEqual([stage.of('markTransferred').length, stage.of('countReferral').length], [1, 0]);
  });

  test('a BYE after it had accepted is a transfer', async () => {
    const { journal } = await accepted();
    const { stage, leg } = await goesOn(journal.written);
    leg.end();
    await stage.run(500);
    assert.deepEqual(ends(stage), [TRANSFERRED]);
  });

  test('a peer that reports nothing has what is left of its time; then the person is called', async () => {
    const { journal } = await accepted();
    const left = journal.written.transfer?.referLeftMs ?? 0;
    assert.ok(left > 10_000 && left < 20_000, `${left}`);
    const { stage } = await goesOn(journal.written);
    await stage.run(left - GAP_MS - 1_000);
    assert.doesNotMatch(stage.timeline(), /dial/);
    await stage.run(2_000);
    assert.match(stage.timeline(), /> person: dial \+15557654321/);
    assert.doesNotMatch(stage.timeline(), /REFER/);
  });

  test('an upgrade waits for the answer to a REFER', async () => {
    const { stage } = await transferred({ referStatus: null });
    assert.equal(stage.conductor.handOverMoment, 'busy');
    stage.leg?.report({ type: 'refer-progress', status: 100, reason: 'Trying' });
    await stage.run(500);
    assert.equal(stage.conductor.handOverMoment, 'good');
  });

  test('left at an upgrade, nobody is called by the engine that has left it', async () => {
    const { stage, journal } = await accepted();
    stage.conductor.leave();
    const left = journal.written.transfer?.referLeftMs ?? 0;
    assert.ok(left > 10_000, `${left}`);
    await stage.run(25_000);
    assert.doesNotMatch(stage.timeline(), /dial/);
    assert.equal((await asked()).stage.legs.length, 0);
  });
});
