// One call of the benchmark to any SIP address: questions, each after the agent has fallen silent, and an interruption
// of the last answer. All that is measured comes from the packets at this end; nothing is known of the other side.
import { setTimeout as pause } from 'node:timers/promises';
import type { HeardFrame } from '../../engine/test-runs/caller/call.ts';
import { SimulatedCall } from '../../engine/test-runs/caller/call.ts';
import { Line } from '../../engine/test-runs/caller/line.ts';
import type { SipTarget } from '../../engine/test-runs/caller/phone/phone-call.ts';
import { seededRandom } from '../../engine/test-runs/caller/seeded-random.ts';
import { localAddress } from '../../engine/test-runs/caller/sip.ts';
import { joinSamples } from '../../media/frame.ts';
import type { CapturedPacket } from './pcap.ts';

export interface BenchmarkPlan {
  target: SipTarget;
  from: string;
  seed: number;
  lossPercent: number;
  questions: readonly Int16Array[];
  /** Said over the last answer; null: nobody interrupts. */
  interruption: Int16Array | null;
  /** Run in the middle of the last answer, and one more question asked after it; null: nothing is disturbed. */
  disturb: (() => Promise<void>) | null;
}

export interface BenchmarkCall {
  /** Why it was not played to its end; null: it was. */
  failure: string | null;
  /** Final SIP status; 0: none came. */
  status: number;
  /** INVITE to 200, ms. */
  answerMs: number | null;
  /** 200 to the agent's first sound. */
  greetingMs: number | null;
  /** From the last packet of a question to the first sound of the answer; null: no answer in 15 s. */
  gapsMs: Array<number | null>;
  /** From the first packet of the interruption to the agent's last sound before a silence; null: it spoke on. */
  stopMs: number | null;
  wasInterrupted: boolean;
  /** Questions during which the agent spoke although it had been silent. */
  cutOffs: number;
  packets: { received: number; lost: number; late: number };
  /** The longest time without a packet, ms, and whether a question after the disturbance was answered. */
  survival: { longestHoleMs: number; isAnswered: boolean } | null;
  said: Int16Array;
  heard: Int16Array;
  capture: CapturedPacket[];
}

const ANSWER_WITHIN_MS = 15_000;
/** Longer than pauses between clauses. */
const QUIET_MS = 1_000;
/** A monologue is not waited for. */
const TALK_MS = 30_000;
const INTERRUPT_AFTER_MS = 1_200;
const STOP_WITHIN_MS = 4_000;
const SILENCE_MS = 400;
/** Of packets that come every 20 ms. */
const LATE_MS = 60;

class Ended extends Error {}

export async function benchmarkCall(plan: BenchmarkPlan): Promise<BenchmarkCall> {
  const talk = new Talk(plan);
  try {
    await talk.play();
  } catch (error) {
    talk.result.failure = error instanceof Error ? error.message : String(error);
  }
  return talk.end();
}

class Talk {
  readonly #plan: BenchmarkPlan;
  readonly #call: SimulatedCall;
  readonly #frames: HeardFrame[] = [];
  readonly #wake = new Set<() => void>();
  #end: { status: number; by: string; reason: string } | null = null;
  readonly result: Pick<
    BenchmarkCall,
    'failure' | 'answerMs' | 'greetingMs' | 'gapsMs' | 'stopMs' | 'wasInterrupted' | 'cutOffs' | 'survival'
  > = {
    ...{ failure: null, answerMs: null, greetingMs: null, gapsMs: [], stopMs: null },
    ...{ wasInterrupted: false, cutOffs: 0, survival: null },
  };
  readonly #capture: CapturedPacket[] = [];

  constructor(plan: BenchmarkPlan) {
    this.#plan = plan;
    const { lossPercent, seed } = plan;
    const own = localAddress(plan.target.host);
    const line = { background: null, echo: null, lossPercent, jitterMs: 0, random: seededRandom(seed) };
    this.#call = new SimulatedCall({
      ...{ target: plan.target, localAddress: own, from: plan.from, record: true },
      ...(lossPercent > 0 ? { line: new Line(line) } : {}),
      onEvent: (event) => {
        if (event.type === 'ended') this.#end = event;
        this.#look();
      },
      onFrame: (frame) => {
        this.#frames.push(frame);
        this.#look();
      },
      onPacket: (payload, way, atMs) => {
        const here = { address: own, port: this.#call.localRtpPort };
        const there = { address: this.#call.remote?.address ?? '0.0.0.0', port: this.#call.remote?.port ?? 0 };
        const [from, to] = way === 'sent' ? [here, there] : [there, here];
        this.#capture.push({ atMs: performance.timeOrigin + atMs, from, to, payload: Uint8Array.from(payload) });
      },
    });
  }

  async play(): Promise<void> {
    const { questions, interruption, disturb } = this.#plan;
    const beganMs = performance.now();
    await this.#call.place();
    await this.#until(() => this.#call.answeredAtMs !== null, 60_000);
    const answeredMs = this.#call.answeredAtMs ?? beganMs;
    this.result.answerMs = answeredMs - beganMs;
    const greetedMs = await this.#soundAfter(answeredMs, ANSWER_WITHIN_MS);
    this.result.greetingMs = greetedMs === null ? null : greetedMs - answeredMs;
    for (const [index, question] of questions.entries()) {
      await this.#quiet();
      const { endMs } = await this.#speak(question);
      const soundMs = await this.#soundAfter(endMs, ANSWER_WITHIN_MS);
      this.result.gapsMs.push(soundMs === null ? null : soundMs - endMs);
      if (index < questions.length - 1 || soundMs === null) continue;
      if (interruption !== null) await this.#interrupt(interruption);
      if (disturb !== null) await this.#survive(disturb, questions[0] ?? question);
    }
    await this.#quiet();
  }

