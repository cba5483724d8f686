// Signals for media tests: tones, seeded noise, and tone detection by frequency (Goertzel).

/** A sine of `frequencyHz`, amplitude 0..1. */
export function tone(frequencyHz: number, sampleRateHz: number, durationMs: number, amplitude = 0.5): Int16Array {
  const samples = new Int16Array(Math.round((sampleRateHz * durationMs) / 1000));
  for (let i = 0; i < samples.length; i++) {
    samples[i] = Math.round(Math.sin((2 * Math.PI * frequencyHz * i) / sampleRateHz) * amplitude * 32767);
  }
  return samples;
}

/** Share of the energy of `samples` at `frequencyHz`, 0..1. */
export function shareAt(samples: Int16Array, frequencyHz: number, sampleRateHz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * frequencyHz) / sampleRateHz);
  let before = 0;
  let last = 0;
  let energy = 0;
  for (const sample of samples) {
    const next = sample + coefficient * last - before;
    before = last;
    last = next;
    energy += sample * sample;
  }
  if (energy === 0) return 0;
  const power = last * last + before * before - coefficient * last * before;
  return (2 * power) / (energy * samples.length);
}

/** Whether `frequencyHz` is audible: about 50 ms of `samples` are loud and nothing but that tone. */
export function hasTone(samples: Int16Array, frequencyHz: number, sampleRateHz: number): boolean {
  const window = sampleRateHz / 20;
  for (let at = 0; at + window <= samples.length; at += window / 2) {
    const part = samples.subarray(at, at + window);
    let peak = 0;
    for (const sample of part) peak = Math.max(peak, Math.abs(sample));
    if (peak > 5000 && shareAt(part, frequencyHz, sampleRateHz) > 0.9) return true;
  }
  return false;
}

/** Decibels of signal over error. */
export function signalToErrorDb(signal: Int16Array, heard: Int16Array): number {
  let power = 0;
  let error = 0;
  for (let i = 0; i < signal.length; i++) {
    const wanted = signal[i] as number;
    power += wanted * wanted;
    error += (wanted - (heard[i] as number)) ** 2;
  }
  return 10 * Math.log10(power / Math.max(1, error));
}
