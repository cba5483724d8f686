// The quick loop again and again, beside a process that keeps all cores busy or standing still every few seconds: a
// test that fails by time shows itself here. Prints what each run took and what failed in it.
import { spawn } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const USAGE = `usage: node supervise.mjs run test/nightly/loop-under-load.ts [--times N] [--idle] [--stalls]

  --times N   runs of the loop, one after the other (10)
  --idle      without the load, for comparison
  --stalls    in place of the load, all processes of the loop stand still for two seconds of every four

Exits with 1 if a test failed in any run.
`;

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Run {
  seconds: number;
  /** The names of the tests that failed. */
  failed: string[];
  /** The last line of the run; empty if it did not come so far. */
  summary: string;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

/** Longer than any deadline that a test could mean to wait for beside others, and than most of the product's own. */
const STALL_MS = 2_000;

function options(): { times: number; idle: boolean; stalls: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        times: { type: 'string' },
        idle: { type: 'boolean' },
        stalls: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    const times = Number(values.times ?? 10);
    if (!Number.isInteger(times) || times < 1) fail('--times wants a whole number from 1');
    return { times, idle: values.idle ?? false, stalls: values.stalls ?? false };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** A thread a core that does nothing but count. */
function burn(): Worker[] {
  const count = 'for (let n = 0; ; n++) if (n > 1e9) n = 0;';
  return Array.from({ length: availableParallelism() }, () => new Worker(count, { eval: true }));
}

/** @returns ends it, and lets the processes go on */
function stall(processGroup: number): () => void {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-processGroup, name);
    } catch {
      // It has ended.
    }
  };
  let isStill = false;
  const timer = setInterval(() => {
    isStill = !isStill;
    signal(isStill ? 'SIGSTOP' : 'SIGCONT');
  }, STALL_MS);
  return () => {
    clearInterval(timer);
    signal('SIGCONT');
  };
}

async function runLoop(stalls: boolean): Promise<Run> {
  const beganAtMs = performance.now();
  const child = spawn(process.execPath, ['supervise.mjs', 'run', 'test/run.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Signals reach all of a group.
    detached: stalls,
  });
  const endStalls = stalls && child.pid !== undefined ? stall(child.pid) : () => undefined;
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) output += text;
  endStalls();
  const lines = output.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  // Each failure stands twice: in its place, and in the list at the end. A test that hangs ends its process with it.
  const failed = lines.flatMap((line) =>
    (
      /^ *✖ (?!failing tests:|test\/)(.*) \([\d.]+ms\)$/.exec(line) ??
      /^(.* (?:was not run to its end|began and did not end: .*))$/.exec(line) ??
      []
    ).slice(1),
  );
  return {
    seconds: (performance.now() - beganAtMs) / 1_000,
    failed: [...new Set(failed)],
    summary: / passed, \d+ failed/.test(last) ? last : '',
  };
}

const { times, idle, stalls } = options();
const burners = idle || stalls ? [] : burn();
const runs: Run[] = [];
for (let n = 1; n <= times; n++) {
  const run = await runLoop(stalls);
  runs.push(run);
  const load = loadavg()[0]?.toFixed(1);
  process.stdout.write(
    `run ${n} of ${times}: ${run.seconds.toFixed(0)} s, load ${load}, ${run.summary || 'ended early'}\n`,
  );
  for (const name of run.failed) process.stdout.write(`  failed: ${name}\n`);
}
await Promise.all(burners.map((burner) => burner.terminate()));

const isGreen = ({ failed, summary }: Run): boolean => failed.length === 0 && / passed, 0 failed/.test(summary);
const seconds = runs.map((run) => run.seconds).toSorted((a, b) => a - b);
const [fastest = 0, median = 0, slowest = 0] = [seconds[0], seconds[seconds.length >> 1], seconds.at(-1)];
const green = runs.filter(isGreen).length;
process.stdout.write(
  `${green} of ${times} runs without a failure; ${fastest.toFixed(0)} to ${slowest.toFixed(0)} s, median ${median.toFixed(0)} s\n`,
);
process.exit(green === times ? 0 : 1);
