// Pacing: the interval between the agent's packets by the kernel's clock (a capture on loopback), since a caller in
// Node would add its own jitter. Without tcpdump or permission to use it, falls back to the caller's clock; the report
// says so.
import { type ChildProcess, spawn } from 'node:child_process';
import { readOptions } from './options.ts';
import { type Caller, INSTANT, pause, runCallers, withService } from './scenario.ts';
import { type Row, report, summarise } from './statistics.ts';

const USAGE = `usage: npm run bench -- pacing [--calls N,…] [--seconds N]
  N calls at once (default 1,20,100), measured for N seconds each (default 20)`;

const LONG_REPLY = 'one two three four five six seven eight nine ten '.repeat(40).trim();

interface Capture {
  /** Arrival times in ms by stream (source and destination port). */
  stop(): Promise<Map<string, number[]>>;
}

/** Null if tcpdump cannot be run here. */
async function startCapture(sipPort: number): Promise<Capture | null> {
  const child: ChildProcess = spawn(
    'tcpdump',
    [
      '-i',
      'lo',
      '-n',
      '-tt',
      '-l',
      '-B',
      '65536',
      '-s',
      '64',
      '--immediate-mode',
      `udp and greater 200 and not port ${sipPort}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const streams = new Map<string, number[]>();
  let rest = '';
  child.stdout?.on('data', (data: Buffer) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^(\d+\.\d+) IP 127\.0\.0\.1\.(\d+) > 127\.0\.0\.1\.(\d+): UDP/.exec(line);
      if (!match) continue;
      const key = `${match[2]}>${match[3]}`;
      const times = streams.get(key);
      const atMs = Number(match[1]) * 1000;
      if (times) times.push(atMs);
      else streams.set(key, [atMs]);
    }
  });
  const started = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', () => resolve(false));
    child.stderr?.on('data', (data: Buffer) => {
      if (data.toString().includes('listening on')) resolve(true);
    });
  });
  if (!started) return null;
  return {
    stop: async () => {
      await pause(500);
      child.kill('SIGINT');
      await new Promise((resolve) => child.once('exit', resolve));
      return streams;
    },
  };
}

const intervals = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? time));

/** Deviations from 20 ms between the agent's packets of `count` calls. */
export async function measurePacing(
  count: number,
  seconds: number,
  environment: Record<string, string>,
): Promise<{ errors: number[]; clock: string }> {
  return withService({ ...INSTANT, FAKE_LLM_REPLY: LONG_REPLY, ...environment }, async (service) => {
    const callers: Caller[] = [];
    const capture = await startCapture(Number(service.sipAddress.split(':').at(-1)));
    await runCallers(service, count, async (caller) => {
      callers.push(caller);
      await pause(seconds * 1000);
    });
    const streams = await capture?.stop();
    if (!streams) {
      return {
        errors: callers
          .flatMap((caller) => intervals(caller.frames.map((frame) => frame.atMs)))
          .map((ms) => Math.abs(ms - 20)),
        clock: 'caller',
      };
    }
    // The capture includes the callers' own streams: the agent's come from the ports that answered.
    const theirs = new Set(callers.map((caller) => caller.call.localRtpPort));
    const errors: number[] = [];
    for (const [key, times] of streams) {
      const [source] = key.split('>').map(Number);
      if (source === undefined || theirs.has(source)) continue;
      errors.push(...intervals(times).map((ms) => Math.abs(ms - 20)));
    }
    return { errors, clock: 'kernel' };
  });
}

export default async function pacing(args: string[]): Promise<void> {
  const { calls, seconds } = readOptions(USAGE, { calls: [1, 20, 100], seconds: 20 }, args);
  const rows: Row[] = [];
  const samples: Record<string, number[]> = {};
  for (const count of calls) {
    const { errors, clock } = await measurePacing(count, seconds, {});
    const name = `pacing error, ${count} call${count === 1 ? '' : 's'} (${clock}'s clock)`;
    samples[name] = errors.filter((_, index) => index % Math.ceil(errors.length / 2_000) === 0);
    rows.push({ name, summary: summarise(errors), target: 'p99 <= 2, max <= 10' });
  }
  const blocked = await measurePacing(20, seconds, { FAKE_BLOCK_CONTROL_MS: '40' });
  rows.push({
    name: `20 calls, control thread blocked 40 of 250 ms (${blocked.clock}'s clock)`,
    summary: summarise(blocked.errors),
    target: 'p99 <= 5',
  });
  report('pacing', 'Pacing: |interval - 20 ms|', rows, samples);
}
