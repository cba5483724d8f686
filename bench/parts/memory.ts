// Measures the memory of an installation with its own engines: when nobody has called yet, while some talk, and after
// it; and whether the first caller after a rest waits for memory that was given back.
import { loadavg } from 'node:os';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { Talker } from '../resume/talker.ts';
import { Caller, pause } from '../rig/conversation/scenario.ts';
import { memoryByKind, sum } from '../rig/measure/process-memory.ts';
import { table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { processesOf } from '../rig/service/engine-threads.ts';
import { startService } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- memory [--calls N] [--seconds N] [--rest N]
  the memory of all processes, pages of files that several have mapped counted once: at rest, with N calls (default 10)
  that talk for some seconds (default 60), and at rest after them; then the waits of the first caller after that rest, and of the one after it. Rest is when nobody has called
  for so many seconds (default 720: recogniser and voice keep for ten minutes what the trials of a start have made)`;

const LOOK_EVERY_MS = 1_000;

/** MiB by kind of mapping: of engine, API and supervisor. */
type Memory = ReadonlyArray<ReadonlyMap<string, number>>;

export default part(USAGE, { calls: 10, seconds: 60, rest: 720 }, async ({ calls, seconds, rest }) => {
  const service = await startService({});
  try {
    const supervisor = service.process.pid ?? 0;
    const { engine, api } = processesOf(supervisor);
    const look = (): Memory => memoryByKind([engine, api, supervisor]);
    await pause(rest * 1_000);
    const idle = look();
    const clip = await renderSpeech('What are your opening hours today?', 'flite-slt');
    const random = seededRandom(1);
    const talkers = Array.from({ length: calls }, (_, n) => new Talker(service.sipAddress, n * 150, clip, random));
    const running = talkers.map((talker) => talker.run());
    let most = look();
    for (const endAtMs = performance.now() + seconds * 1_000; performance.now() < endAtMs; ) {
      await pause(LOOK_EVERY_MS);
      const now = look();
      if (all(now) > all(most)) most = now;
    }
    for (const talker of talkers) talker.stop();
    await Promise.all(running);
    await pause(rest * 1_000);
    const after = look();
    const [first, second] = [await waitsOf(service.sipAddress, clip), await waitsOf(service.sipAddress, clip)];
    const row = (name: string, memory: Memory, goal: string): string[] => {
      return [name, ...[...memory.map(whole), all(memory)].map((mib) => String(Math.round(mib))), goal];
    };
    const kinds = [...new Set(idle.flatMap((memory) => [...memory.keys()]))].sort();
    return {
      title: `Memory of an installation with its own engines, ${calls} calls, MiB`,
      lines: [
        ...table(
          ['', 'engine', 'API', 'supervisor', 'all', 'goal'],
          [row('at rest', idle, '250'), row(`most with ${calls} calls`, most, '400'), row('after them', after, '')],
        ),
        '',
        ...table(
          ['at rest, by kind of mapping', 'engine', 'API', 'supervisor'],
          kinds.map((kind) => [kind, ...idle.map((memory) => (memory.get(kind) ?? 0).toFixed(1))]),
        ),
        '',
        ...table(
          ['ms', 'INVITE to 200', 'INVITE to the greeting', 'gap of the first question'],
          [
            ['first caller after a rest', ...first.map(String)],
            ['the next caller', ...second.map(String)],
          ],
        ),
      ],
      data: { ...figures({ idle, most, after }), first, second },
      notes: [`load ${loadavg()[0]?.toFixed(1)}`],
    };
  } finally {
    await service.stop();
  }
});

/** Of one caller, ms: from INVITE to the answer, to the greeting's first sound, and the gap of the first question. */
async function waitsOf(sipAddress: string, clip: Int16Array): Promise<number[]> {
  const caller = new Caller(sipAddress, 9_500);
  try {
    const fromMs = performance.now();
    await caller.answered();
    const answeredMs = (caller.call.answeredAtMs ?? Number.NaN) - fromMs;
    const greetedMs = (await caller.agentSound(0)) - fromMs;
    await caller.agentQuiet(700);
    const saidAtMs = await caller.call.speak(clip);
    return [answeredMs, greetedMs, (await caller.agentSound(saidAtMs)) - saidAtMs].map(Math.round);
  } finally {
    await caller.hangUp();
  }
}

const whole = (memory: ReadonlyMap<string, number>): number => sum(memory.values());
const all = (memory: Memory): number => sum(memory.map(whole));

const figures = (of: Record<string, Memory>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(of).map(([when, memory]) => [when, memory.map((kinds) => Object.fromEntries(kinds))]),
  );
