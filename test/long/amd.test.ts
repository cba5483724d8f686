import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tone } from '../../bench/rig/conversation/tones.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../media/frame.ts';
import {
  AMD,
  AMD_WAITING,
  type AmdEffect,
  type AmdEvent,
  type AmdState,
  amdDeadline,
  stepAmd,
} from '../../models/amd/amd.ts';
import { BeepDetector } from '../../models/amd/beep.ts';
import { AMD_PHRASES, hintIn } from '../../models/amd/hints.ts';
import { AnsweringMachineWatch } from '../../models/amd/watch.ts';
import { SoundswallowerStt } from '../../models/stt/soundswallower/soundswallower.ts';
import { type HysteresisState, SILENT, stepHysteresis } from '../../models/vad/hysteresis.ts';
import { Silero, VadStream } from '../../models/vad/silero.ts';
import { greetings } from '../support/models/greetings.ts';
import { noise, say, silence } from '../support/models/sounds.ts';

const beepsIn = (audio: Int16Array) => new BeepDetector().write(audio);

for (const frequencyHz of [440, 480, 620, 850, 1_000, 1_400, 1_633, 2_000]) {
  test(`a beep of ${frequencyHz} Hz is found by frequency and position, even in noise`, () => {
    const clean = joinSamples([silence(500), tone([frequencyHz], 400, 6_000), silence(500)]);
    const noisy = clean.map((sample, n) => sample + (noise(10, 600, 2)[n % 80] ?? 0));
    for (const audio of [clean, noisy]) {
      const [beep, ...more] = beepsIn(audio);
      assert.ok(beep, 'no beep');
      assert.deepEqual(more, []);
      assert.ok(Math.abs(beep.frequencyHz - frequencyHz) < 15, `${beep.frequencyHz} Hz`);
      assert.ok(Math.abs(beep.startSample - 4_000) <= 320, `from ${beep.startSample}`);
      assert.ok(Math.abs(beep.endSample - 7_200) <= 320, `to ${beep.endSample}`);
    }
  });
}

const NO_BEEPS: Record<string, () => Promise<Int16Array> | Int16Array> = {
  ringback: () => joinSamples([tone([440, 480], 2_000, 5_000), silence(1_000)]),
  'busy tone': () =>
    joinSamples(Array.from({ length: 4 }, () => joinSamples([tone([480, 620], 500, 5_000), silence(500)]))),
  'European ringback': () => joinSamples([tone([425], 1_000, 9_000), silence(1_000)]),
  'dial tone': () => joinSamples([tone([440], 4_000, 9_000), silence(200)]),
  digits: () => joinSamples([697, 770, 852, 941].flatMap((low) => [tone([low, 1_336], 200, 5_000), silence(80)])),
  'white noise': () => noise(4_000, 8_000),
  'a click of 40 ms': () => joinSamples([silence(100), tone([1_000], 40, 9_000), silence(300)]),
  melody: () => joinSamples([523, 587, 659, 698, 784].flatMap((note) => [tone([note, note * 2], 250, 4_000)])),
  speech: () => say('You have reached the voicemail of nobody in particular, oh no, who are you? Moo, moo.'),
  'low speech': () => say('Hello, how are you doing today? No, no, no.', { voiceId: 'flite-awb' }),
};
for (const [name, audio] of Object.entries(NO_BEEPS)) {
  test(`${name} is not a beep`, async () => assert.deepEqual(beepsIn(await audio()), []));
}

function run(events: readonly AmdEvent[]): AmdEffect[] {
  let state: AmdState = AMD_WAITING;
  return events.flatMap((event) => {
    const [next, effects] = stepAmd(state, event);
    state = next;
    return effects;
  });
}

const answered: AmdEvent = { type: 'answered', nowMs: 0 };
const started = (at: number): AmdEvent => ({ type: 'speech-started', nowMs: at + 90, speechAtMs: at });
const stopped = (at: number): AmdEvent => ({ type: 'speech-stopped', nowMs: at + 96, lastSpeechAtMs: at });
const tick = (nowMs: number): AmdEvent => ({ type: 'tick', nowMs });
const words = (nowMs: number, text: string): AmdEvent => ({ type: 'words', nowMs, text });

