// Whole calls whose caller is to be handed to a destination, in virtual time: what persons are told, who is tried when,
// and that every end leaves nobody on a line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../../engine/test-runs/caller/seeded-random.ts';
import type { DialogueChunk, DialogueModel, DialogueRequest } from '../../../../models/llm/llm.ts';
import { Receptionist } from '../../../../models/llm/receptionist/receptionist.ts';
import { CallStage, type CallStageOptions } from '../stage.ts';
import { AUDIO } from '../stage-leg.ts';

const destination = (name: string, change: object = {}) => ({
  ...{ name, description: '', target: '+15550000001', hours: null, extensionDigits: null },
  ...{ mode: 'brief', accept: 'key', ringSeconds: 20, order: 1, ...change },
});
const A = destination('Al');
const LAST = '+15559999999';

/** A language model that hands over, and has words for a person. */
function model(complete: DialogueModel['complete'], afterwards = 'Sorry about that.'): DialogueModel {
  return {
    name: 'script',
    complete,
    async *reply({ messages }: DialogueRequest): AsyncIterable<DialogueChunk> {
      const has = (role: string): boolean => messages.some((message) => message.role === role);
      yield { type: 'text', text: has('note') ? afterwards : 'One moment, please.' };
      if (!has('tool-call'))
        yield { type: 'tool-call', id: 't-1', name: 'transfer_call', arguments: { reason: 'a refund' } };
    },
  };
}

interface Scene
  extends Pick<
    CallStageOptions,
    'dialogue' | 'holdMusic' | 'transferObstacle' | 'takesDigits' | 'medium' | 'campaign'
  > {
  destinations?: object[];
  transferNumber?: string | null;
}

async function asks({ destinations = [A], transferNumber = null, ...options }: Scene = {}): Promise<CallStage> {
  const business = { transferNumber, destinations: JSON.stringify(destinations) };
  const stage = new CallStage({ dialogue: new Receptionist(), ...options, business });
  await stage.start(8_000);
  return stage.says('can I speak to a person please', 5_000);
}

async function picksUp(stage: CallStage, nth = 0, slot = `0:${nth}`): Promise<void> {
  stage.legs[nth]?.report({ type: 'answered', audio: AUDIO });
  await stage.run(600);
  await stage.amd('human', 14_000, `call_1:human:${slot}`);
}
const LINE = 'call_1:human:0:0';

function nobodyIsLeft(stage: CallStage): void {
  assert.deepEqual(
    stage.legs.filter(({ isOver }) => !isOver),
    [],
  );
  assert.deepEqual(
    stage.shard.openAudio.filter((id) => id !== 'call_1'),
    [],
  );
  assert.equal(stage.placesTaken, 0);
  assert.equal(stage.of('openTransferLeg').length, stage.of('closeTransferLeg').length);
  assert.doesNotMatch(stage.timeline().split('music').at(-1) ?? '', /^ on/, 'no music is left on');
}

const told = (stage: CallStage): string => stage.lines.filter((line) => line.includes('agent to person')).join('\n');

