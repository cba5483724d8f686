// Whole calls as printed timelines of what the line, the shard, the model and the database see, compared with
// committed text files. Start here to learn what a call is. `UPDATE_TIMELINES=1` rewrites them; review the diff.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DialogueChunk } from '../../../models/llm/llm.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { CallStage, type Script } from './stage.ts';
import { AUDIO } from './stage-leg.ts';

const text = (words: string): DialogueChunk => ({ type: 'text', text: words });
const tool = (name: string, args: Record<string, unknown> = {}): DialogueChunk => ({
  type: 'tool-call',
  id: `t-${name}`,
  name,
  arguments: args,
});

/** Calls a tool with a sentence, and says `after` once its result is there. */
const usesTool =
  (sentence: string, name: string, args: Record<string, unknown> = {}, after = 'Done.'): Script =>
  ({ messages }) =>
    messages.some((message) => message.role === 'tool-result') ? [text(after)] : [text(sentence), tool(name, args)];

const destination = {
  description: '',
  hours: null,
  extensionDigits: null,
  mode: 'brief',
  accept: 'key',
  ringSeconds: 20,
};
const BILLING = {
  transferNumber: null,
  destinations: JSON.stringify([
    { ...destination, name: 'Billing', description: 'Invoices and refunds', target: '+15550000001', order: 1 },
    { ...destination, name: 'Anna', target: '+15550000002', accept: 'voice', order: 2 },
  ]),
};

const GERMAN = {
  agent: { name: 'Mia', language: 'de-DE' },
  business: {
    name: 'Praxis Linde',
    timezone: 'Europe/Berlin',
    address: 'Lindenstraße 12, Köln',
    phone: '+492211234567',
    hours: JSON.stringify([
      ...['monday', 'tuesday', 'wednesday', 'thursday'].map((day) => ({ day, open: '08:30', close: '17:00' })),
      { day: 'friday', open: '08:30', close: '13:00' },
    ]),
  },
};

