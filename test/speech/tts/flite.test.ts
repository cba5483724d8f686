import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinSamples } from '../../../media/frame.ts';
import { FLITE_VOICES } from '../../../models/install/catalogue.ts';
import { FliteTts } from '../../../models/tts/flite/flite.ts';

const tts = new FliteTts();
const TEXT = 'We are open from nine in the morning until half past five. Would you like an appointment?';

async function speak(text: string, voiceId: string, sampleRateHz = 8_000, speed = 1, pace?: 'talk') {
  const pieces: Int16Array[] = [];
  const { signal } = new AbortController();
  const request = { text, voiceId, speed, sampleRateHz, ...(pace && { pace }) };
  await tts.speak(request, { signal, onAudio: (samples) => pieces.push(samples) });
  return joinSamples(pieces);
}

function rmsOfSpeech(samples: Int16Array): number {
  const frames: number[] = [];
  for (let at = 0; at + 160 <= samples.length; at += 160) {
    const frame = samples.subarray(at, at + 160);
    frames.push(Math.sqrt(frame.reduce((sum, sample) => sum + sample * sample, 0) / 160));
  }
  const voiced = frames.filter((rms) => rms > 300);
  return Math.sqrt(voiced.reduce((sum, rms) => sum + rms * rms, 0) / voiced.length);
}

for (const { id } of FLITE_VOICES) {
  test(`${id} speaks at a telephone's level, unclipped, without a delay before the first sound`, async () => {
    const samples = await speak(TEXT, id);
    const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(peak < 32_000, `peak ${peak}`);
    const level = 20 * Math.log10(rmsOfSpeech(samples) / 32_768);
    assert.ok(level > -23 && level < -15, `${level} dBFS`);
    const first = samples.findIndex((sample) => Math.abs(sample) > 500);
    assert.ok(first < 0.13 * 8_000, `first sound after ${first} samples`);
    assert.ok(samples.length > 3 * 8_000 && samples.length < 9 * 8_000, `${samples.length} samples`);
  });
}

test('a voice that nobody has heard for a while says the same as before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const rested = new FliteTts();
  const say = () => rested.render('We are open until five.', 'slt', 1);
  const before = say();
  t.mock.timers.tick(11 * 60_000);
  assert.deepEqual(say(), before);
  await rested.close();
});

test('what is said again and again sounds as at the first time, with every voice', async () => {
  const texts = [
    'Of course.',
    'This is Zhuravlev of Przemysl.',
    'We are open from nine, number 42 on 3 Main St., until half past five.',
    'Hello?',
  ];
  const fresh = (text: string, voice: string) => new FliteTts().render(text, voice, 1);
  const again = new FliteTts();
  for (const voice of ['slt', 'rms', 'awb', 'kal16', 'slt']) {
    for (const text of texts) assert.deepEqual(again.render(text, voice, 1), fresh(text, voice), `${voice}: ${text}`);
  }
});

test('an accent changes no letter into its name', () => {
  const said = (text: string) => tts.render(text, 'rms', 1);
  assert.deepEqual(said('This is Zoë Müller.'), said('This is Zoe Muller.'));
});

test('a name of another language sounds as its table has it, and an English one as before', () => {
  const said = (text: string) => tts.render(text, 'rms', 1);
  const length = (text: string) => said(text).length;
  // Said by English letters, "Qiaozhen" has the sounds of a "k" and none of a "ch".
  assert.notDeepEqual(said('This is Qiaozhen.'), said('This is qiaozhen.'));
  assert.ok(length('This is Puyallup.') !== length('This is puyallup.'));
  for (const name of ['Johnson', 'Elizabeth', 'Chicago', 'Amanda'])
    assert.deepEqual(said(`This is ${name}.`), said(`This is ${name.toLowerCase()}.`), name);
});

test('a name is said in one, however it begins, and initials letter by letter', () => {
  const length = (name: string): number => tts.render(`This is ${name}.`, 'rms', 1).length;
  for (const name of ['McKnight', 'McWhirrell', 'Nguyen', 'Gdansk', 'Dmitri', 'Mstovar', "D'Costa", 'Chandigarh'])
    assert.ok(length(name) < 1.4 * length('Midnight'), name);
  assert.ok(length('XKTL') > 1.1 * length('Midnight'));
});