describe('what a person is told', () => {
  test('by the model, which wrote while it rang', async () => {
    const prompts: string[] = [];
    const complete: DialogueModel['complete'] = async ({ user }) => {
      prompts.push(user);
      return '**Ada** was charged twice.';
    };
    const stage = await asks({ dialogue: model(complete) });
    await picksUp(stage);
    assert.match(told(stage), /Ada was charged twice/);
    assert.match(prompts[0] ?? '', /because: a refund[\s\S]*caller: can I speak to a person/);
  });

  test('by rules where the model is late, fails, or says nothing', async () => {
    const late: DialogueModel['complete'] = () => new Promise(() => {});
    const fails: DialogueModel['complete'] = async () => {
      throw new Error('down');
    };
    for (const complete of [late, fails, async () => '   ']) {
      const stage = await asks({ dialogue: model(complete) });
      await picksUp(stage);
      assert.match(told(stage), /It is about: a refund\./);
      assert.match(told(stage), /Press 1/);
      await stage.hangsUp();
      await stage.run(12_000);
      nobodyIsLeft(stage);
    }
  });

  test('whoever decides while the words are still made hears none of them', async () => {
    const never: DialogueModel['complete'] = () => new Promise(() => {});
    for (const key of ['1', '2'] as const) {
      const stage = await asks({ dialogue: model(never) });
      stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(600);
      await stage.amd('human', 500, LINE);
      await stage.personPresses(key, 9_000, LINE);
      assert.doesNotMatch(told(stage), /on the line for you/, key);
      if (key === '1') assert.match(stage.timeline(), /shard: bridge/);
      else assert.match(told(stage), /What shall I tell them/);
    }
  });

  test('a question is answered by the model, and by rules where it does not know', async () => {
    for (const [answer, said] of [
      ['It is Ada.', /It is Ada\./],
      ['UNKNOWN', /They have not told me that\./],
    ] as const) {
      const stage = await asks({
        dialogue: model(async ({ system }) => (/question/.test(system) ? answer : 'A refund.')),
      });
      await picksUp(stage);
      await stage.personSays('who is that exactly?', 5_000, LINE);
      assert.match(told(stage), said);
    }
  });

  test('what is said on their line is marked in the transcript, at its time', async () => {
    const stage = await asks({ destinations: [destination('Al', { accept: 'voice' })] });
    await picksUp(stage);
    await stage.personSays('what is it about please?', 6_000, LINE);
    await stage.personSays('yes', 2_000, LINE);
    await stage.hangsUp();
    await stage.run(2_000);
    const [end] = stage.of('endCall') as Array<{ transcript: Array<Record<string, unknown>>; summary: string }>;
    const theirs = (end?.transcript ?? []).filter(({ line }) => line === 'person');
    assert.deepEqual(
      theirs.map(({ speaker }) => speaker),
      ['agent', 'person', 'agent', 'person'],
    );
    assert.ok(
      theirs.every(({ timestamp }) => Number(timestamp) > 13_000),
      JSON.stringify(theirs),
    );
    assert.match(end?.summary ?? '', /The caller spoke once|Topics|transferred/);
  });
});

