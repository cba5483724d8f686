// Measures the memory of an installation with its own engines: when nobody has called yet, while some talk, and after
// it; and whether the first caller after a rest waits for memory that was given back.
import { readFileSync } from 'node:fs';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { Talker } from '../resume/talker.ts';
import { Caller, pause } from '../rig/conversation/scenario.ts';
import { table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import { processesOf } from '../rig/service/engine-threads.ts';
import { startService } from '../rig/service/service.ts';

const USAGE = `usage: npm run bench -- memory [--calls N] [--seconds N] [--rest N]
  the memory of engine and API at rest, with N calls (default 10) that talk for some seconds (default 60), and at rest
  after them; then the waits of the first caller after that rest, and of the one after it. Rest is when nobody has called
  for so many seconds (default 660: recogniser and voice keep what they have made for ten minutes)`;

const LOOK_EVERY_MS = 1_000;

/** MiB. `files`: of it pages of files, as the node binary, which processes share. */
interface Memory {
  resident: number;
  files: number;
}

export default part(USAGE, { calls: 10, seconds: 60, rest: 660 }, async ({ calls, seconds, rest }) => {
  const service = await startService({});
  try {
    const { engine, api } = processesOf(service.process.pid ?? 0);
    const look = (): [Memory, Memory] => [memoryOf(engine), memoryOf(api)];
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
      if (sum(now) > sum(most)) most = now;
    }
    for (const talker of talkers) talker.stop();
    await Promise.all(running);
    await pause(rest * 1_000);
    const after = look();
    const [first, second] = [await waitsOf(service.sipAddress, clip), await waitsOf(service.sipAddress, clip)];
    const row = (name: string, both: [Memory, Memory], goal: string): string[] => {
      const [engineNow, apiNow] = both;
      return [
        name,
        ...[engineNow.resident, apiNow.resident, sum(both), sum(both) - shared(both)].map((mib) =>
          String(Math.round(mib)),
        ),
        goal,
      ];
    };
    return {
      title: `Memory of an installation with its own engines, ${calls} calls, MiB`,
      lines: [
        ...table(
          ['', 'engine', 'API', 'both', 'both, shared pages once', 'goal'],
          [row('at rest', idle, '300'), row(`most with ${calls} calls`, most, '450'), row('after them', after, '')],
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
      data: { idle, most, after, first, second },
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

const sum = ([engine, api]: [Memory, Memory]): number => engine.resident + api.resident;

/** Pages of files that both have mapped are in memory once. */
const shared = ([engine, api]: [Memory, Memory]): number => Math.min(engine.files, api.files);

function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1_024;
  return { resident: mib('Rss'), files: mib('Rss') - mib('Anonymous') };
}
