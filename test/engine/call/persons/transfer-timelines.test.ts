// Whole calls that are transferred to `transferNumber`, as printed timelines: by REFER, by a call of ours, and each end
// that they can come to. Beside what other timelines print, these have what the books and the journal are told of the
// person. `UPDATE_TIMELINES=1` rewrites them; review the diff.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Continuation } from '../../../../engine/call/going-on/continuation.ts';
import type { CallJournal } from '../../../../engine/journal/journal.ts';
import type { DialogueChunk } from '../../../../models/llm/llm.ts';
import { CallStage, type CallStageOptions, type Script } from '../stage.ts';
import { AUDIO, type StageLeg } from '../stage-leg.ts';

const text = (words: string): DialogueChunk => ({ type: 'text', text: words });
const model: Script = ({ messages }) => {
  if (messages.some(({ role }) => role === 'note')) return [text('Nobody is there. Anything else?')];
  return [text('One moment, please.'), { type: 'tool-call', id: 't-1', name: 'transfer_call', arguments: {} }];
};
const PERSON = 'call_1:human';

/** Prints what another process would go on with, whenever that changes. */
class PrintingJournal implements CallJournal {
  #ask: () => object | null = () => null;
  #last = 'none';
  print: (line: string) => void = () => undefined;

  follow(key: string, ask: () => object | null): void {
    if (key === 'call_1') this.#ask = ask;
  }

