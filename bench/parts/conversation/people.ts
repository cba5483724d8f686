// People beside the agent: from a take-over to the agent's silence at the caller's ear, how late a listener hears the
// caller, and what listeners cost the engine and the pacing of the calls that they listen to.
import { rms } from '../../../media/frame.ts';
import { type Caller, INSTANT, pause, runCallers, withService } from '../../rig/conversation/scenario.ts';
import { tone } from '../../rig/conversation/tones.ts';
import { type Row, rowOf } from '../../rig/measure/statistics.ts';
import { part } from '../../rig/part.ts';
import { engineUsage, processesOf } from '../../rig/service/engine-threads.ts';
import { Listener } from '../../rig/service/listener.ts';
import { Rest } from '../../rig/service/rest.ts';
import type { Service } from '../../rig/service/service.ts';
import { LONG_REPLY } from '../barge-in.ts';

const USAGE = `usage: npm run bench -- people [--calls N] [--listeners N] [--rounds N] [--seconds N]
  N calls at once (default 20); each is taken over and handed back N times (default 4); N listeners of each (default 1)
  for N seconds (default 20), and as long without them before and after`;

const BURST_MS = 400;
const LOUD = 1_000;
/** The longest there is. */
const REMINDER_SECONDS = 120;

interface Outcome {
  silentMs: number[];
  delayMs: number[];
  notSilent: number;
  /** Between two packets at a caller, ms: without listeners, and with them. */
  gapsMs: { without: number[]; with: number[] };
}

const burst = tone([1_000], BURST_MS);

const isTold = (listener: Listener, mode: string, from: number): boolean =>
  listener.told.slice(from).some((told) => told.type === 'mode' && told.mode === mode);

/** The agent speaks; somebody takes over; the agent is silent. Then it has the call again. */
async function takeOver(rest: Rest, id: string, caller: Caller, listener: Listener, outcome: Outcome): Promise<void> {
  const saidAt = performance.now();
  await rest.must('POST', `/calls/${id}/control`, { kind: 'say', text: LONG_REPLY, when: 'now' });
  await pause(Math.max(0, saidAt + 700 - performance.now()));
  const isSpeaking = () => caller.frames.length > 5 && caller.frames.slice(-5).every(({ isSound }) => isSound);
  await caller.until('the agent speaks', isSpeaking);
  const from = listener.told.length;
  const askedAt = performance.now();
  listener.mode('take-over');
  await rest.eventually('the take-over', async () => isTold(listener, 'take-over', from));
  await pause(600);
  const after = caller.frames.filter(({ atMs }) => atMs >= askedAt);
  const last = after.findLast(({ isSound }) => isSound);
  if (after.at(-1)?.isSound) outcome.notSilent++;
  // It spoke until now: without a sound since then it was silent with its next packet.
  else outcome.silentMs.push((last?.atMs ?? askedAt) - askedAt);
  listener.mode('listen');
}

/** The caller makes a sound; when does the listener hear it? */
async function hear(rest: Rest, caller: Caller, listener: Listener, outcome: Outcome): Promise<void> {
  await pause(300);
  const from = listener.heard.length;
  let startedAt = Number.NaN;
  await caller.call.speak(burst, {
    onStart: (atMs) => {
      startedAt = atMs;
    },
  });
  const isLoud = ({ caller: side }: Listener['heard'][number]): boolean => rms(side) > LOUD;
  await rest.eventually('the sound', async () => listener.heard.slice(from).some(isLoud));
  const first = listener.heard.slice(from).find(isLoud);
  if (first) outcome.delayMs.push(first.atMs - startedAt);
}

function gapsIn({ frames }: Caller, fromMs: number): number[] {
  const times = frames.filter(({ atMs }) => atMs >= fromMs).map(({ atMs }) => atMs);
  return times.slice(1).map((atMs, index) => atMs - (times[index] as number));
}

/** Processor time of the engine's threads, in ms a second. */
async function during(service: Service, seconds: number): Promise<Map<string, number>> {
  const { engine } = processesOf(service.process.pid ?? 0);
  const before = engineUsage(engine).cpuMs;
  await pause(seconds * 1_000);
  const after = engineUsage(engine).cpuMs;
  return new Map([...after].map(([thread, ms]) => [thread, (ms - (before.get(thread) ?? 0)) / seconds]));
}

/** The callers say nothing for as long as the listeners are measured: nobody is to ask them whether they are there. */
async function letThemBeSilent(rest: Rest): Promise<void> {
  for (const { id } of await rest.must('GET', '/agents'))
    await rest.must('PATCH', `/agents/${id}`, { conversation: { reminderSeconds: REMINDER_SECONDS } });
}

