// Part of `npm run check`: no test of the quick loop waits in real time. A deadline against real work fails where the
// machine is slow, and "nothing came in 20 ms" passes there whatever comes. A test has the virtual clock, waits for the
// event itself, or counts looks and turns of the event loop (bench/rig/clock.ts, bench/rig/eventually.ts).
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isQuick, kindOf } from './kinds.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const REAL_TIME = /(?<!')\b(?:setTimeout|setInterval)\b|AbortSignal\.timeout\(/;
/** Other kinds of tests, and what drives the tests and is none of them. */
const ELSEWHERE = /^test\/(?:nightly\/|run\.ts$|lanes\.ts$|real-time\.ts$)/;

/** These may, and why. The list only gets shorter: a file that no longer needs its place has to leave it. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test/engine/shard/phone.ts': 'a telephone that speaks at its pace, to the threads of a shard',
  'test/engine/shard/models/fake-models.ts': 'looks for the samples that a shard writes to shared memory',
  'test/engine/sip/adapters/drachtio/replay.test.ts': 'only where it records real servers anew',
  'test/media/recorder.test.ts': 'the program of a process that is killed',
  'test/support/api/dispatcher-process.ts': 'the program of a process that is killed',
  'test/support/api/fake-stripe.ts': 'a provider that answers too late for the deadline of its client',
  'test/support/exit.ts': 'the end of a process that hangs',
  'test/support/models/fake-openai.ts': 'answers late for test/nightly',
  'test/support/owners.test.ts': 'what throws in a timer is blamed on its test',
  'test/support/sip/baresip-phone.ts': 'of test/peers',
  'test/support/sip/baresip-run.ts': 'of test/peers',
  'test/support/sip/peers.ts': 'of test/peers',
  'test/support/sip/real-servers.ts': 'of test/peers',
  'test/support/sip/wire-phone.ts': 'of test/peers',
  'test/support/web-caller.ts': 'of test/service',
};

const withRealTime = globSync('test/**/*.{ts,tsx,mjs}', { cwd: root })
  .map((file) => relative(root, `${root}${file}`))
  .filter((file) => isQuick(kindOf(file)) && !ELSEWHERE.test(file))
  .filter((file) => REAL_TIME.test(readFileSync(`${root}${file}`, 'utf8')));

const faults = [
  ...withRealTime
    .filter((file) => !(file in ALLOWED))
    .map((file) => `${file}: waits in real time; take the virtual clock, the event itself, or a number of looks`),
  ...Object.keys(ALLOWED)
    .filter((file) => !withRealTime.includes(file))
    .map((file) => `${file}: waits in real time no more: take it off the list in test/real-time.ts`),
];
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
