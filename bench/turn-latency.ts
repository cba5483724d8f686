// Turn overhead: from the caller's last speech frame sent to the agent's first sound received, minus the configured
// silence threshold, with models that answer at once; and the response gap with typical models. Measured at the
// caller.
import { renderSpeech } from './caller/speech.ts';
import { readOptions } from './options.ts';
import { type Caller, INSTANT, pause, runCallers, silenceThresholdMs, TYPICAL, withService } from './scenario.ts';
import { type Row, report, summarise } from './statistics.ts';

const USAGE = `usage: npm run bench -- turn-latency [--calls N,…] [--turns N] [--voice VOICE]
  N callers at once (default 1,20), N turns each (default 12), the callers' voice (default flite-slt)`;

const SENTENCES = [
  'What are your opening hours today?',
  'How much does it cost?',
  'I would like to know where you are.',
  'Are you open on Sunday?',
];

async function takeTurns(caller: Caller, turns: number, clips: readonly Int16Array[], gaps: number[]): Promise<void> {
  await caller.agentSound(0);
  for (let turn = 0; turn < turns; turn++) {
    await caller.agentQuiet(500);
    await pause(200 + ((turn * 131) % 300));
    const clip = clips[turn % clips.length];
    if (!clip) return;
    const lastSentAt = await caller.call.speak(clip);
    gaps.push((await caller.agentSound(lastSentAt)) - lastSentAt);
  }
}

export default async function turnLatency(args: string[]): Promise<void> {
  const { calls, turns, voice } = readOptions(USAGE, { calls: [1, 20], turns: 12, voice: 'flite-slt' }, args);
  const clips = await Promise.all(SENTENCES.map((sentence) => renderSpeech(sentence, voice)));
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  for (const count of calls) {
    await withService({ ...INSTANT }, async (service) => {
      const thresholdMs = await silenceThresholdMs(service);
      const gaps: number[] = [];
      const failures = await runCallers(service, count, (caller) =>
        takeTurns(caller, count === 1 ? turns * 4 : turns, clips, gaps),
      );
      const name = `turn overhead, ${count} call${count === 1 ? '' : 's'}`;
      samples[name] = gaps.map((gap) => gap - thresholdMs);
      rows.push({ name, summary: summarise(samples[name] ?? []), target: 'p50 <= 45, p99 <= 80' });
      for (const failure of failures) process.stdout.write(`a call failed: ${failure.message}\n`);
    });
  }
  await withService({ ...TYPICAL }, async (service) => {
    const gaps: number[] = [];
    await runCallers(service, 1, (caller) => takeTurns(caller, turns, clips, gaps));
    const name = 'response gap, typical models, 1 call';
    samples[name] = gaps;
    rows.push({ name, summary: summarise(gaps), target: 'p50 <= 650' });
  });
  report('turn-latency', 'Turn latency', rows, samples);
}