  async end(): Promise<BenchmarkCall> {
    this.#call.hangUp();
    await this.#until(() => this.#end !== null, 5_000).catch(() => undefined);
    this.#call.close();
    const isAnswered = this.#call.answeredAtMs !== null;
    return {
      ...this.result,
      status: isAnswered ? 200 : (this.#end?.status ?? 0),
      packets: this.#packets(),
      said: joinSamples(this.#call.said),
      heard: joinSamples(this.#call.heard),
      capture: this.#capture,
    };
  }

  /** A sentence over the agent's voice. */
  async #interrupt(samples: Int16Array): Promise<void> {
    await pause(INTERRUPT_AFTER_MS);
    if (!this.#call.agentSpeaking) return;
    this.result.wasInterrupted = true;
    let startMs = Number.NaN;
    const sent = this.#call.speak(samples, {
      onStart: (atMs) => {
        startMs = atMs;
      },
    });
    await pause(STOP_WITHIN_MS);
    await sent;
    const sounds = this.#frames.filter(({ isSound, atMs }) => isSound && atMs >= startMs).map(({ atMs }) => atMs);
    const until = startMs + STOP_WITHIN_MS;
    const last = [startMs, ...sounds, Number.POSITIVE_INFINITY].find(
      (atMs, n, all) => (all[n + 1] ?? until) - atMs > SILENCE_MS,
    );
    this.result.stopMs = last === undefined || last > until - SILENCE_MS ? null : last - startMs;
  }

  async #survive(disturb: () => Promise<void>, question: Int16Array): Promise<void> {
    const fromMs = performance.now();
    await disturb();
    await this.#quiet();
    const { endMs } = await this.#speak(question);
    const isAnswered = (await this.#soundAfter(endMs, ANSWER_WITHIN_MS)) !== null;
    const times = [fromMs, ...this.#frames.filter(({ atMs }) => atMs > fromMs).map(({ atMs }) => atMs)];
    const longestHoleMs = times.reduce((longest, atMs, n) => Math.max(longest, atMs - (times[n - 1] ?? atMs)), 0);
    this.result.survival = { longestHoleMs, isAnswered };
  }

  async #speak(samples: Int16Array): Promise<{ endMs: number }> {
    const wasSpeaking = this.#call.agentSpeaking;
    const before = this.#frames.length;
    const endMs = await this.#call.speak(samples);
    const isCut = this.#frames.slice(before).some(({ isSound, atMs }) => isSound && atMs < endMs);
    if (!wasSpeaking && isCut) this.result.cutOffs++;
    return { endMs };
  }

  async #soundAfter(fromMs: number, withinMs: number): Promise<number | null> {
    const find = (): HeardFrame | undefined => this.#frames.find(({ isSound, atMs }) => isSound && atMs >= fromMs);
    await this.#until(() => find() !== undefined, withinMs).catch((error) => {
      if (error instanceof Ended) throw error;
    });
    return find()?.atMs ?? null;
  }

  async #quiet(): Promise<void> {
    const fromMs = performance.now();
    const isQuiet = (): boolean => {
      const last = this.#frames.findLast(({ isSound }) => isSound)?.atMs ?? fromMs;
      return performance.now() - last >= QUIET_MS;
    };
    await this.#until(isQuiet, TALK_MS).catch((error) => {
      if (error instanceof Ended) throw error;
    });
  }

  #until(condition: () => boolean, withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error): void => {
        clearTimeout(limit);
        clearInterval(again);
        this.#wake.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const check = (): void => {
        if (condition()) return done();
        if (this.#end !== null) done(new Ended(`the other side ended it: ${this.#end.status} ${this.#end.reason}`));
      };
      const limit = setTimeout(() => done(new Error(`nothing came for ${withinMs} ms`)), withinMs);
      const again = setInterval(check, 50);
      this.#wake.add(check);
      check();
    });
  }

  #look(): void {
    for (const each of [...this.#wake]) each();
  }

  /** RFC 3550 6.4.1: expected less received, of each source. */
  #packets(): BenchmarkCall['packets'] {
    const bySource = Map.groupBy(this.#frames, ({ ssrc }) => ssrc);
    const packets = { received: this.#frames.length, lost: 0, late: 0 };
    for (const frames of bySource.values()) {
      let highest = frames[0]?.sequence ?? 0;
      let expected = 1;
      for (const [n, { sequence, atMs }] of frames.entries()) {
        const step = (sequence - highest) & 0xffff;
        if (step < 0x8000) {
          expected += step;
          highest = sequence;
        }
        if (n > 0 && atMs - (frames[n - 1]?.atMs ?? atMs) > LATE_MS) packets.late++;
      }
      packets.lost += Math.max(0, expected - frames.length);
    }
    return packets;
  }
}
