// Gain and cost of noise suppression: sentences in noise, recognised by the built-in recogniser with and without it.

import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { Denoiser } from '../../../media/denoise.ts';
import { rms } from '../../../media/frame.ts';
import { SoundswallowerStt } from '../../../models/stt/soundswallower/soundswallower.ts';
import { table } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';

const USAGE = `usage: npm run bench -- denoise [--snr DB,…]
  level of the noise below the speech, dB (default 20,15,10,5)`;

const SENTENCES = [
  'what are your opening hours',
  'where are you located',
  'how much does a haircut cost',
  'i would like to book an appointment',
  'are you open on sunday',
  'can i speak to a person',
];
const VOICES = ['flite-slt', 'flite-rms', 'flite-awb'];
const VOCABULARY = { language: 'en-US', businessName: 'Bench', services: ['haircut'], questions: [], phrases: [] };
const FRAME = 160;
const LEAD_SAMPLES = 8_000;

export default part(USAGE, { snr: [20, 15, 10, 5] }, async ({ snr }) => {
  const stt = await SoundswallowerStt.create(1);
  const session = await stt.open({ callId: 'bench', sampleRateHz: 8_000, vocabulary: VOCABULARY });
  const isHeard = async (samples: Int16Array, text: string): Promise<boolean> => {
    session.begin('anything');
    session.write(samples);
    const { text: heard, understood } = await session.finish();
    return understood && heard === text;
  };
  const spoken: Array<{ text: string; samples: Int16Array }> = [];
  for (const text of SENTENCES)
    for (const voice of VOICES) spoken.push({ text, samples: await renderSpeech(text, voice) });
  const rows: Array<Array<string | number>> = [];
  for (const [name, noise] of Object.entries({
    white: whiteNoise,
    hum: hum,
    babble: babbleOf(spoken.map((s) => s.samples)),
  })) {
    for (const db of snr) {
      let [plain, clean] = [0, 0];
      for (const [index, { text, samples }] of spoken.entries()) {
        const noisy = mixed(samples, noise(samples.length + LEAD_SAMPLES, index), db);
        if (await isHeard(noisy.slice(LEAD_SAMPLES), text)) plain++;
        if (await isHeard(suppressed(noisy).slice(LEAD_SAMPLES), text)) clean++;
      }
      rows.push([name, db, `${plain} of ${spoken.length}`, `${clean} of ${spoken.length}`]);
    }
  }
  await stt.close();
  const seconds = 20;
  const audio = whiteNoise(seconds * 8_000, 1);
  const startedAt = process.cpuUsage();
  suppressed(audio);
  const { user, system } = process.cpuUsage(startedAt);
  const corePercent = (user + system) / 1e4 / seconds;
  const lines = [
    ...table(['noise', 'dB below the speech', 'understood', 'with suppression'], rows),
    '',
    `Suppression takes ${corePercent.toFixed(1)} % of a core for each call.`,
  ];
  return { title: 'Noise suppression', lines, data: { understood: rows, corePercent } };
});

function suppressed(samples: Int16Array): Int16Array {
  const denoiser = new Denoiser(8_000);
  const out = Int16Array.from(samples);
  for (let at = 0; at + FRAME <= out.length; at += FRAME) denoiser.process(out.subarray(at, at + FRAME));
  denoiser.close();
  return out;
}

/** Speech after a second of noise alone, in which the suppression learns the noise. */
function mixed(speech: Int16Array, noise: Int16Array, snrDb: number): Int16Array {
  const gain = (rms(speech) / rms(noise)) * 10 ** (-snrDb / 20);
  return noise.map((sample, n) => Math.max(-32_768, Math.min(32_767, sample * gain + (speech[n - LEAD_SAMPLES] ?? 0))));
}

function whiteNoise(samples: number, seed: number): Int16Array {
  let state = seed + 1;
  return Int16Array.from({ length: samples }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 8_000;
  });
}

/** Mains hum with its harmonics. */
function hum(samples: number, seed: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, n) =>
    [50, 100, 150, 200].reduce(
      (sum, hz, k) => sum + (2_000 / (k + 1)) * Math.sin((2 * Math.PI * hz * (n + seed * 7)) / 8_000),
      0,
    ),
  );
}

/** Five of the sentences at once. */
function babbleOf(voices: readonly Int16Array[]): (samples: number, seed: number) => Int16Array {
  return (samples, seed) =>
    Int16Array.from({ length: samples }, (_, n) =>
      [1, 4, 7, 10, 13].reduce((sum, step) => {
        const voice = voices[(seed + step) % voices.length];
        return sum + (voice ? (voice[(n + step * 997) % voice.length] ?? 0) / 5 : 0);
      }, 0),
    );
}
