// Somebody who listens whispers while the caller is with a person: into that person's ear, however they were found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControlAnswer } from '../../../../db/domain/calls/control.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';
import { CallStage } from '../stage.ts';
import { AUDIO } from '../stage-leg.ts';

const destination = (change: object = {}) => ({
  ...{ name: 'Al', description: '', target: '+15550000001', hours: null, extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', ringSeconds: 20, order: 1, ...change },
});
const LINE = 'call_1:human:0:0';

/** The caller has asked for a person, whose telephone rings. */
async function rings(destinations: object[]): Promise<CallStage> {
  const business = { destinations: JSON.stringify(destinations) };
  const stage = new CallStage({ dialogue: new Receptionist(), business });
  await stage.start(8_000);
  return stage.says('can I speak to a person please', 6_000);
}

async function accepts(stage: CallStage, line = LINE): Promise<void> {
  stage.legs.at(-1)?.report({ type: 'answered', audio: AUDIO });
  await stage.run(600);
  await stage.amd('human', 14_000, line);
  await stage.personPresses('1', 500, line);
  assert.match(stage.timeline(), /shard: bridge/);
}

async function joined(destinations: object[] = [destination()]): Promise<CallStage> {
  const stage = await rings(destinations);
  await accepts(stage);
  return stage;
}

async function whispers(stage: CallStage): Promise<ControlAnswer | null> {
  let answer: ControlAnswer | null = null;
  void stage.conductor.controls.switchTo('lis_1', 'whisper').then((given) => {
    answer = given;
  });
  await stage.run(100);
  return answer;
}

const whispered = (stage: CallStage): string[] => stage.timeline().match(/call_1:human\S* hears/g) ?? [];

test('to one of the destinations', async () => {
  const stage = await joined();
  assert.deepEqual(await whispers(stage), { state: 'done' });
  assert.match(stage.timeline(), /shard: call_1:human:0:0 hears call_1:supervisor beside the call/);
  await stage.hangsUp();
});

test('to transferNumber', async () => {
  const stage = await rings([]);
  stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
  await stage.run(15_000);
  assert.deepEqual(await whispers(stage), { state: 'done' });
  assert.match(stage.timeline(), /shard: call_1:human hears call_1:supervisor beside the call/);
  await stage.hangsUp();
});

test('who has whispered before is heard by the person who gets the caller', async () => {
  const business = { destinations: JSON.stringify([destination()]) };
  const stage = new CallStage({
    business,
    model: ({ messages }) => {
      const text = { type: 'text', text: 'One moment, please.' } as const;
      if (messages.some(({ role }) => role === 'tool-call')) return [text];
      return [text, { type: 'tool-call', id: 't-1', name: 'transfer_call', arguments: {} }];
    },
  });
  await stage.start(8_000);
  assert.deepEqual(await whispers(stage), { state: 'done' });
  await stage.says('can I speak to a person please', 6_000);
  assert.deepEqual(whispered(stage), []);
  await accepts(stage);
  assert.deepEqual(whispered(stage), ['call_1:human:0:0 hears']);
  await stage.hangsUp();
});

test('a whisper that nobody can hear is refused: the person’s line is gone', async () => {
  const stage = await joined();
  stage.audio(LINE).isGone = true;
  assert.deepEqual(await whispers(stage), { refused: 'CALL_TRANSFERRED' });
  assert.equal(stage.conductor.controls.view.speaker, null);
  await stage.hangsUp();
});