  changed(_key: string, isUrgent = false): void {
    const { transfer } = (this.#ask() ?? {}) as Partial<Continuation>;
    const { phase } = transfer?.state ?? { phase: 'none' };
    const person = transfer?.person ? `, on ${transfer.person.trunkId}, port ${transfer.person.port}` : '';
    const answered = transfer?.person?.answeredAtMs == null ? '' : ', answered';
    const counted = transfer?.isReferralCounted ? ', counted' : '';
    const now = `${transfer?.target ?? ''} ${phase}${person}${answered}${counted}`.trim();
    if (now === this.#last) return;
    this.#last = now;
    this.print(`~ journal: ${now}${isUrgent ? ' (at once)' : ''}`);
  }

  busyWith(): void {}
  forget(): void {}
}

/** A caller has asked for a person. */
async function asks(options: CallStageOptions = {}, forMs = 3_000): Promise<CallStage> {
  const journal = new PrintingJournal();
  const stage = new CallStage({ model, callerName: 'Ada', journal, ...options });
  journal.print = (line) => stage.print(line);
  await stage.start(100);
  if (options.medium === 'web') await stage.reports({ type: 'socket-joined', callId: 'call_1' });
  if (options.medium === 'outbound') stage.leg?.report({ type: 'answered', audio: AUDIO });
  await stage.run(6_000);
  if (stage.leg) stage.leg.state = { sipCallId: 'sip-line', dialog: {} as never, audio: AUDIO, rest: null };
  return stage.says('a person please', forMs);
}

const person = (stage: CallStage): StageLeg => {
  const leg = stage.legs.at(-1);
  assert.ok(leg);
  return leg;
};

async function answers(stage: CallStage, forMs: number): Promise<CallStage> {
  const leg = person(stage);
  leg.report({ type: 'ringing', status: 180, earlyAudio: null });
  await stage.run(2_000);
  leg.state = { sipCallId: 'sip-person', dialog: { callId: 'sip-person' } as never, audio: AUDIO, rest: null };
  leg.report({ type: 'answered', audio: AUDIO });
  return stage.run(forMs);
}

/** REFER was refused; the person hears who calls. */
const announcing = async (options: CallStageOptions = {}) => answers(await asks(options), 1_000);
const bridged = async (options: CallStageOptions = {}) => answers(await asks(options), 15_000);

async function notified(statuses: readonly number[], forMs: number): Promise<CallStage> {
  const stage = await asks({ referStatus: null });
  for (const status of statuses) {
    stage.leg?.report({ type: 'refer-progress', status, reason: '' });
    await stage.run(500);
  }
  return stage.run(forMs);
}

async function ends(stage: CallStage, sipStatus: number | null, by: 'remote' | 'local' = 'remote'): Promise<CallStage> {
  person(stage).end({ sipStatus, by, rang: true });
  await stage.run(3_000);
  return stage.ended.length === 0 ? stage.hangsUp() : stage;
}

async function audioFails(stage: CallStage): Promise<CallStage> {
  stage.print('< shard: the audio of the person fails');
  stage.audio(PERSON).emit({ type: 'call-failed', callId: PERSON, message: 'gone' });
  await stage.run(3_000);
  return stage.ended.length === 0 ? stage.hangsUp() : stage;
}

const SHOP = { business: { transferNumber: 'sip:shop' } };

/** The person presses transfer on their telephone. */
async function handsOn(target: string): Promise<CallStage> {
  const stage = await bridged(SHOP);
  person(stage).report({ type: 'refer-asked', target, accept: () => stage.print('> person: 202') });
  return stage.run(1_000);
}

const scenes: Array<[file: string, name: string, play: () => Promise<CallStage>]> = [
  ['referred', 'REFER is accepted and carried out', () => notified([100, 180, 200], 500)],
  [
    'refer-accepted-bye',
    'REFER is accepted, and the caller’s side hangs up without a report',
    async () => (await notified([100], 500)).hangsUp(),
  ],
  [
    'refer-silent',
    'REFER is accepted and nothing is reported: the person is called after the time-out',
    async () => {
      const stage = await answers(await notified([100], 20_000), 15_000);
      return ends(stage, null);
    },
  ],
  [
    'refer-unanswered',
    'REFER has no answer at all: the person is called after the time-out, and is busy',
    async () => ends(await asks({ referStatus: null }, 23_000), 486),
  ],
  [
    'refer-fails-late',
    'REFER is accepted, then reported to have failed: the person is called',
    async () => ends(await answers(await notified([100, 486], 500), 15_000), null),
  ],
  [
    'called',
    'REFER is refused, the person is called, and hangs up in the end',
    async () => ends(await bridged(), null),
  ],
  [
    'no-refer',
    'the trunk takes no REFER: the person is called at once',
    async () => ends(await bridged({ acceptsRefer: false }), null),
  ],
  [
    'handed-on',
    'the person hands the caller on by their telephone, and the next one hangs up in the end',
    async () => ends(await answers(await handsOn('sip:kitchen'), 15_000), null),
  ],
  [
    'handed-back',
    'the person hands the caller on to one who is busy, and is called back',
    async () => {
      const stage = await handsOn('sip:kitchen');
      person(stage).end({ sipStatus: 486, by: 'remote', rang: false });
      await stage.run(1_000);
      return ends(await answers(stage, 15_000), null);
    },
  ],
  [
    'handed-to-nobody',
    'the person hands the caller on, and neither they nor the next one answer',
    async () => {
      const stage = await handsOn('sip:kitchen');
      for (let n = 0; n < 2; n++) {
        person(stage).end({ sipStatus: 480, by: 'remote', rang: true });
        await stage.run(1_000);
      }
      return stage.run(2_000);
    },
  ],
  [
    'browser',
    'a browser has nobody to ask: the person is called at once',
    async () => ends(await bridged({ medium: 'web' }), null),
  ],
  [
    'outbound',
    'a call that we have placed: over its own trunks, from its own number',
    async () => ends(await bridged({ medium: 'outbound', contactId: 'cnt_1' }), null),
  ],
  [
    'two-trunks',
    'two trunks lead to the person',
    async () => ends(await bridged({ trunkIds: ['trk_1', 'trk_2'] }), null),
  ],
  [
    'softphone',
    'the person is a softphone of the house: no REFER, and no books',
    async () => ends(await bridged({ business: { transferNumber: 'sip:desk' } }), null),
  ],
  ['person-busy', 'the person is busy', async () => ends(await asks(), 486)],
  ['no-answer', 'the person does not answer', async () => ends(await asks({}, 28_000), 487, 'local')],
  ['hangs-up-announced', 'the person hangs up while they hear who calls', async () => ends(await announcing(), null)],
  [
    'talks-announced',
    'what the person says or presses while they hear who calls changes nothing',
    async () => {
      const stage = await announcing();
      await stage.personPresses('2', 500, PERSON);
      await stage.amd('machine', 500, PERSON);
      await stage.run(15_000);
      await stage.personPresses('1', 500, PERSON);
      return ends(stage, null);
    },
  ],
  [
    'moves',
    'the person’s side sends its audio elsewhere, while they hear who calls and later',
    async () => {
      const stage = await announcing();
      person(stage).report({ type: 'audio-changed', audio: AUDIO });
      await stage.run(15_000);
      person(stage).report({ type: 'audio-changed', audio: AUDIO });
      person(stage).report({ type: 'digit', digit: '5', durationMs: 100 });
      return ends(await stage.run(500), null);
    },
  ],
  [
    'caller-leaves-referring',
    'the caller hangs up before REFER is answered',
    async () => (await asks({ referStatus: null })).hangsUp(),
  ],
  [
    'caller-leaves-opening',
    'the caller hangs up before the person is dialled',
    async () => {
      const stage = await asks({ referStatus: null });
      stage.leg?.report({ type: 'refer-progress', status: 405, reason: '' });
      return stage.hangsUp();
    },
  ],
  ['caller-leaves-ringing', 'the caller hangs up while it rings', async () => (await asks()).hangsUp()],
  [
    'caller-leaves-announced',
    'the caller hangs up while the person hears who calls',
    async () => (await announcing()).hangsUp(),
  ],
  ['caller-leaves-bridged', 'the caller hangs up on the person', async () => (await bridged()).hangsUp()],
  [
    'api-ends',
    'a client ends the call while it rings',
    async () => {
      const stage = await asks();
      stage.conductor.requestEnd();
      return stage.run(500);
    },
  ],
  [
    'nobody-decides',
    'it rings for longer than a transfer may take: the caller has the agent again',
    async () => {
      const stage = await asks({}, 80_000);
      return stage.hangsUp();
    },
  ],
  [
    'not-allowed',
    'the person may not be called: neither REFER nor call',
    async () => (await asks({ transferObstacle: 'premium rate numbers' }, 8_000)).hangsUp(),
  ],
  [
    'not-allowed-browser',
    'the person may not be called from a browser’s call either',
    async () => {
      const stage = await asks({ medium: 'web', transferObstacle: 'premium rate numbers' }, 8_000);
      await stage.reports({ type: 'media-lost', callId: 'call_1', reason: 'socket-closed' }, 500);
      return stage;
    },
  ],
  [
    'no-audio',
    'there is no audio for the person',
    async () => {
      const faults = { open: false };
      const stage = await asks({ referStatus: null, faults });
      faults.open = true;
      stage.leg?.report({ type: 'refer-progress', status: 405, reason: '' });
      await stage.run(5_000);
      return stage.hangsUp();
    },
  ],
  ['audio-fails-ringing', 'the audio of the person fails while it rings', async () => audioFails(await asks())],
  [
    'audio-fails-announced',
    'the audio fails while the person hears who calls',
    async () => audioFails(await announcing()),
  ],
  ['audio-fails-bridged', 'the audio of the person fails while both talk', async () => audioFails(await bridged())],
  [
    'again',
    'a busy person is called once more when the caller asks again',
    async () => {
      let notes = 0;
      const asksAgain: Script = ({ messages }) => {
        const known = messages.filter(({ role }) => role === 'note').length;
        if (known > notes) {
          notes = known;
          return [text('Nobody is there. Anything else?')];
        }
        return [text('One moment.'), { type: 'tool-call', id: `t-${notes}`, name: 'transfer_call', arguments: {} }];
      };
      const stage = await asks({ model: asksAgain });
      person(stage).end({ sipStatus: 486 });
      await stage.run(5_000);
      await stage.says('try again please', 3_000);
      return ends(await answers(stage, 15_000), null);
    },
  ],
  [
    'last-resort',
    'nobody of the destinations answers: transferNumber is called',
    async () => {
      const destinations = [
        {
          ...{ name: 'Anna', description: '', target: '+15550000002', hours: null, extensionDigits: null },
          ...{ mode: 'brief', accept: 'key', ringSeconds: 20, order: 1 },
        },
      ];
      const stage = await asks({ business: { destinations: JSON.stringify(destinations) } });
      person(stage).end({ sipStatus: 480 });
      await stage.run(1_000);
      return ends(await answers(stage, 15_000), null);
    },
  ],
];

/** Writes that concern the person, in full, and the record's end. */
function books(stage: CallStage): string {
  const wanted = /TransferLeg|countReferral|markTransferred|storeDialog/;
  const lines = stage.writes
    .filter(({ operation }) => wanted.test(operation))
    .map(({ operation, args }) => {
      const { dialog, ...rest } = args as { dialog?: { callId: string } };
      const nowMs = (value: unknown) => (typeof value === 'number' && value > 1e9 ? value - 1_000_000_000_000 : value);
      const facts = Object.entries(rest).map(([name, value]) => `${name} ${JSON.stringify(nowMs(value))}`);
      return `${operation}: ${[...facts, ...(dialog ? [`dialog ${dialog.callId}`] : [])].join(', ')}`;
    });
  const [end] = stage.of('endCall');
  const { transcript = [], timeline = null } = (end ?? {}) as {
    transcript?: Array<{ speaker: string; text: string; line?: string }>;
    timeline?: { transfers?: unknown } | null;
  };
  const said = transcript.map(({ speaker, text: words, line }) => `${speaker}${line ? '*' : ''}: ${words}`);
  return [...lines, '', ...said, '', `transfers: ${JSON.stringify(timeline?.transfers ?? null)}`].join('\n');
}

for (const [file, name, play] of scenes) {
  test(`transferNumber: ${name}`, async () => {
    const stage = await play();
    await stage.run(500);
    const path = new URL(`timelines/${file}.txt`, import.meta.url);
    const printed = `${name}\n\n${stage.timeline()}\n${books(stage)}\n`;
    if (process.env.UPDATE_TIMELINES === '1') writeFileSync(path, printed);
    assert.equal(printed, readFileSync(path, 'utf8'));
    assert.equal(stage.clock.pending, 0, 'every timer is gone');
    assert.equal(stage.ended.length, 1);
    assert.equal(stage.placesTaken, 0);
    assert.deepEqual(stage.shard.openAudio, []);
    assert.ok(
      stage.legs.every(({ isOver }) => isOver),
      'nobody is left on a line',
    );
  });
}