test('"Hello?" is a person 230 ms after the last speech', () => {
  assert.deepEqual(run([answered, started(500), stopped(900), tick(1_110), tick(1_130)]), [
    { type: 'verdict', verdict: 'human', atMs: 1_130, isRevision: false, reason: 'short-greeting' },
  ]);
});

test('talk of over 5 s is a machine, and the beep lets the message start', () => {
  const effects = run([
    answered,
    started(500),
    tick(5_500),
    stopped(6_000),
    { type: 'beep', nowMs: 7_020, endAtMs: 7_000 },
  ]);
  assert.deepEqual(effects, [
    { type: 'verdict', verdict: 'machine', atMs: 5_500, isRevision: false, reason: 'long-greeting' },
    { type: 'verdict', verdict: 'machine-beep', atMs: 7_020, isRevision: true, reason: 'beep' },
    { type: 'message-may-start', atMs: 7_020, afterBeep: true },
  ]);
});

test('a machine without a beep gets its message after 3 s of silence', () => {
  const effects = run([
    answered,
    started(500),
    words(2_000, "I'm not available right now"),
    stopped(4_000),
    tick(6_900),
    tick(7_000),
  ]);
  assert.deepEqual(
    effects.map((effect) => [effect.type, effect.atMs]),
    [
      ['verdict', 2_000],
      ['message-may-start', 7_000],
    ],
  );
});

test('a short "Hi" before a recording is revised by its words', () => {
  const effects = run([
    answered,
    started(500),
    stopped(900),
    tick(1_160),
    started(1_300),
    words(3_000, "you've reached the voicemail of"),
  ]);
  assert.deepEqual(
    effects.map((effect) => (effect.type === 'verdict' ? [effect.verdict, effect.isRevision] : effect.type)),
    [
      ['human', false],
      ['machine', true],
    ],
  );
});

test('silence gives no verdict, and a later voicemail is still detected', () => {
  const effects = run([answered, tick(2_500), started(4_000), words(6_000, 'leave a message')]);
  assert.deepEqual(
    effects.map((effect) => (effect.type === 'verdict' ? effect.verdict : effect.type)),
    ['uncertain', 'machine'],
  );
});

test('a recording talks on over the agent; a person answers it, at any length', () => {
  const verdicts = (effects: AmdEffect[]) => effects.flatMap((one) => (one.type === 'verdict' ? [one.verdict] : []));
  const recording = [answered, started(500), stopped(1_500), tick(1_800), started(2_000), stopped(4_000)];
  assert.deepEqual(verdicts(run([...recording, started(4_600), tick(6_600)])), ['human', 'machine']);
  const person = [answered, started(500), stopped(900), tick(1_200), started(4_000), tick(9_000), stopped(9_500)];
  assert.deepEqual(verdicts(run([...person, started(11_000), tick(15_000)])), ['human']);
});

test('after 15 s a verdict stays', () => {
  const effects = run([
    answered,
    started(500),
    stopped(900),
    tick(1_150),
    tick(16_200),
    words(16_300, 'leave a message'),
  ]);
  assert.equal(effects.length, 1);
});

test('menus and screening are distinguished from voicemail', () => {
  assert.equal(hintIn('for sales press one'), 'screening');
  assert.equal(hintIn('Please state your name.'), 'screening');
  assert.equal(hintIn('please leave a message after the beep'), 'machine');
  assert.equal(hintIn('hello, Anna here'), null);
  assert.equal(hintIn('hello how can i help you'), 'person');
  assert.equal(hintIn("I'm sorry, he is not available. Can I take a message?"), 'person');
  assert.equal(hintIn('who is this? leave a message after the tone'), 'machine');
  assert.ok(
    AMD_PHRASES.every((phrase) => hintIn(phrase) !== null || /forwarded|mailbox|get back|call you back/.test(phrase)),
  );
});

