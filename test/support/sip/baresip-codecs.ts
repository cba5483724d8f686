// The codecs of baresip, and a microphone file for each.
import { resampleWhole } from '../../../engine/test-runs/caller/speech.ts';
import { encodeWav } from '../../../media/wav.ts';

export type BaresipCodec = 'PCMU' | 'G722' | 'OPUS';

/** baresip's names of the codecs, and the required format of its microphone. */
export const BARESIP_CODECS: Record<
  BaresipCodec,
  { account: string; module: string; rateHz: number; channels: number }
> = {
  PCMU: { account: 'PCMU/8000/1', module: 'g711', rateHz: 8_000, channels: 1 },
  G722: { account: 'G722/16000/1', module: 'g722', rateHz: 16_000, channels: 1 },
  OPUS: { account: 'opus/48000/2', module: 'opus', rateHz: 48_000, channels: 2 },
};

const GIVEN_HZ = 8_000;

/** A WAV of at least `seconds`, silent except for `speech` (8 kHz), which begins after `leadMs`. */
export function microphoneWav(
  codec: BaresipCodec,
  { microphone, leadMs, seconds }: { microphone: Int16Array; leadMs: number; seconds: number },
): Uint8Array {
  const { rateHz, channels } = BARESIP_CODECS[codec];
  const speech = resampleWhole(microphone, GIVEN_HZ, rateHz);
  const lead = Math.round((leadMs / 1000) * rateHz);
  const samples = new Int16Array(Math.max(seconds * rateHz, lead + speech.length) * channels);
  for (let n = 0; n < speech.length * channels; n++) {
    samples[lead * channels + n] = speech[Math.floor(n / channels)] as number;
  }
  return encodeWav({ channels, sampleRateHz: rateHz }, samples);
}
