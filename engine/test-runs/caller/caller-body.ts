// A simulated caller on its thread: dials, says what it is told, and reports what came over the line. It decides
// nothing: when to say what is decided by whoever knows what the agent has said (caller-mind.ts).
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { TtsEngine } from '../../../models/tts/tts.ts';
import { type CallerEvent, type HeardFrame, SimulatedCall } from './call.ts';
import type { CallerCommand, CallerNews, CallerPlan, OwnVoice, SaidSentence } from './caller-plan.ts';
import { Line } from './line.ts';
import { seededRandom } from './seeded-random.ts';
import { localAddress, parseTarget } from './sip.ts';
import { makeSound, withGain } from './sounds.ts';
import { resampleWhole, speechBy } from './speech.ts';
import { callerVoice, voiceEngine } from './voice.ts';

/** Of its telephone. */
const RATE_HZ = 8_000;
/** Of the room's noise, which is repeated. */
const NOISE_MS = 8_000;
/** A telephone's own echo, as it comes back over a long line. */
const ECHO = { gainDb: -22, delayMs: 120 };
/** For the answer to a BYE. */
const BYE_MS = 3_000;

export class CallerBody {
  readonly #plan: CallerPlan;
  readonly #tell: (news: CallerNews) => void;
  readonly #said: SaidSentence[] = [];
  readonly #ended = Promise.withResolvers<Extract<CallerEvent, { type: 'ended' }>>();
  #call: SimulatedCall | null = null;
  #voice: { engine: TtsEngine; id: string } | null = null;
  #line: Line | null = null;
  #speaking: { sentence: SaidSentence; wasSilent: boolean } | null = null;
  #turns: Promise<void> = Promise.resolve();

  constructor(plan: CallerPlan, tell: (news: CallerNews) => void) {
    this.#plan = plan;
    this.#tell = tell;
  }

  /** Calls, and resolves once the call is over and reported. */
  async place(): Promise<void> {
    const plan = this.#plan;
    const target = parseTarget(plan.address);
    this.#line = await lineOf(plan);
    this.#call = new SimulatedCall({
      target,
      localAddress: localAddress(target.host),
      // The engine's own address: what it tells carriers may lead around the world.
      mediaHost: target.host,
      from: plan.from,
      record: false,
      line: this.#line,
      onEvent: (event) => this.#onEvent(event),
      onFrame: (frame) => this.#onFrame(frame),
    });
    await this.#call.place();
    const limit = new AbortController();
    void pause(plan.limitMs, null, { signal: limit.signal }).then(
      () => this.#call?.hangUp(),
      () => undefined,
    );
    const end = await this.#ended.promise;
    limit.abort();
    await this.#report(end);
  }

  do(command: CallerCommand): void {
    if (command.type === 'hang-up') return void this.#hangUp();
    this.#turns = this.#turns
      .then(() => this.#say(command))
      .catch((error: unknown) => this.#tell({ type: 'failed', message: messageOf(error) }));
  }

  #hangUp(): void {
    this.#call?.hangUp();
    // An engine that is gone answers no BYE, and a call that nobody has answered ends by its CANCEL.
    void pause(BYE_MS).then(() =>
      this.#ended.resolve({ type: 'ended', by: 'local', status: 200, reason: 'BYE', atMs: performance.now() }),
    );
  }

  get #zeroMs(): number {
    return this.#call?.answeredAtMs ?? 0;
  }

  #onEvent(event: CallerEvent): void {
    switch (event.type) {
      case 'answered':
      case 'agent-stopped':
        return this.#tell({ type: event.type });
      case 'agent-started':
        if (this.#speaking?.wasSilent === true) this.#speaking.sentence.isCutOff = true;
        return this.#tell({ type: event.type });
      case 'ended':
        return this.#ended.resolve(event);
      default:
        return;
    }
  }

  #onFrame({ isSound, atMs }: HeardFrame): void {
    const last = this.#said.at(-1);
    if (!isSound || last === undefined || last.gapMs !== null || Number.isNaN(last.endMs)) return;
    const sinceMs = atMs - this.#zeroMs - last.endMs;
    if (sinceMs >= 0) last.gapMs = Math.round(sinceMs);
  }

  async #say({ index, text, clip, afterMs }: Extract<CallerCommand, { type: 'say' }>): Promise<void> {
    const [call, line] = [this.#call, this.#line];
    if (call === null || line === null) return;
    const samples = clip === undefined ? await this.#render(text) : onLine(clip);
    await pause(afterMs);
    const sentence: SaidSentence = {
      ...{ index, text, startMs: Number.NaN, endMs: Number.NaN, gapMs: null, isCutOff: false },
      sum: '',
    };
    let sum = 0x811c9dc5;
    const sentAtMs = await call.speak(samples, {
      onStart: (atMs) => {
        line.beginAnew(randomOf(this.#plan, index));
        sentence.startMs = Math.round(atMs - this.#zeroMs);
        this.#said.push(sentence);
        this.#speaking = { sentence, wasSilent: !call.agentSpeaking };
      },
      mark: (codes) => {
        for (const code of codes) sum = Math.imul(sum ^ code, 0x01000193) >>> 0;
      },
    });
    this.#speaking = null;
    if (Number.isNaN(sentence.startMs)) return;
    sentence.endMs = Math.round(sentAtMs - this.#zeroMs);
    sentence.sum = sum.toString(16).padStart(8, '0');
    this.#tell({ type: 'said', index });
  }

  /** The voice is opened at the first sentence: a kept caller's own voice needs none. */
  async #render(text: string): Promise<Int16Array> {
    if (this.#voice === null) {
      const id = callerVoice(this.#plan, process.env);
      this.#voice = { engine: await voiceEngine(id, process.env), id };
    }
    return speechBy(this.#voice.engine, text, this.#voice.id);
  }

  async #report(end: Extract<CallerEvent, { type: 'ended' }>): Promise<void> {
    const call = this.#call;
    const isAnswered = call?.answeredAtMs !== null && call !== null;
    call?.close();
    await this.#voice?.engine.close();
    this.#tell({
      type: 'ended',
      report: {
        status: end.status,
        reason: end.reason,
        endedBy: end.by === 'local' ? 'caller' : 'agent',
        isAnswered,
        durationMs: isAnswered ? Math.round(end.atMs - this.#zeroMs) : 0,
        said: this.#said.filter(({ endMs }) => !Number.isNaN(endMs)),
        packetsReceived: call?.packetsReceived ?? 0,
      },
    });
  }
}

/** As a telephone sends it. */
const onLine = ({ samples, sampleRateHz }: OwnVoice): Int16Array =>
  sampleRateHz === RATE_HZ ? samples : resampleWhole(samples, sampleRateHz, RATE_HZ);

const randomOf = ({ seed }: CallerPlan, index: number): (() => number) => seededRandom(seed * 7_919 + index * 104_729);

/** The room and the network of the case, before its first sentence. */
async function lineOf(plan: Pick<CallerPlan, 'seed' | 'line'>): Promise<Line> {
  const { noiseDb, lossPercent = 0, echo = false } = plan.line;
  return new Line({
    background: noiseDb === undefined ? null : withGain(await makeSound('noise', NOISE_MS, plan.seed), -noiseDb),
    echo: echo ? ECHO : null,
    lossPercent,
    jitterMs: 0,
    random: seededRandom(plan.seed),
  });
}
