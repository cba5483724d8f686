// A conformance case: one call, or a few, to somebody's agent, and a verdict on what it did.
import { statusOf } from '../../engine/test-runs/caller/phone/sip-text.ts';
import { type CallTarget, TestedCall } from './call.ts';
import type { Transport } from './socket.ts';

export interface Verdict {
  /**
   * `unsupported`: an optional feature, refused as its RFC allows, with the call unharmed. `inconclusive`: the agent
   * never came to where it could be judged.
   */
  verdict: 'passed' | 'failed' | 'unsupported' | 'inconclusive';
  words: string;
}

/** Of a run: where the agent is, and what makes it do something. */
export interface Bench {
  target: CallTarget;
  /** Null: not tried. */
  tlsPort: number | null;
  localHost: string;
  /** 8 kHz samples of a question that every agent answers. */
  question: Int16Array;
  /** Of words upon which the agent hangs up, or puts the caller through; null: not tried. */
  goodbye: Int16Array | null;
  transfer: Int16Array | null;
}

export interface Case {
  name: string;
  /** A line for the table. */
  what: string;
  /** Where it is written. */
  source: string;
  run(bench: Bench): Promise<Verdict>;
}

export const passed = (words: string): Verdict => ({ verdict: 'passed', words });
export const failed = (words: string): Verdict => ({ verdict: 'failed', words });
export const unsupported = (words: string): Verdict => ({ verdict: 'unsupported', words });
export const inconclusive = (words: string): Verdict => ({ verdict: 'inconclusive', words });

/** How long an agent may take to begin its greeting, or an answer. */
const SPEAKS_WITHIN_MS = 12_000;

export const said = (answer: string | null): string => (answer === null ? 'no answer' : String(statusOf(answer)));

export const isAccepted = (answer: string | null): answer is string =>
  answer !== null && statusOf(answer) >= 200 && statusOf(answer) < 300;

/** Refused in a way that says "I do not do this" (RFC 3261 21.4). */
export const isDeclined = (answer: string | null): boolean =>
  answer !== null && [405, 415, 420, 488, 489, 501, 603, 606].includes(statusOf(answer));

/** Runs with a call that is closed whatever happens. */
export async function withCall(
  { target, localHost }: Bench,
  run: (call: TestedCall) => Promise<Verdict>,
  transport: Transport = 'udp',
  port = target.port,
): Promise<Verdict> {
  let call: TestedCall;
  try {
    call = await TestedCall.open({ ...target, port }, localHost, transport);
  } catch (error) {
    return failed(`no connection over ${transport}: ${error instanceof Error ? error.message : error}`);
  }
  try {
    return await run(call);
  } finally {
    await call.close();
  }
}

/** The same with an answered call in which the agent has begun to speak. */
export function inCall(bench: Bench, run: (call: TestedCall) => Promise<Verdict>): Promise<Verdict> {
  return withCall(bench, async (call) => {
    const answer = await call.place();
    if (!isAccepted(answer)) return inconclusive(`the call was not answered: ${said(answer)}`);
    if (!(await hears(call, performance.now()))) return inconclusive('the agent did not greet');
    return run(call);
  });
}

/** Whether sound of the agent comes after that time. */
export async function hears(call: TestedCall, sinceMs: number, withinMs = SPEAKS_WITHIN_MS): Promise<boolean> {
  return (await call.until(() => call.audio.since(sinceMs).some(({ isSound }) => isSound), withinMs)) !== null;
}

/** Waits until the agent has been silent for a second, asks the question, and waits for its answer. */
export async function talks(call: TestedCall, { question }: Bench): Promise<boolean> {
  await isQuiet(call);
  const askedAtMs = performance.now();
  call.audio.speak(question);
  await call.until(() => !call.audio.isSpeaking, 15_000);
  return hears(call, askedAtMs);
}

export async function isQuiet(call: TestedCall, forMs = 1_000, withinMs = 20_000): Promise<void> {
  await call.until(() => call.audio.isQuietFor(forMs), withinMs);
}

/** A verdict on a call that should go on as if nothing had been asked. */
export async function unharmed(call: TestedCall, bench: Bench, verdict: Verdict): Promise<Verdict> {
  if (call.isUp && (await talks(call, bench))) return verdict;
  return failed(`${verdict.words}; after it the agent did not answer a question`);
}
