// Barge-in: from the caller starting to speak over the agent to the first packet in a lowered voice, and to the first
// silent one at the caller; and proof that no stale frame of the old reply is heard after that.
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import {
  type Caller,
  type Clip,
  chooseSilenceThreshold,
  INSTANT,
  pause,
  runCallers,
  withService,
} from '../rig/conversation/scenario.ts';
import { type Row, rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- barge-in [--calls N,…] [--rounds N] [--telephony KIND]
  N callers at once (default 1,20), each interrupts the agent N times (default 8), over embedded (default), drachtio or freeswitch`;

/** A reply of about 12 s, so that there is always something to interrupt. */
export const LONG_REPLY =
  'We are open from nine in the morning until six in the evening on every day of the week but Sunday when we are closed all day long as you may know already from before';
export const CLIP = 'Excuse me, I would like to ask you something else about my appointment.';

/** At most this share of the voice's level: the agent lowers it by 12 dB. */
const LOWERED = 0.4;

/** The clip has a comma, and the fake recogniser hears a whole question in two words: no turn may end there. */
export const THRESHOLD_MS = 900;

export interface Outcome {
  loweredMs: number[];
  silentMs: number[];
  staleFrames: number;
  missed: number;
}

/** Speaks over the agent's long reply, again and again. */
export async function interrupt(caller: Caller, rounds: number, clip: Clip, outcome: Outcome): Promise<void> {
  let fromMs = 0;
  for (let round = 0; round < rounds; round++) {
    const soundAt = await caller.agentSound(fromMs);
    await pause(1_200 + ((round * 373) % 900) + Math.max(0, soundAt - performance.now()));
    const startedAt = performance.now();
    const endedAt = await caller.call.speak(clip.samples, clip);
    const after = caller.frames.filter((frame) => frame.atMs >= startedAt && frame.atMs <= endedAt);
    const voice = Math.max(...caller.frames.filter((frame) => frame.atMs < startedAt).map((frame) => frame.rms));
    const lowered = after.find((frame) => frame.rms < LOWERED * voice);
    if (lowered) outcome.loweredMs.push(lowered.atMs - startedAt);
    const silentIndex = after.findIndex((frame) => !frame.isSound);
    const silent = after[silentIndex];
    if (!silent) outcome.missed++;
    else {
      outcome.silentMs.push(silent.atMs - startedAt);
      outcome.staleFrames += after.slice(silentIndex).filter((frame) => frame.isSound).length;
    }
    fromMs = endedAt;
  }
}

const DEFAULTS = { calls: [1, 20], rounds: 8, telephony: 'embedded' } as const;

export default part(USAGE, DEFAULTS, async ({ calls, rounds: roundCount, telephony }) => {
  const clip = { samples: await renderSpeech(CLIP, 'flite-slt') };
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  const notes: string[] = [];
  for (const count of calls) {
    await withService({ ...INSTANT, FAKE_LLM_REPLY: LONG_REPLY, TELEPHONY: telephony }, async (service) => {
      await chooseSilenceThreshold(service, THRESHOLD_MS);
      const outcome: Outcome = { loweredMs: [], silentMs: [], staleFrames: 0, missed: 0 };
      const rounds = roundCount * (count === 1 ? 4 : 1);
      const failures = await runCallers(service, count, (caller) => interrupt(caller, rounds, clip, outcome));
      const calls = `${count} call${count === 1 ? '' : 's'}`;
      const name = `barge-in, lowered or silent, ${calls}`;
      samples[name] = outcome.loweredMs;
      rows.push(rowOf(name, outcome.loweredMs, 'p50 <= 80, p95 <= 120'));
      rows.push(rowOf(`barge-in, silent, ${calls}`, outcome.silentMs));
      notes.push(`${calls}: ${outcome.staleFrames} stale frames, ${outcome.missed} not noticed`);
      for (const failure of failures) notes.push(`a call failed: ${failure.message}`);
    });
  }
  return { title: 'Barge-in', rows, samples, notes };
});
