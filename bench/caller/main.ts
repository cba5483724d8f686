// `npm run caller`: one simulated caller over real SIP and RTP. It speaks, listens, and prints the heard events with
// their times: a one-minute check that the service works.

import { writeFileSync } from 'node:fs';
import { messageOf } from '../../db/domain/unexpected.ts';
import { type CallerEvent, SimulatedCall } from '../../engine/test-runs/caller/call.ts';
import { localAddress } from '../../engine/test-runs/caller/sip.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../media/frame.ts';
import { encodeWav } from '../../media/wav.ts';
import { hintFor, watchForNobody } from './hints.ts';
import { type Order, readOrder, USAGE, WrongOrder } from './order.ts';

/** Agent silence after which the caller speaks. */
const TURN_GAP_MS = 900;
const REPLY_WAIT_MS = 12_000;

interface Segment {
  startMs: number;
  endMs: number;
}

if (process.argv[2] === 'scenario') {
  const { judgeOwnAgent } = await import('../conversation/own-agent.ts');
  process.exit(await judgeOwnAgent(process.argv.slice(3)));
}

if (process.argv[2] === 'conformance') {
  const { judgeConformance } = await import('../conformance/run.ts');
  process.exit(await judgeConformance(process.argv.slice(3)));
}

if (process.argv[2] === 'benchmark') {
  const { runBenchmark } = await import('./benchmark.ts');
  process.exit(await runBenchmark(process.argv.slice(3)));
}

if (process.argv[2] === 'callee') {
  const { runCallee } = await import('./callee.ts');
  process.exit(await runCallee(process.argv.slice(3)));
}

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(2);
};

async function ordered(): Promise<Order> {
  try {
    const order = await readOrder(process.argv.slice(2));
    if (order !== null) return order;
  } catch (error) {
    if (!(error instanceof WrongOrder)) throw error;
    return fail(error.message);
  }
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}

const order = await ordered();
const { target, seconds, bargeInMs } = order;

async function readUtterances(): Promise<Array<{ label: string; samples: Int16Array }>> {
  const utterances = order.wav === null ? [] : [order.wav];
  try {
    for (const text of order.say) utterances.push({ label: text, samples: await renderSpeech(text, order.voice) });
  } catch (error) {
    fail(`--voice ${order.voice}: ${messageOf(error)}`);
  }
  return utterances;
}

const utterances = await readUtterances();
const startedAt = performance.now();
const heard: Segment[] = [];
const said: Array<Segment & { text: string; replyAfterMs: number | null }> = [];
let answeredAt = 0;
let ended: Extract<CallerEvent, { type: 'ended' }> | null = null;
let answerMs: number | null = null;
let isNobodyThere = false;
const wake = new Set<() => void>();

const say = (line: string): void => {
  if (!order.json) process.stdout.write(`${line}\n`);
};
const clock = (atMs: number): string => `${((atMs - (answeredAt || startedAt)) / 1000).toFixed(2).padStart(7)} s`;

const call = new SimulatedCall({
  target,
  localAddress: localAddress(target.host),
  from: order.from,
  codec: order.codec,
  record: order.record !== null,
  onEvent(event) {
    if (event.type === 'answered') {
      answeredAt = event.atMs;
      answerMs = event.atMs - startedAt;
      say(`answered after ${Math.round(answerMs)} ms`);
    } else if (event.type === 'agent-started') {
      heard.push({ startMs: event.atMs, endMs: Number.NaN });
      const turn = said.at(-1);
      const gap = turn && turn.replyAfterMs === null && event.atMs > turn.endMs ? event.atMs - turn.endMs : null;
      if (turn && gap !== null) turn.replyAfterMs = gap;
      say(
        `${clock(event.atMs)}  agent speaks${gap === null ? '' : ` (${Math.round(gap)} ms after the caller's last word)`}`,
      );
    } else if (event.type === 'agent-stopped') {
      const segment = heard.at(-1);
      if (segment) segment.endMs = event.atMs;
      say(`${clock(event.atMs)}  agent stops`);
    } else if (event.type === 'ended') {
      ended = event;
    }
    for (const each of [...wake]) each();
  },
});

/** Resolves when `condition` holds, the call has ended, or the time is up. */
function until(condition: () => boolean, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearInterval(poll);
      clearTimeout(limit);
      wake.delete(check);
      resolve();
    };
    const check = (): void => {
      if (ended || isNobodyThere || condition()) done();
    };
    const poll = setInterval(check, 20);
    const limit = setTimeout(done, timeoutMs);
    wake.add(check);
    check();
  });
}

