import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SoundswallowerStt } from '../../models/stt/soundswallower/soundswallower.ts';
import type { Expectation, PolledSttSession, SttVocabulary } from '../../models/stt/stt.ts';
import { mix, noise, say, silence, wordErrorRate } from '../support/models/sounds.ts';

const DENTIST: SttVocabulary = {
  language: 'en-US',
  businessName: 'Bright Smile Dental',
  services: ['Dental cleaning', 'Teeth whitening', 'Root canal', 'Consultation', 'Filling'],
  questions: ['Do you accept insurance?', 'Is there parking?', 'What is your cancellation policy?'],
  phrases: [],
};

let stt: SoundswallowerStt;
before(async () => {
  stt = await SoundswallowerStt.create(1);
});
after(() => stt.close());

async function hear(session: PolledSttSession, audio: Int16Array, expects: Expectation = 'anything') {
  session.begin(expects);
  const partials: string[] = [];
  for (let at = 0; at < audio.length; at += 160) {
    session.write(audio.subarray(at, at + 160));
    partials.push(session.partial());
  }
  return { ...(await session.finish()), partials };
}

const open = (vocabulary = DENTIST, sampleRateHz = 8_000) => stt.open({ callId: 'call', sampleRateHz, vocabulary });

const PHRASES: Array<[string, Expectation]> = [
  ['what are your opening hours', 'anything'],
  ['how much is a dental cleaning', 'anything'],
  ["i'd like to book an appointment", 'anything'],
  ['do you accept insurance', 'anything'],
  ['where are you located', 'anything'],
  ['what is your cancellation policy', 'anything'],
  ['let me speak to a manager', 'anything'],
  ['yes please', 'yes-no'],
  ['no thank you', 'yes-no'],
  ['tomorrow at ten a m', 'date-time'],
  ['next tuesday at half past two', 'date-time'],
  ['two thirty p m', 'time'],
  ['teeth whitening please', 'service'],
  ['five five five one two three four five six seven', 'digits'],
  ['my name is sarah johnson', 'name'],
];

for (const voiceId of ['flite-slt', 'flite-awb', 'flite-kal16']) {
  test(`what ${voiceId} asks is understood`, async () => {
    const session = await open();
    let errors = 0;
    let understood = 0;
    for (const [phrase, expects] of PHRASES) {
      const heard = await hear(session, mix(await say(phrase, { voiceId }), noise(500, 20)), expects);
      // Either word is the same answer.
      errors += wordErrorRate(phrase, heard.text.replace(/^yep/, 'yes'));
      if (heard.understood) understood++;
    }
    assert.ok(errors / PHRASES.length <= 0.05, `word error rate ${errors / PHRASES.length}`);
    assert.ok(understood >= PHRASES.length - 1, `${understood} of ${PHRASES.length} understood`);
    session.close();
  });
}

test('speech outside the grammar is mostly not understood', async () => {
  const session = await open();
  const foreign = [
    'the weather is rather cold in the mountains this winter',
    'my dog ate the homework yesterday evening',
    'I think the government should lower taxes',
    'what a lovely garden',
    'the soup is too salty',
    'where did you put my keys',
    'two tickets to Boston',
    'the printer is out of paper',
  ];
  let passed = 0;
  for (const text of foreign) if ((await hear(session, await say(text))).understood) passed++;
  assert.ok(passed <= 2, `${passed} of ${foreign.length} passed`);
  session.close();
});

test('a yes or no is not heard in whatever is said', async () => {
  const session = await open();
  const foreign = ['my dog ate the homework yesterday evening', 'what a lovely garden', 'the printer is out of paper'];
  for (const text of foreign) assert.equal((await hear(session, await say(text), 'yes-no')).understood, false, text);
  session.close();
});

test('a stranger gives hardly a word while they speak', async () => {
  const session = await open();
  for (const text of ['the weather is rather cold in the mountains', 'we went to the cinema and it was boring']) {
    const { partials } = await hear(session, await say(text));
    const wordy = partials.filter((partial) => partial.includes(' '));
    assert.ok(wordy.length <= partials.length / 10, partials.join(' / '));
  }
  session.close();
});

test('encouragement is heard as such, and a sentence that goes on as unfinished', async () => {
  const session = await open();
  for (const [said, text] of [
    ['uh-huh', 'uh huh'],
    ['I see.', 'i see'],
    ['Got it.', 'got it'],
    ['Makes sense.', 'makes sense'],
    ['I would like a teeth whitening and', 'i would like a teeth whitening and'],
  ] as const) {
    const heard = await hear(session, await say(said));
    assert.deepEqual([heard.text, heard.understood], [text, true]);
  }
  session.close();
});

test('silence and noise give nothing', async () => {
  const session = await open();
  for (const audio of [silence(800), noise(800, 30), noise(800, 300), noise(800, 3_000)]) {
    const { understood } = await hear(session, audio);
    assert.equal(understood, false);
  }
  session.close();
});

test('partials grow while the caller speaks', async () => {
  const session = await open();
  const { partials, text } = await hear(session, await say('how much does teeth whitening cost'));
  const seen = [...new Set(partials)];
  assert.ok(seen.length >= 3, seen.join(' / '));
  assert.ok(seen.some((partial) => partial !== '' && partial !== text && text.startsWith(partial)));
  session.close();
});

test('names missing from the dictionary use letter-to-sound rules', async () => {
  const session = await open({ ...DENTIST, services: ['Zyrtofen massage', 'Balayage'], businessName: 'Krumblewitz' });
  const { text } = await hear(session, await say('how much is a zyrtofen massage'));
  assert.equal(text, 'how much is a zyrtofen massage');
  session.close();
});

test('a browser session at 16 kHz is understood too', async () => {
  const session = await open(DENTIST, 16_000);
  session.begin('anything');
  session.write(await say('what are your opening hours', { sampleRateHz: 16_000 }));
  assert.equal((await session.finish()).text, 'what are your opening hours');
  session.close();
});

test('with more callers than decoders all are heard, and none loses its first words', async () => {
  const audio = await say('where are you located');
  const sessions = await Promise.all(Array.from({ length: 4 }, () => open()));
  for (const session of sessions) session.begin('anything');
  for (const session of sessions) session.write(audio);
  const results = await Promise.all(sessions.map((session) => session.finish()));
  assert.deepEqual(
    results.map(({ text }) => text),
    sessions.map(() => 'where are you located'),
  );
  for (const session of sessions) session.close();
});

test('a cancelled utterance leaves no trace in the next', async () => {
  const session = await open();
  session.begin('anything');
  session.write(await say('what are your opening hours'));
  session.cancel();
  assert.equal((await hear(session, await say('where are you located'))).text, 'where are you located');
  session.close();
});