describe('who is tried', () => {
  test('the number of last resort, where nobody answered', async () => {
    const stage = await asks({ transferNumber: LAST });
    stage.legs[0]?.end({ sipStatus: 480 });
    await stage.run(3_000);
    assert.match(stage.timeline(), /REFER to \+15559999999/);
    await stage.run(3_000);
    assert.match(stage.timeline(), /dial \+15559999999/);
    stage.legs[1]?.end({ sipStatus: 486 });
    await stage.run(5_000);
    assert.match(stage.timeline(), /agent: Al is not answering/);
    await stage.hangsUp();
    await stage.run(3_000);
    nobodyIsLeft(stage);
  });

  test('but not where somebody has declined', async () => {
    const stage = await asks({ transferNumber: LAST });
    await picksUp(stage);
    await stage.personPresses('2', 8_000, LINE);
    await stage.personPresses('2', 6_000, LINE);
    assert.doesNotMatch(stage.timeline(), /\+15559999999/);
    assert.match(stage.timeline(), /agent: Al cannot take the call right now/);
  });

  test('nobody whom the account may not call', async () => {
    const stage = await asks({ transferObstacle: 'premium rate numbers' });
    await stage.run(3_000);
    assert.equal(stage.legs.length, 0);
    assert.match(stage.timeline(), /agent: Al could not be reached/);
    await stage.hangsUp();
    await stage.run(3_000);
    nobodyIsLeft(stage);
  });

  test('a campaign’s persons in place of the business’s', async () => {
    const own = destination('Own', { target: '+15550000007' });
    const stage = await asks({ campaign: { destinations: JSON.stringify([own]) } });
    assert.match(stage.timeline(), /dial \+15550000007/);
  });

  test('an extension: the digits leave after the answer, and nobody is told before a voice is there', async () => {
    for (const takesDigits of [true, false]) {
      const stage = await asks({ destinations: [destination('Al', { extensionDigits: 'ww12#' })], takesDigits });
      stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(200);
      await stage.amd('machine', 200, LINE);
      assert.match(stage.timeline(), takesDigits ? /digits ww12#/ : /person: INFO ww12#/);
      assert.equal(told(stage), '');
      await stage.personSays('welcome to our exchange', 4_000, LINE);
      assert.equal(told(stage), '', 'the system speaks');
      await stage.personSays('hello, Al here', 2_000, LINE);
      assert.match(told(stage), /on the line for you/);
    }
  });

  test('a browser’s caller is handed over, too', async () => {
    const stage = new CallStage({
      ...{ medium: 'web' as const, dialogue: new Receptionist() },
      business: {
        transferNumber: null,
        destinations: JSON.stringify([destination('Al', { mode: 'blind', accept: 'none' })]),
      },
    });
    await stage.start(500);
    await stage.reports({ type: 'socket-joined', callId: 'call_1' }, 8_000);
    await stage.says('can I speak to a person please', 5_000);
    await picksUp(stage);
    assert.match(stage.timeline(), /shard: bridge/);
    const [told] = stage.of('markTransferred') as Array<{ transfer: object }>;
    assert.partialDeepStrictEqual(told?.transfer, { destination: 'Al', mode: 'blind', accepted: 'none' });
  });
});

describe('every end leaves nobody on a line', () => {
  const moments: Array<[string, (stage: CallStage) => Promise<unknown>]> = [
    ['while it rings', async () => {}],
    ['as they pick up', async (stage) => stage.legs[0]?.report({ type: 'answered', audio: AUDIO })],
    [
      'in the briefing',
      async (stage) => {
        stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
        await stage.run(600);
        await stage.amd('human', 2_000, LINE);
      },
    ],
    ['while they decide', (stage) => picksUp(stage)],
    [
      'while a question is answered',
      async (stage) => {
        await picksUp(stage);
        await stage.personSays('what is it about please?', 20, LINE);
      },
    ],
    [
      'while they say what to tell',
      async (stage) => {
        await picksUp(stage);
        await stage.personPresses('2', 6_000, LINE);
      },
    ],
    [
      'while we thank them',
      async (stage) => {
        await picksUp(stage);
        await stage.personPresses('2', 6_000, LINE);
        await stage.personSays('call me tomorrow please', 100, LINE);
      },
    ],
    [
      'when both are joined',
      async (stage) => {
        await picksUp(stage);
        await stage.personPresses('1', 2_000, LINE);
      },
    ],
  ];
  const ends: Array<[string, (stage: CallStage) => unknown]> = [
    ['the caller hangs up', (stage) => stage.hangsUp()],
    ['the person hangs up', (stage) => stage.legs[0]?.end()],
    [
      'both hang up at once',
      (stage) => {
        stage.leg?.end();
        stage.legs[0]?.end();
      },
    ],
    ['the API ends the call', (stage) => stage.conductor.requestEnd()],
    ['the service stops', (stage) => stage.conductor.shutdown()],
    [
      'the person’s audio fails',
      (stage) => stage.audio(LINE).emit({ type: 'call-failed', callId: LINE, message: 'x' }),
    ],
    ['the person answers twice', (stage) => stage.legs[0]?.report({ type: 'answered', audio: AUDIO })],
  ];
  for (const [when, moment] of moments) {
    for (const [how, end] of ends) {
      test(`${how} ${when}`, async () => {
        const stage = await asks();
        await moment(stage);
        await end(stage);
        await stage.run(200_000);
        if (stage.ended.length === 0) await stage.hangsUp();
        await stage.run(5_000);
        assert.equal(stage.ended.length, 1);
        assert.deepEqual(stage.shard.openAudio, []);
        nobodyIsLeft(stage);
      });
    }
  }

  test('in storms of three who ring, answer, press, speak and hang up', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed);
      const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
      const stage = await asks({
        destinations: [A, destination('Bo', { accept: 'voice' }), destination('Cy', { order: 2, accept: 'none' })],
        transferNumber: pick([null, LAST]),
      });
      for (let event = 0; event < 25 && stage.ended.length === 0; event++) {
        const slot = pick(['0:0', '0:1', '1:0']);
        const id = `call_1:human:${slot}`;
        const leg = pick(stage.legs.length > 0 ? stage.legs : [stage.leg]);
        const isThere = stage.shard.hasAudio(id) && !stage.audio(id).isClosed;
        const kind = pick(['answer', 'end', 'key', 'say', 'amd', 'wait', 'caller', 'busy', 'hang-up'] as const);
        if (kind === 'answer' && leg !== stage.leg) leg?.report({ type: 'answered', audio: AUDIO });
        if (kind === 'end' && leg !== stage.leg) leg?.end();
        if (kind === 'busy' && leg !== stage.leg) leg?.end({ sipStatus: 486 });
        if (kind === 'key' && isThere) await stage.personPresses(pick(['1', '2', '3']), 100, id);
        if (kind === 'say' && isThere) await stage.personSays(pick(['yes', 'no', 'what is it about?', 'hm']), 100, id);
        if (kind === 'amd' && isThere) await stage.amd(pick(['human', 'machine', 'uncertain'] as const), 100, id);
        if (kind === 'caller') await stage.says('what are your opening hours', 100);
        if (kind === 'hang-up' && event > 18) await stage.hangsUp();
        await stage.run(pick([0, 200, 3_000, 12_000]));
      }
      if (stage.ended.length === 0) await stage.hangsUp();
      await stage.run(5_000);
      assert.equal(stage.ended.length, 1, `seed ${seed}`);
      assert.deepEqual(stage.shard.openAudio, [], `seed ${seed}\n${stage.timeline()}`);
      nobodyIsLeft(stage);
    }
  });
});

