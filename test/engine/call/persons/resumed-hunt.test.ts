// A call whose caller is to be handed to a destination changes hands in each phase: whoever has the caller keeps them,
// and in every other phase nobody is left on a line and the caller has the agent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