test('in any order of events: one first verdict, at most one message, deadlines ahead or due', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 500; round++) {
    let state: AmdState = AMD_WAITING;
    let nowMs = 0;
    const effects: AmdEffect[] = [];
    const feed = (event: AmdEvent) => {
      const [next, more] = stepAmd(state, event);
      state = next;
      effects.push(...more);
    };
    feed({ type: 'answered', nowMs });
    for (let step = 0; step < 60; step++) {
      nowMs += Math.floor(random() * 900);
      const kind = Math.floor(random() * 12);
      if (kind < 4) feed({ type: 'tick', nowMs });
      else if (kind < 7) feed({ type: 'speech-started', nowMs, speechAtMs: nowMs - 90 });
      else if (kind < 10) feed({ type: 'speech-stopped', nowMs, lastSpeechAtMs: nowMs - 96 });
      else if (kind === 10) feed({ type: 'words', nowMs, text: random() < 0.2 ? 'leave a message' : 'hello there' });
      else if (random() < 0.2) feed({ type: 'beep', nowMs, endAtMs: nowMs });
    }
    for (let n = 0; n < 10; n++) {
      const deadline = amdDeadline(state);
      if (deadline === null) break;
      nowMs = Math.max(nowMs, deadline);
      feed({ type: 'tick', nowMs });
    }
    const verdicts = effects.filter((effect) => effect.type === 'verdict');
    assert.equal(verdicts.filter(({ isRevision }) => !isRevision).length, 1);
    assert.ok(effects.filter(({ type }) => type === 'message-may-start').length <= 1);
    assert.equal(verdicts[0]?.isRevision, false);
  }
});

test('the labelled set: people are answered within 300 ms, machines are found', async () => {
  const silero = await Silero.load();
  const stt = await SoundswallowerStt.create(1);
  const vocabulary = { language: 'en-US', businessName: '', services: [], questions: [], phrases: [...AMD_PHRASES] };
  const wrong: string[] = [];
  for (const { name, label, audio, greetingEndMs } of await greetings()) {
    const watch = new AnsweringMachineWatch();
    const session = await stt.open({ callId: name, sampleRateHz: 8_000, vocabulary });
    const stream = new VadStream();
    let hysteresis: HysteresisState = SILENT;
    let spoken = '';
    let window = 0;
    const effects = watch.answered(0);
    for (let at = 0; at + 160 <= audio.length && !watch.isDone; at += 160) {
      const nowMs = (at + 160) / 8;
      const frame = audio.subarray(at, at + 160);
      effects.push(...watch.audio(frame, nowMs));
      if (hysteresis.phase === 'speaking') session.write(frame);
      while ((window + 1) * 256 <= at + 160) {
        const samples = audio.subarray(window * 256, (window + 1) * 256);
        const [probability = 0] = await silero.score([{ stream, samples }]);
        window++;
        const [next, events] = stepHysteresis(hysteresis, { probability, endSample: window * 256 });
        hysteresis = next;
        for (const event of events) {
          if (event.type === 'speech-started') {
            effects.push(...watch.speechStarted(event.onsetSample / 8, nowMs));
            session.begin('anything');
            session.write(audio.subarray(Math.max(0, event.onsetSample - 1_600), at + 160));
          }
          if (event.type !== 'speech-stopped') continue;
          effects.push(...watch.speechStopped(event.lastSpeechSample / 8, nowMs));
          const result = await session.finish();
          if (result.understood) spoken = `${spoken} ${result.text}`;
          effects.push(...watch.words(spoken, nowMs));
        }
      }
      const deadline = watch.deadlineMs;
      if (deadline !== null && nowMs >= deadline) effects.push(...watch.tick(nowMs));
    }
    session.close();
    const verdicts = effects.filter((effect) => effect.type === 'verdict');
    const first = verdicts[0];
    const last = verdicts.at(-1);
    if (last?.verdict !== label)
      wrong.push(
        `${name}: ${verdicts.map(({ verdict, atMs, reason }) => `${verdict}@${atMs} (${reason})`).join(', ')}; heard "${spoken}"`,
      );
    if (label === 'human') {
      const delayMs = (first?.atMs ?? 1e9) - greetingEndMs;
      assert.ok(delayMs <= 330, `${name}: a person waits ${delayMs} ms`);
    }
  }
  await stt.close();
  await silero.release();
  assert.ok(wrong.length <= 2, wrong.join('\n'));
  assert.ok(AMD.shortSilenceMs <= 300 && AMD.longSilenceMs <= 300);
});