describe('an agent that stays', () => {
  const STAYS = destination('Al', { after: 'stay' });

  async function joined(options: Scene = {}): Promise<CallStage> {
    const stage = await asks({ destinations: [STAYS], ...options });
    await picksUp(stage);
    await stage.personPresses('1', 2_000, LINE);
    return stage;
  }

  const sinceJoined = (stage: CallStage): string => stage.timeline().split('shard: bridge')[1] ?? '';

  test('says nothing while both talk, and what they say is in the transcript', async () => {
    const stage = await joined();
    assert.match(stage.timeline(), /shard: bridge/);
    await stage.personSays('your refund is on its way', 4_000, LINE);
    await stage.says('what are your opening hours', 30_000);
    assert.doesNotMatch(sinceJoined(stage), /agent/);
    await stage.hangsUp();
    await stage.run(2_000);
    nobodyIsLeft(stage);
    const [end] = stage.of('endCall') as Array<{ outcome: string; transcript: Array<Record<string, unknown>> }>;
    assert.equal(end?.outcome, 'transferred');
    const said = (end?.transcript ?? []).map(({ speaker, text, line }) => `${speaker}${line ? '*' : ''}: ${text}`);
    assert.deepEqual(said.slice(-2), ['person: your refund is on its way', 'caller: what are your opening hours']);
  });

  test('has the caller again when the person hangs up, knows what was said, and can hand over again', async () => {
    const heard: string[] = [];
    const dialogue = model(async () => 'A refund.', 'I am back.');
    const recording: DialogueModel = {
      ...dialogue,
      reply(request, signal) {
        heard.push(JSON.stringify(request.messages));
        return dialogue.reply(request, signal);
      },
    };
    const stage = await joined({ dialogue: recording });
    await stage.personSays('your refund is on its way', 4_000, LINE);
    stage.legs[0]?.end({ by: 'remote' });
    await stage.run(6_000);
    assert.match(sinceJoined(stage), /agent: I am back/);
    assert.match(heard.at(-1) ?? '', /your refund is on its way/);
    nobodyIsLeft(stage);
    assert.equal(stage.of('endCall').length, 0);
    assert.equal(stage.of('markTransferred').length, 1);
    await stage.says('thank you', 5_000);
    await stage.hangsUp();
    await stage.run(2_000);
    const [end] = stage.of('endCall') as Array<{ outcome: string }>;
    assert.equal(end?.outcome, 'completed');
  });

  test('says that it is back, without a model', async () => {
    const stage = await joined();
    stage.legs[0]?.end({ by: 'remote' });
    await stage.run(20_000);
    assert.match(sinceJoined(stage), /I'm back on the line/);
  });

  test('whoever is handed over by an earlier release has an agent that leaves', async () => {
    const stage = await asks();
    await picksUp(stage);
    await stage.personPresses('1', 2_000, LINE);
    stage.legs[0]?.end({ by: 'remote' });
    await stage.run(4_000);
    assert.doesNotMatch(sinceJoined(stage), /agent/);
    assert.equal(stage.of('endCall').length, 1);
  });
});

test('the caller waits with the business’s own music, and with ours where it cannot be read', async () => {
  assert.match((await asks({ holdMusic: new Int16Array(320) })).timeline(), /music on, their own/);
  assert.match((await asks()).timeline(), /music on\n/);
});
