// A call whose caller is to be handed to a destination changes hands in each phase: whoever has the caller keeps them,
// and in every other phase nobody is left on a line and the caller has the agent.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  BRIDGED_VERSION,
  CONTINUATION_VERSION,
  type Continuation,
} from '../../../../engine/call/going-on/continuation.ts';
import { isWhole } from '../../../../engine/call/going-on/transfer-continuation.ts';
import type { CallJournal } from '../../../../engine/journal/journal.ts';
import type { LegState, StoredDialog } from '../../../../engine/sip/telephony.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';
import { CallStage, type CallStageOptions } from '../stage.ts';
import { AUDIO, StageLeg } from '../stage-leg.ts';

const destination = (name: string, change: object = {}) => ({
  ...{ name, description: '', target: `+1555000000${name.length}`, hours: null, extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', ringSeconds: 20, order: 1, ...change },
});
const business = (...destinations: object[]) => ({ transferNumber: null, destinations: JSON.stringify(destinations) });

const legState = (sipCallId: string): LegState => ({
  sipCallId,
  dialog: { callId: sipCallId, state: 'confirmed', transport: 'udp' } as LegState['dialog'],
  audio: AUDIO,
  rest: null,
});

class JournalOfOne implements CallJournal {
  #ask: () => object | null = () => null;
  follow(key: string, ask: () => object | null): void {
    if (key === 'call_1') this.#ask = ask;
  }
  changed(): void {}
  busyWith(): void {}
  forget(): void {}
  get written(): Continuation {
    return JSON.parse(JSON.stringify(this.#ask())) as Continuation;
  }
}

async function asked(options: CallStageOptions) {
  const journal = new JournalOfOne();
  const stage = new CallStage({ dialogue: new Receptionist(), journal, ...options });
  await stage.start(8_000);
  assert.ok(stage.leg);
  stage.leg.state = legState('sip-line');
  await stage.says('can I speak to a person please', 6_000);
  return { stage, journal };
}

/** Answers, as the second of two who ring. */
async function answers(stage: CallStage, nth = 1): Promise<StageLeg> {
  const leg = stage.legs[nth];
  assert.ok(leg);
  leg.state = legState('sip-person');
  leg.report({ type: 'answered', audio: AUDIO });
  await stage.run(600);
  return leg;
}

const CONFIRMED = { callId: 'sip-person', state: 'confirmed' } as StoredDialog;

test('while persons ring, are told and decide, another process finds nobody, and a release before too', async () => {
  const { stage, journal } = await asked({ business: business(destination('Al'), destination('Kim')) });
  const moments: Array<() => Promise<unknown>> = [
    async () => undefined,
    () => answers(stage),
    () => stage.amd('human', 2_000, 'call_1:human:0:1'),
    () => stage.run(14_000),
  ];
  for (const moment of moments) {
    await moment();
    const { version, transfer } = journal.written;
    assert.equal(version, CONTINUATION_VERSION);
    assert.ok(transfer);
    assert.deepEqual([transfer.state, transfer.person], [{ phase: 'opening' }, null]);
    assert.equal(isWhole(transfer, CONFIRMED), false);
    assert.equal(stage.conductor.handOverMoment, 'never', 'an upgrade waits');
  }
});

test('it goes on without them, and the agent says that nobody took the call', async () => {
  const { journal } = await asked({ business: business(destination('Al')) });
  const next = new CallStage({ dialogue: new Receptionist(), business: business(destination('Al')) });
  const leg = new StageLeg('line', 'inbound', (line) => next.print(line));
  leg.state = legState('sip-line');
  next.leg = leg;
  const resumption = { atMs: 20_000, gapMs: 2_000, cause: 'crash' } as const;
  const of = { transcript: Promise.resolve([]), pulse: null, record: null, transfer: null, resumption };
  next.conductor.resume({ from: journal.written, leg, ...of });
  await next.run(8_000);
  assert.match(next.timeline(), /nobody is answering at the moment/);
  assert.doesNotMatch(next.timeline(), /dial|music/);
});

test('whoever has the caller is described as a transfer that any release goes on with', async () => {
  const { stage, journal } = await asked({ business: business(destination('Al'), destination('Kim')) });
  await answers(stage);
  await stage.amd('human', 14_000, 'call_1:human:0:1');
  await stage.personPresses('1', 1_000, 'call_1:human:0:1');
  const { version, transfer, isTransferReported } = journal.written;
  assert.deepEqual([version, isTransferReported, transfer?.state], [BRIDGED_VERSION, true, { phase: 'bridged' }]);
  assert.deepEqual([transfer?.target, transfer?.person?.audioId], ['+15550000003', 'call_1:human:0:1']);
  assert.ok(transfer && isWhole(transfer, CONFIRMED));
  const joined = stage.of('storeDialog').filter(({ leg }) => leg === 'human');
  assert.deepEqual(
    joined.map(({ dialog }) => (dialog as StoredDialog).callId),
    ['sip-person'],
  );
  assert.match(stage.timeline(), /person: hang up/, 'the other one is let go');
  assert.equal(stage.placesTaken, 1);

  const next = new CallStage({ dialogue: new Receptionist(), business: business(destination('Al')) });
  const leg = new StageLeg('line', 'inbound', (line) => next.print(line));
  leg.state = legState('sip-line');
  next.leg = leg;
  const resumption = { atMs: 20_000, gapMs: 2_000, cause: 'crash' } as const;
  const taken = { from: transfer, elapsedMs: 2_000, pulse: null };
  const of = { transcript: Promise.resolve([]), pulse: null, record: null, transfer: taken, resumption };
  next.conductor.resume({ from: journal.written, leg, ...of });
  await next.run(500);
  assert.match(next.timeline(), /shard: bridge/);
  next.legs[0]?.end();
  await next.run(500);
  assert.deepEqual(
    next.ended.map(({ outcome, endReason }) => [outcome, endReason]),
    [['transferred', 'transfer']],
  );
});

test('a REFER that is out goes on as one', async () => {
  const { journal } = await asked({
    business: business(destination('Al', { mode: 'blind', accept: 'none' })),
    referStatus: null,
  });
  const { transfer } = journal.written;
  assert.deepEqual(
    [transfer?.state, transfer?.target, transfer?.person],
    [{ phase: 'referring' }, '+15550000002', null],
  );
  assert.ok((transfer?.referLeftMs ?? 0) > 10_000);
});

/** Another process goes on with it. */
async function goesOn(from: Continuation, options: CallStageOptions) {
  const journal = new JournalOfOne();
  const next = new CallStage({ dialogue: new Receptionist(), journal, ...options });
  const leg = new StageLeg('line', 'inbound', (line) => next.print(line));
  leg.state = legState('sip-line');
  next.leg = leg;
  const resumption = { atMs: 20_000, gapMs: 2_000, cause: 'crash' } as const;
  const transfer = from.transfer ? { from: from.transfer, elapsedMs: 2_000, pulse: null } : null;
  next.conductor.resume({
    from,
    leg,
    transcript: Promise.resolve([]),
    pulse: null,
    record: null,
    transfer,
    resumption,
  });
  await next.run(500);
  return { stage: next, journal };
}

describe('an agent that stays survives its engine', () => {
  const staying = { business: business(destination('Al'), destination('Kim', { after: 'stay' })) };

  async function joined() {
    const { stage, journal } = await asked(staying);
    await answers(stage);
    await stage.amd('human', 14_000, 'call_1:human:0:1');
    await stage.personPresses('1', 1_000, 'call_1:human:0:1');
    return { stage, journal };
  }

  test('it goes on as what it was: both are listened to, the agent says nothing, and is back when the person goes', async () => {
    const { journal } = await joined();
    const { stage: next } = await goesOn(journal.written, staying);
    const { command } = next.audio('call_1:human:0:1');
    assert.equal(command.resume?.port, 20_000);
    assert.match(next.timeline(), /shard: bridge/);
    await next.says('I would like that very much', 2_000);
    await next.personSays('Then I will send it today', 2_000, 'call_1:human:0:1');
    assert.doesNotMatch(next.timeline(), /agent/, 'nobody answers them');
    next.legs[0]?.end();
    await next.run(4_000);
    assert.match(next.timeline(), /agent: I'm back on the line/);
    assert.equal(next.ended.length, 0);
    assert.deepEqual(
      next.of('closeTransferLeg').map(({ leg }) => leg),
      [1],
      'the books of the one who was second',
    );
    assert.equal(next.placesTaken, 0);
    await next.hangsUp();
    await next.run(500);
    const [end] = next.of('endCall') as Array<{ transcript: Array<{ speaker: string; text: string }> }>;
    const said = end?.transcript.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n') ?? '';
    assert.match(said, /caller: I would like that very much\nperson: Then I will send it today\n/);
    assert.deepEqual(next.ended[0]?.outcome, 'completed');
  });

  test('and the next engine, too', async () => {
    const { journal } = await joined();
    const second = await goesOn(journal.written, staying);
    assert.deepEqual(second.journal.written.transfer?.hunt, {
      ...journal.written.transfer?.hunt,
      waitedMs: second.journal.written.transfer?.hunt?.waitedMs,
    });
    const third = await goesOn(second.journal.written, staying);
    third.stage.legs[0]?.end();
    await third.stage.run(4_000);
    assert.match(third.stage.timeline(), /agent: I'm back on the line/);
    assert.equal(third.stage.ended.length, 0);
  });

  test('where the person cannot be had any more, the agent has the caller', async () => {
    const { journal } = await joined();
    const from = journal.written;
    const { stage: next } = await goesOn({ ...from, transfer: null }, staying);
    await next.run(4_000);
    assert.match(next.timeline(), /agent: I'm back on the line/);
    assert.equal(next.ended.length, 0);
  });

  test('what a release before wrote of it is a transfer, and the call ends with the person', async () => {
    const { journal } = await joined();
    const { hunt: _, ...transfer } = journal.written.transfer ?? assert.fail();
    const { stage: next } = await goesOn({ ...journal.written, transfer }, staying);
    next.legs[0]?.end();
    await next.run(500);
    assert.deepEqual(
      next.ended.map(({ outcome, endReason }) => [outcome, endReason]),
      [['transferred', 'transfer']],
    );
  });
});

test('a REFER that goes on and fails leads to the next of the destinations', async () => {
  const options = {
    business: business(
      destination('Al', { mode: 'blind', accept: 'none' }),
      destination('Kim', { accept: 'voice', order: 2 }),
    ),
    referStatus: null,
  };
  const { journal } = await asked(options);
  const { stage: next } = await goesOn(journal.written, options);
  next.leg?.report({ type: 'refer-progress', status: 603, reason: '' });
  await next.run(500);
  next.legs[0]?.end({ sipStatus: 486 });
  await next.run(500);
  next.legs[1]?.report({ type: 'answered', audio: AUDIO });
  await next.run(600);
  await next.amd('human', 14_000, 'call_1:human:1:0');
  await next.personSays('yes please', 1_000, 'call_1:human:1:0');
  assert.match(next.timeline(), /shard: bridge/);
  const [told] = next.of('markTransferred') as Array<{ transfer?: { destination: string } }>;
  assert.equal(told?.transfer?.destination, 'Kim');
  await next.hangsUp();
});