test('a name can be heard as its language has it and as English has its letters, and is never heard spelled', () => {
  const ways = (word: string): string[] => tts.waysToSay(word).map((way) => way.join(' '));
  assert.deepEqual(ways('kowalczyk'), ['K OW V AA L CH IH K', 'K AW AH L CH IH K']);
  assert.deepEqual(ways('nguyen'), ['N UW Y EH N']);
  assert.deepEqual(ways('johnson'), ['JH AA N S AH N']);
});

test('a number is said slower than a sentence, but not by a caller', async () => {
  const [number, sentence] = ['It is four four two seven.', 'It is for you to see often.'];
  const slower = async (text: string, pace?: 'talk'): Promise<number> =>
    (await speak(text, 'flite-rms', 8_000, 1, pace)).length / tts.render(text, 'rms', 1).length;
  assert.ok((await slower(number)) > 1.05 * (await slower(sentence)));
  assert.ok((await slower(sentence)) > 1.05 * (await slower(sentence, 'talk')));
  assert.ok((await slower(number, 'talk')) < 1.05 * (await slower(sentence, 'talk')));
});

/** How many silences of `leastMs` lie between the sounds of the text. */
async function restsOf(text: string, leastMs: number, voiceId = 'flite-rms', pace?: 'talk'): Promise<number> {
  const samples = await speak(text, voiceId, 8_000, 1, pace);
  let [found, quietMs] = [0, 0];
  for (let at = 0; at + 80 <= samples.length; at += 80) {
    const peak = samples.subarray(at, at + 80).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    if (peak >= 200 && quietMs >= leastMs) found++;
    quietMs = peak < 200 ? quietMs + 10 : 0;
  }
  return found;
}

test('between spelled letters there is silence', async () => {
  assert.ok((await restsOf('Your code is M L N M 9.', 40)) >= (await restsOf('Your code is mall, nine.', 40)) + 3);
});

test('between the groups of a code there is time to write along, by every voice, but not by a caller', async () => {
  for (const { id } of tts.voices) {
    assert.ok((await restsOf('It is C L M 7 3 0 2 9 4.', 250, id)) >= 4, id);
    assert.ok((await restsOf('It is C L M 7 3 0 2 9 4.', 250, id, 'talk')) < 4, id);
  }
});

test('speed changes the duration of the speech', async () => {
  const normal = await speak(TEXT, 'flite-rms');
  const fast = await speak(TEXT, 'flite-rms', 8_000, 1.5);
  const slow = await speak(TEXT, 'flite-rms', 8_000, 0.7);
  assert.ok(Math.abs(normal.length / fast.length - 1.5) < 0.2, `${normal.length / fast.length}`);
  assert.ok(Math.abs(slow.length / normal.length - 1 / 0.7) < 0.2, `${slow.length / normal.length}`);
});

test('16 kHz is twice the samples of 8 kHz', async () => {
  const ratio = (await speak(TEXT, 'flite-slt', 16_000)).length / (await speak(TEXT, 'flite-slt', 8_000)).length;
  assert.ok(Math.abs(ratio - 2) < 0.01, `${ratio}`);
});

test('a cancelled request stops between two pieces', async () => {
  const cancel = new AbortController();
  let samples = 0;
  const text = Array.from({ length: 20 }, (_, n) => `This is sentence number ${n}.`).join(' ');
  await tts.speak(
    { text, voiceId: 'flite-kal16', speed: 1, sampleRateHz: 8_000 },
    {
      signal: cancel.signal,
      onAudio: (piece) => {
        samples += piece.length;
        cancel.abort();
      },
    },
  );
  assert.ok(samples > 0 && samples <= 800, `${samples} samples`);
});

test('an unknown flite voice is a typed error; text without words is silence', async () => {
  await assert.rejects(speak('hello', 'flite-nobody'), { code: 'TTS_VOICE_UNKNOWN' });
  assert.equal((await speak(' ... ', 'flite-rms')).length, 0);
});

test('repeated runs give identical audio', () => {
  const first = tts.render('One more time.', 'kal16', 1);
  for (let n = 0; n < 5; n++) assert.deepEqual(tts.render('One more time.', 'kal16', 1), first);
});