const agentIsQuiet = (): boolean => {
  const last = heard.at(-1);
  return last !== undefined && !Number.isNaN(last.endMs) && performance.now() - last.endMs > TURN_GAP_MS;
};

async function waitForAgent(): Promise<void> {
  const before = heard.length;
  await until(() => heard.length > before, REPLY_WAIT_MS);
  if (heard.length > before) await until(agentIsQuiet, 60_000);
}

async function converse(): Promise<void> {
  await until(() => answerMs !== null, seconds * 1_000);
  if (bargeInMs !== null) {
    await until(() => call.agentSpeaking, REPLY_WAIT_MS);
    await new Promise((resolve) => setTimeout(resolve, bargeInMs));
  } else await waitForAgent();
  if (order.digits !== null && !ended && !isNobodyThere) {
    call.press(order.digits);
    say(`${clock(performance.now())}  caller presses ${order.digits}`);
    await waitForAgent();
  }
  for (const { label, samples } of utterances) {
    if (ended || isNobodyThere) return;
    const turn = { text: label, startMs: performance.now(), endMs: Number.NaN, replyAfterMs: null };
    say(`${clock(turn.startMs)}  caller says: ${label}`);
    const sent = call.speak(samples);
    await Promise.race([sent, until(() => false, 120_000)]);
    turn.endMs = performance.now();
    said.push(turn);
    await waitForAgent();
  }
}

await call.place();
const endWatch = watchForNobody(target, () => {
  isNobodyThere = true;
  call.close();
  for (const each of [...wake]) each();
});
await Promise.race([converse(), new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
endWatch();
if (!ended && !isNobodyThere) {
  call.hangUp();
  await until(() => false, 5_000);
}
call.close();

const end = ended as Extract<CallerEvent, { type: 'ended' }> | null;
const ok = answerMs !== null && end !== null && end.status === 200;
const endedBy = (by: 'local' | 'remote'): string => {
  if (by === 'local') return 'ended by the caller';
  return answerMs === null ? 'refused' : 'ended by the agent';
};
const relative = (ms: number): number | null => (Number.isNaN(ms) ? null : Math.round(ms - answeredAt));

if (order.record !== null && answerMs !== null) {
  const left = joinSamples(call.said);
  const right = joinSamples(call.heard);
  const stereo = new Int16Array(Math.max(left.length, right.length) * 2);
  left.forEach((sample, index) => {
    stereo[index * 2] = sample;
  });
  right.forEach((sample, index) => {
    stereo[index * 2 + 1] = sample;
  });
  writeFileSync(order.record, encodeWav({ channels: 2, sampleRateHz: 8_000 }, stereo));
  say(`recorded to ${order.record} (left: said, right: heard)`);
}
const hint = answerMs === null ? hintFor(isNobodyThere ? null : (end?.status ?? null), target) : null;
if (order.json) {
  const result = {
    ok,
    answerMs: answerMs === null ? null : Math.round(answerMs),
    heard: heard.map((segment) => ({ startMs: relative(segment.startMs), endMs: relative(segment.endMs) })),
    said: said.map((turn) => ({
      text: turn.text,
      startMs: relative(turn.startMs),
      endMs: relative(turn.endMs),
      replyAfterMs: turn.replyAfterMs === null ? null : Math.round(turn.replyAfterMs),
    })),
    packetsReceived: call.packetsReceived,
    endedBy: end?.by ?? null,
    status: end?.status ?? null,
    reason: end?.reason ?? (isNobodyThere ? 'nobody listens' : 'no end'),
    hint,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} else {
  const how =
    end === null
      ? `the call ${answerMs === null ? 'was not answered' : 'did not end'}`
      : `${endedBy(end.by)} (${end.status} ${end.reason})`;
  say(hint === null ? how : `${how}: ${hint}`);
}
process.exit(ok ? 0 : 1);