/** The row of a call is written beside its answer. */
async function idOf(rest: Rest, index: number): Promise<string> {
  const find = async () => (await rest.callsFrom(`+1555019${1000 + index}`))[0];
  return (await rest.eventually('the call is listed', find)).id;
}

const sum = (usage: ReadonlyMap<string, number>): number => [...usage.values()].reduce((all, ms) => all + ms, 0);

const DEFAULTS = { calls: 20, listeners: 1, rounds: 4, seconds: 20 } as const;

export default part(USAGE, DEFAULTS, async ({ calls, listeners, rounds, seconds }) => {
  const rows: Row[] = [];
  const notes: string[] = [];
  const samples: Record<string, number[]> = {};
  const outcome: Outcome = { silentMs: [], delayMs: [], notSilent: 0, gapsMs: { without: [], with: [] } };
  await withService({ ...INSTANT, FAKE_LLM_REPLY: LONG_REPLY }, async (service) => {
    const rest = await new Rest(service).login();
    await letThemBeSilent(rest);
    let waiting = calls;
    const measured = Promise.withResolvers<void>();
    const measure = async (): Promise<void> => {
      const before = await during(service, seconds);
      const cost = await withListeners(rest, calls, listeners, () => during(service, seconds));
      // On a machine that others use too, what a thread needs for the same drifts.
      const after = await during(service, seconds);
      const without = new Map([...before].map(([thread, ms]) => [thread, (ms + (after.get(thread) ?? 0)) / 2]));
      const threads = [...cost].map(([thread, ms]) => [thread, ms - (without.get(thread) ?? 0)] as const);
      const grown = threads.filter(([, ms]) => ms >= 1).sort((a, b) => b[1] - a[1]);
      notes.push(`of it, ms/s: ${grown.map(([thread, ms]) => `${thread} ${ms.toFixed(1)}`).join(', ')}`);
      const of = calls * listeners;
      const [less, more] = [sum(without), sum(cost)];
      notes.push(
        `${of} listeners of ${calls} calls: the engine ${less.toFixed(0)} ms/s without, ${more.toFixed(0)} ms/s with them: ` +
          `${((more - less) / of / 10).toFixed(3)} % of a core each (target <= 0.1)`,
      );
    };
    const failures = await runCallers(service, calls, async (caller, index) => {
      try {
        await caller.agentSound(0);
        const id = await idOf(rest, index);
        const listener = await Listener.of(rest, id);
        for (let round = 0; round < rounds; round++) {
          await hear(rest, caller, listener, outcome);
          await takeOver(rest, id, caller, listener, outcome);
        }
        listener.close();
      } finally {
        // Also one that failed: the others wait for the last one.
        if (--waiting === 0) void measure().then(measured.resolve, measured.reject);
      }
      const quietAt = performance.now();
      const joinedAt = quietAt + seconds * 1_000;
      await measured.promise;
      const gaps = gapsIn(caller, quietAt);
      const split = caller.frames.filter(({ atMs }) => atMs >= quietAt && atMs < joinedAt).length;
      outcome.gapsMs.without.push(...gaps.slice(0, split));
      outcome.gapsMs.with.push(...gaps.slice(split));
    });
    for (const failure of failures) notes.push(`a call failed: ${failure.message}`);
  });
  const name = 'take-over to the agent’s silence';
  samples[name] = outcome.silentMs;
  rows.push(rowOf(name, outcome.silentMs, 'p95 <= 120'));
  rows.push(rowOf('listener’s delay', outcome.delayMs, 'p95 <= 250'));
  rows.push(rowOf('between two packets, without listeners', outcome.gapsMs.without));
  rows.push(rowOf('between two packets, with listeners', outcome.gapsMs.with));
  notes.push(`${outcome.notSilent} take-overs after which the agent was not silent`);
  return { title: 'People beside the agent', rows, samples, notes };
});

/** All listeners of all calls, until `measure` is done. */
async function withListeners<T>(rest: Rest, calls: number, each: number, measure: () => Promise<T>): Promise<T> {
  const opened: Listener[] = [];
  for (let index = 0; index < calls; index++) {
    const id = await idOf(rest, index);
    for (let n = 0; n < each; n++) opened.push(await Listener.of(rest, id, { talks: false }));
  }
  try {
    return await measure();
  } finally {
    for (const listener of opened) listener.close();
  }
}
