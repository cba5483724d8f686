// `npm run caller`: one simulated caller over real SIP and RTP. It speaks, listens, and prints the heard events with
// their times: a one-minute check that the service works.

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { VoiceCodecName } from '../../db/domain/trunk-defaults.ts';
import { type CallerEvent, SimulatedCall } from '../../engine/test-runs/caller/call.ts';
import type { SipTarget } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { localAddress, parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { joinSamples } from '../../media/frame.ts';
import { CODEC_RATES } from '../../media/rtp/voice-codec.ts';
import { decodeWav, encodeWav } from '../../media/wav.ts';

const USAGE = `usage: npm run caller -- SIP-ADDRESS [options]
       npm run caller -- scenario FILE SIP-ADDRESS [--seed N]
       npm run caller -- conformance SIP-ADDRESS [options; --help]
       npm run caller -- benchmark SIP-ADDRESS --out DIR
       npm run caller -- callee --out DIR [options]
  SIP-ADDRESS          e.g. sip:demo@127.0.0.1:5060
  --say TEXT           speak this after the greeting; give it several times for several turns
  --wav FILE           speak a WAV file (any rate, mono or stereo)
  --voice ID           voice of --say (default flite-slt, different from the agent's)
  --digits 12#         press these keys after the greeting
  --barge-in-ms N      begin to speak N ms after the agent began, over its voice
  --record FILE        write the audio (left: the caller, right: the agent)
  --codec NAME         pcmu (default), pcma, g722 or opus: the only offered codec
  --from NUMBER        number to call from (default +15550199001)
  --seconds N          hang up after at most N seconds (default 60)
  --json               print one JSON object in place of lines
  --help               this text
  conformance          some 30 cases of SIP and RTP against any agent, each passed, failed or refused
  benchmark            measures any SIP address (docs/benchmark.md)
  callee               answers calls as a voicemail or a person, and tells what the caller did
  scenario FILE        plays a conversation (docs/conversation.md) and prints the agent's reaction to each cue`;

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

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        say: { type: 'string', multiple: true },
        wav: { type: 'string' },
        voice: { type: 'string', default: 'flite-slt' },
        digits: { type: 'string' },
        'barge-in-ms': { type: 'string' },
        record: { type: 'string' },
        codec: { type: 'string', default: 'pcmu' },
        from: { type: 'string', default: '+15550199001' },
        seconds: { type: 'string', default: '60' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const seconds = Number(values.seconds);
if (!(seconds > 0)) fail(`--seconds: "${values.seconds}" is no number above 0`);
const bargeInMs = values['barge-in-ms'] === undefined ? null : Number(values['barge-in-ms']);
if (bargeInMs !== null && !(bargeInMs >= 0))
  fail(`--barge-in-ms: "${values['barge-in-ms']}" is no number of milliseconds`);
if (values.digits !== undefined && !/^[0-9*#A-D]+$/i.test(values.digits))
  fail(`--digits: "${values.digits}" has other keys than 0-9 * # A-D`);

const codec = Object.keys(CODEC_RATES).find((name): name is VoiceCodecName => name === values.codec.toUpperCase());
if (codec === undefined) fail(`--codec: "${values.codec}" is none of pcmu, pcma, g722, opus`);

const target: SipTarget = (() => {
  try {
    return parseTarget(positionals[0] ?? '');
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
})();

async function readUtterances(): Promise<Array<{ label: string; samples: Int16Array }>> {
  const utterances: Array<{ label: string; samples: Int16Array }> = [];
  if (values.wav !== undefined) {
    try {
      const wav = decodeWav(readFileSync(values.wav));
      const mono = wav.channelsSamples[0] ?? new Int16Array(0);
      utterances.push({ label: values.wav, samples: resampleWhole(mono, wav.sampleRateHz, 8_000) });
    } catch (error) {
      fail(`--wav ${values.wav}: ${error instanceof Error ? error.message : error}`);
    }
  }
  for (const text of values.say ?? [])
    utterances.push({ label: text, samples: await renderSpeech(text, values.voice) });
  return utterances;
}

const utterances = await readUtterances();
const startedAt = performance.now();
const heard: Segment[] = [];
const said: Array<Segment & { text: string; replyAfterMs: number | null }> = [];
let answeredAt = 0;
let ended: Extract<CallerEvent, { type: 'ended' }> | null = null;
let answerMs: number | null = null;
const wake = new Set<() => void>();

const say = (line: string): void => {
  if (!values.json) process.stdout.write(`${line}\n`);
};
const clock = (atMs: number): string => `${((atMs - (answeredAt || startedAt)) / 1000).toFixed(2).padStart(7)} s`;

const call = new SimulatedCall({
  target: { ...target, host: target.host === 'localhost' ? '127.0.0.1' : target.host },
  localAddress: localAddress(target.host),
  from: values.from,
  ...(codec === undefined ? {} : { codec }),
  record: values.record !== undefined,
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
      if (ended || condition()) done();
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
  if (values.digits !== undefined && !ended) {
    call.press(values.digits);
    say(`${clock(performance.now())}  caller presses ${values.digits}`);
    await waitForAgent();
  }
  for (const { label, samples } of utterances) {
    if (ended) return;
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
await Promise.race([converse(), new Promise((resolve) => setTimeout(resolve, seconds * 1_000))]);
if (!ended) {
  call.hangUp();
  await until(() => false, 5_000);
}
call.close();

const end = ended as Extract<CallerEvent, { type: 'ended' }> | null;
const ok = answerMs !== null && end !== null && end.status === 200;
const relative = (ms: number): number | null => (Number.isNaN(ms) ? null : Math.round(ms - answeredAt));

if (values.record !== undefined && answerMs !== null) {
  const left = joinSamples(call.said);
  const right = joinSamples(call.heard);
  const stereo = new Int16Array(Math.max(left.length, right.length) * 2);
  left.forEach((sample, index) => {
    stereo[index * 2] = sample;
  });
  right.forEach((sample, index) => {
    stereo[index * 2 + 1] = sample;
  });
  writeFileSync(values.record, encodeWav({ channels: 2, sampleRateHz: 8_000 }, stereo));
  say(`recorded to ${values.record} (left: said, right: heard)`);
}
if (values.json) {
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
    reason: end?.reason ?? 'no end',
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} else {
  const how =
    end === null
      ? 'the call did not end'
      : `ended by ${end.by === 'local' ? 'the caller' : 'the agent'} (${end.status} ${end.reason})`;
  say(how);
}
process.exit(ok ? 0 : 1);