const scenes: Array<[file: string, name: string, play: () => Promise<CallStage>]> = [
  [
    'inbound',
    'a caller asks one thing, is answered, and hangs up',
    async () => {
      const stage = await new CallStage({ model: () => [text('We open at nine.')] }).start(6_000);
      await stage.says('when do you open', 3_000);
      return stage.hangsUp();
    },
  ],
  [
    'say-and-mute',
    'a client has something said, mutes the agent, and lets it speak again',
    async () => {
      const stage = await new CallStage({ model: () => [text('We open at nine.')] }).start(6_000);
      await stage.controls({ kind: 'say', text: 'A colleague will call you.', when: 'pause' }, 3_000);
      await stage.controls({ kind: 'mute' }, 100);
      await stage.says('when do you open', 3_000);
      await stage.controls({ kind: 'say', text: 'One moment.', when: 'now' }, 2_000);
      await stage.controls({ kind: 'unmute' }, 100);
      await stage.says('when do you open', 3_000);
      return stage.hangsUp();
    },
  ],
  [
    'taken-over',
    'a colleague is called, talks in the agent’s place, and hangs up: the agent goes on',
    async () => {
      const stage = await new CallStage({ model: () => [text('As my colleague said.')] }).start(6_000);
      await stage.controls({ kind: 'take-over', by: '+15550001111' }, 1_000);
      await stage.says('when do you open', 200);
      stage.legs.at(-1)?.report({ type: 'answered', audio: AUDIO });
      await stage.run(500);
      await stage.supervisorSays('We open at ten today.', 1_000);
      await stage.says('and tomorrow', 1_000);
      await stage.controls({ kind: 'say', text: 'Not heard.', when: 'now' }, 100);
      await stage.controls({ kind: 'take-over', by: 'sip:desk' }, 100);
      stage.legs.at(-1)?.end();
      await stage.run(3_000);
      return stage.hangsUp();
    },
  ],
  [
    'take-over-crosses-the-end',
    'the caller hangs up while the telephone of the one who takes over rings: nobody is left on a line',
    async () => {
      const stage = await new CallStage({}).start(6_000);
      await stage.controls({ kind: 'recording', recording: 'mask' }, 100);
      await stage.controls({ kind: 'take-over', by: '+15550001111' }, 1_000);
      await stage.hangsUp();
      await stage.run(1_000);
      return stage.controls({ kind: 'mute' }, 100);
    },
  ],
  [
    'take-over-crosses-a-transfer',
    'the agent transfers the caller while the telephone of the one who takes over rings: that one is hung up',
    async () => {
      const script = usesTool('One moment, please.', 'transfer_call', { reason: 'asked' });
      const stage = await new CallStage({ model: script }).start(6_000);
      await stage.controls({ kind: 'take-over', by: 'sip:desk' }, 500);
      await stage.says('a person please', 2_000);
      return stage.hangsUp();
    },
  ],
  [
    'goodbye',
    'the model ends the call: its goodbye is heard first',
    async () => {
      const stage = await new CallStage({ model: usesTool('Goodbye then.', 'end_call') }).start(6_000);
      return stage.says("that's all", 3_000);
    },
  ],
  [
    'model-fails',
    'the model fails: the receptionist answers what it knows; what it does not know twice in a row goes to a person',
    async () => {
      const stage = await new CallStage({ model: () => 'fails', referStatus: 200 }).start(6_000);
      await stage.says('when do you open', 15_000);
      await stage.says('is my brother there already', 10_000);
      return stage.says('he has a red jacket', 10_000);
    },
  ],
  [
    'model-fails-once',
    'the model fails in one turn: the receptionist answers that one, and the model the next',
    async () => {
      let turns = 0;
      const model: Script = () => (++turns === 1 ? 'fails' : [text('Yes, he is.')]);
      const stage = await new CallStage({ model }).start(6_000);
      await stage.says('when do you open', 15_000);
      await stage.says('is my brother there already', 3_000);
      return stage.hangsUp();
    },
  ],
  [
    'model-fails-message',
    'the model fails and nobody stands in: the caller is asked to say it again, then a person',
    async () => {
      const business = { dialogueFallback: 'message' } as const;
      const stage = await new CallStage({ model: () => 'fails', business, referStatus: 200 }).start(6_000);
      await stage.says('when do you open', 8_000);
      await stage.wants({ kind: 'idle', count: 1, last: false }, 4_000);
      return stage.says('hello?', 8_000);
    },
  ],
  [
    'model-fails-nobody-there',
    'the model fails and the person does not answer either: nobody is called twice, and the agent says goodbye',
    async () => {
      const business = { dialogueFallback: 'message' } as const;
      const stage = await new CallStage({ model: () => 'fails', business }).start(6_000);
      await stage.says('when do you open', 8_000);
      await stage.says('hello?', 8_000);
      stage.legs[0]?.end({ sipStatus: 486 });
      await stage.run(8_000);
      return stage.says('so what now', 12_000);
    },
  ],
  [
    'slow-model',
    'a model takes 7 s for its first word: the caller is asked for patience twice, and answered',
    async () => {
      const stage = await new CallStage({ model: () => [text('We open at nine.')], firstWordMs: 7_000 }).start(6_000);
      await stage.says('when do you open', 12_000);
      return stage.hangsUp();
    },
  ],
  [
    'transfer-by-refer',
    'a transfer that the caller’s exchange carries out itself',
    async () => {
      const model = usesTool('One moment, please.', 'transfer_call');
      const stage = await new CallStage({ model, referStatus: 200 }).start(6_000);
      return stage.says('a person please', 3_000);
    },
  ],
  [
    'transfer-by-call',
    'REFER is refused: the person is called, hears who waits, and is joined with the caller until they hang up',
    async () => {
      const model = usesTool('One moment, please.', 'transfer_call');
      const stage = await new CallStage({ model, callerName: 'Ada', referStatus: 405 }).start(6_000);
      await stage.says('a person please', 3_000);
      stage.legs[0]?.report({ type: 'ringing', status: 180, earlyAudio: null });
      await stage.run(2_000);
      stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(15_000);
      stage.legs[0]?.end();
      return stage.run(200);
    },
  ],
  [
    'transfer-not-allowed',
    'the number of the person may not be called: nobody is asked to, and the caller gets the agent back',
    async () => {
      const model: Script = ({ messages }) => {
        if (messages.some((message) => message.role === 'note')) return [text('I am sorry, nobody is there.')];
        return [text('One moment, please.'), tool('transfer_call')];
      };
      const stage = await new CallStage({ model, transferObstacle: 'premium rate numbers' }).start(6_000);
      await stage.says('a person please', 8_000);
      return stage.hangsUp();
    },
  ],
  [
    'transfer-fails',
    'nobody takes the transfer: the caller is asked for patience, and gets the agent back',
    async () => {
      const model: Script = ({ messages }) => {
        if (messages.some((message) => message.role === 'note')) return [text('Nobody is there. Anything else?')];
        return [text('One moment, please.'), tool('transfer_call')];
      };
      const stage = await new CallStage({ model }).start(6_000);
      await stage.says('a person please', 5_000);
      await stage.wants({ kind: 'idle', count: 1, last: false }, 5_000);
      stage.legs[0]?.end({ sipStatus: 486 });
      await stage.run(3_000);
      return stage.hangsUp();
    },
  ],
  [
    'handover-accepted',
    'a destination: the person is told who calls and why, asks one thing, and takes the call with a key',
    async () => {
      const model = usesTool('One moment, please.', 'transfer_call', {
        destination: 'billing',
        reason: 'a wrong invoice',
      });
      const stage = await new CallStage({ model, callerName: 'Ada', business: BILLING }).start(6_000);
      await stage.says('my invoice of march is wrong, a person please', 3_000);
      stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(600);
      await stage.amd('human', 16_000);
      await stage.personSays('which invoice is it?', 6_000);
      await stage.personPresses('1', 5_000);
      stage.legs[0]?.end();
      return stage.run(200);
    },
  ],
  [
    'handover-declined',
    'nobody picks up at the first one; the second one declines and has a word for the caller, which the agent says',
    async () => {
      const stage = await new CallStage({ dialogue: new Receptionist(), business: BILLING }).start(8_000);
      await stage.says('can I speak to billing please', 6_000);
      stage.legs[0]?.end({ sipStatus: 480 });
      await stage.run(500);
      stage.legs[1]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(600);
      await stage.amd('human', 14_000, 'call_1:human:1:0');
      await stage.personSays('no, tell them that I call back at four', 12_000, 'call_1:human:1:0');
      return stage.hangsUp();
    },
  ],
  [
    'handover-machine',
    'a machine answers for the person: it is told nothing, and the caller has the agent again',
    async () => {
      const stage = await new CallStage({
        dialogue: new Receptionist(),
        business: { ...BILLING, transferNumber: null },
      }).start(8_000);
      await stage.says('can I speak to anna please', 6_000);
      stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
      await stage.run(2_000);
      await stage.amd('machine', 8_000);
      return stage.hangsUp();
    },
  ],
  [
    'voicemail',
    'a machine answers a campaign: the message is left after the tone',
    async () => {
      const campaign = { voicemailAction: 'leave_message', voicemailMessage: 'Please call us back.' } as const;
      const stage = await new CallStage({ medium: 'outbound', contactId: 'cnt_1', campaign }).start(100);
      stage.leg?.report({ type: 'ringing', status: 180, earlyAudio: null });
      await stage.run(4_000);
      stage.leg?.report({ type: 'answered', audio: AUDIO });
      await stage.run(2_000);
      await stage.reports({ type: 'amd', callId: 'call_1', verdict: 'machine', atMs: 2_000 }, 3_000);
      return stage.reports({ type: 'beep', callId: 'call_1', atMs: 5_000 }, 3_000);
    },
  ],
  [
    'busy',
    'a callee is busy',
    async () => {
      const stage = await new CallStage({ medium: 'outbound', contactId: 'cnt_1' }).start(100);
      stage.leg?.end({ sipStatus: 486 });
      return stage.run(100);
    },
  ],
  [
    'opt-out-by-key',
    'a key that was offered: the wish is written before the call ends; a number that begins with it is none',
    async () => {
      const business = { greetingTemplate: 'Willow here. Press 9 and we will not call you again.' };
      const stage = await new CallStage({ medium: 'outbound', contactId: 'cnt_1', business }).start(100);
      stage.leg?.report({ type: 'answered', audio: AUDIO });
      await stage.run(4_000);
      await stage.keys('9175551234#', 3_000);
      return stage.keys('9', 3_000);
    },
  ],
  [
    'digits',
    'the model presses keys: as telephone events, and by INFO where the line takes none',
    async () => {
      const model = usesTool('Let me try.', 'send_digits', { digits: '12#' }, 'I pressed it.');
      const stage = await new CallStage({ model, takesDigits: false }).start(6_000);
      await stage.says('press one two', 3_000);
      return stage.hangsUp();
    },
  ],
  [
    'no-ports',
    'no audio can be opened: the caller hears a refusal, not silence',
    async () => {
      const stage = await new CallStage({ faults: { open: true } }).start(2_000);
      return stage;
    },
  ],
  [
    'limit',
    'a call reaches its longest duration: warned, then ended',
    async () => {
      const stage = await new CallStage({
        business: { maxCallDurationMinutes: 2 },
        model: () => [text('Soon.')],
      }).start(125_000);
      return stage;
    },
  ],
  [
    'german-menu',
    'a German business without a language model: an honest menu of keys, then silence and a goodbye',
    async () => {
      const stage = await new CallStage({ ...GERMAN, dialogue: new Receptionist() }).start(22_000);
      await stage.says('ich hätte gern einen Termin', 20_000);
      await stage.keys('3');
      await stage.wants({ kind: 'digits', digits: '3' }, 30_000);
      await stage.wants({ kind: 'idle', count: 1, last: false }, 25_000);
      return stage.wants({ kind: 'idle', count: 2, last: true }, 12_000);
    },
  ],
  [
    'german-call-back',
    'a German business without a language model: a caller asks to be called back by key',
    async () => {
      const stage = await new CallStage({ ...GERMAN, dialogue: new Receptionist() }).start(5_000);
      await stage.keys('2');
      return stage.wants({ kind: 'digits', digits: '2' }, 12_000);
    },
  ],
  [
    'german-opt-out',
    'a German business without a language model calls: the menu offers a 9, and the wish is written before the goodbye',
    async () => {
      const german = { ...GERMAN, medium: 'outbound', contactId: 'cnt_1' } as const;
      const stage = await new CallStage({ ...german, dialogue: new Receptionist() }).start(100);
      stage.leg?.report({ type: 'answered', audio: AUDIO });
      await stage.run(2_000);
      return stage.wants({ kind: 'digits', digits: '9' }, 8_000);
    },
  ],
  [
    'german-model-fails',
    'a German business whose model fails, with nobody to transfer to: what is known is said in German, then a goodbye',
    async () => {
      const business = { ...GERMAN.business, transferNumber: null };
      const stage = await new CallStage({ ...GERMAN, business, model: () => 'fails' }).start(6_000);
      await stage.says('wann haben Sie geöffnet', 12_000);
      await stage.says('hat meine Kasse geschrieben', 15_000);
      return stage.says('was zahlt sie denn', 12_000);
    },
  ],
];

for (const [file, name, play] of scenes) {
  test(`a whole call: ${name}`, async () => {
    const stage = await play();
    const path = new URL(`timelines/${file}.txt`, import.meta.url);
    const printed = `${name}\n\n${stage.timeline()}`;
    if (process.env.UPDATE_TIMELINES === '1') writeFileSync(path, printed);
    assert.equal(printed, readFileSync(path, 'utf8'));
    assert.equal(stage.clock.pending, 0, 'every timer is gone');
    assert.equal(stage.ended.length, 1);
    assert.deepEqual(stage.shard.openAudio, []);
  });
}
