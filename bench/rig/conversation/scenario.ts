// Shared code of the call benches: the service with fake models, and many simulated callers that talk with the agent.
import { fileURLToPath } from 'node:url';
import {
  type CallerEvent,
  type CallOptions,
  type HeardFrame,
  SimulatedCall,
  type SpeakOptions,
} from '../../../engine/test-runs/caller/call.ts';
import { parseTarget } from '../../../engine/test-runs/caller/sip.ts';
import { Rest } from '../service/rest.ts';
import { type Service, startService } from '../service/service.ts';

const fake = (name: string): string => `module:${fileURLToPath(new URL(`../fakes/${name}.ts`, import.meta.url))}`;

/** Fakes of our own ports that answer in 0 ms, so that only the engine is measured. */
export const INSTANT = { STT: fake('stt'), TTS: fake('tts'), LLM: fake('llm') };

/** STT final 150 ms, first token 250 ms (30 tokens/s), first audio 100 ms. */
export const TYPICAL = {
  ...INSTANT,
  FAKE_STT_FINAL_MS: '150',
  FAKE_LLM_FIRST_TOKEN_MS: '250',
  FAKE_TTS_FIRST_AUDIO_MS: '100',
};

/** The service's own recogniser, rules and voice, whatever the environment of the bench names. */
export const BUILT_IN = { STT: 'soundswallower', TTS: 'flite', LLM: 'receptionist' };

export async function withService<T>(
  environment: Record<string, string>,
  run: (service: Service) => Promise<T>,
): Promise<T> {
  const service = await startService({ MAX_CALLS: '400', LOG_LEVEL: 'warn', ...environment });
  try {
    return await run(service);
  } finally {
    await service.stop();
  }
}

/** A caller's utterance; `mark` writes marks for a scripted recogniser into its frames. */
export interface Clip extends Pick<SpeakOptions, 'mark'> {
  samples: Int16Array;
}

/** A caller with promises for events of the agent's sound. */
export class Caller {
  readonly call: SimulatedCall;
  readonly frames: HeardFrame[] = [];
  readonly events: CallerEvent[] = [];
  readonly #waiting = new Set<() => void>();
  ended = false;

  constructor(
    sipAddress: string,
    index: number,
    user = 'demo',
    {
      onSamples,
      ...options
    }: Partial<
      Pick<
        CallOptions,
        'target' | 'localAddress' | 'record' | 'acceptsRefer' | 'headers' | 'line' | 'codec' | 'from' | 'dialog'
      >
    > & {
      /** Takes the samples of each frame. */
      onSamples?(samples: Int16Array): void;
    } = {},
  ) {
    this.call = new SimulatedCall({
      target: parseTarget(`sip:${user}@${sipAddress}`),
      localAddress: '127.0.0.1',
      from: `+1555019${1000 + index}`,
      record: false,
      ...options,
      onEvent: (event) => {
        this.events.push(event);
        if (event.type === 'ended') this.ended = true;
        for (const wake of [...this.#waiting]) wake();
      },
      onFrame: (frame, samples) => {
        this.frames.push(frame);
        onSamples?.(samples);
        for (const wake of [...this.#waiting]) wake();
      },
    });
  }

  /** @throws Error if the condition does not become true in time or the call ends */
  until(what: string, condition: () => boolean, timeoutMs = 30_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error): void => {
        clearTimeout(limit);
        this.#waiting.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const check = (): void => {
        if (condition()) done();
        else if (this.ended) done(new Error(`the call ended (${this.#howItEnded()}) while waiting: ${what}`));
      };
      const limit = setTimeout(() => done(new Error(`waited ${timeoutMs} ms in vain: ${what}`)), timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  /** The far side has ended the call. */
  get wasCut(): boolean {
    return this.events.some((event) => event.type === 'ended' && event.by === 'remote');
  }

  #howItEnded(): string {
    const end = this.events.find((event) => event.type === 'ended');
    return end === undefined ? 'nobody said how' : `${end.by}: ${end.status} ${end.reason}`;
  }

  async answered(): Promise<void> {
    await this.call.place();
    await this.until('answer', () => this.call.answeredAtMs !== null);
  }

  /** First sound of the agent at or after `fromMs`. */
  async agentSound(fromMs: number): Promise<number> {
    const find = (): HeardFrame | undefined => this.frames.findLast((frame) => frame.isSound && frame.atMs >= fromMs);
    await this.until('the agent speaks', () => find() !== undefined);
    return this.frames.find((frame) => frame.isSound && frame.atMs >= fromMs)?.atMs ?? Number.NaN;
  }

  /** The agent has been silent for `ms`. */
  async agentQuiet(ms: number): Promise<void> {
    await this.until(
      'the agent is quiet',
      () => {
        const last = this.frames.at(-1);
        const sound = this.frames.findLast((frame) => frame.isSound);
        return last !== undefined && sound !== undefined && last.atMs - sound.atMs >= ms;
      },
      60_000,
    );
  }

  async hangUp(): Promise<void> {
    this.call.hangUp();
    await this.until('the end', () => this.ended, 5_000).catch(() => undefined);
    this.call.close();
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sets the silence threshold of the demo business: no turn then ends sooner, whatever its words. */
export async function chooseSilenceThreshold(service: Service, silenceThresholdMs: number): Promise<void> {
  const rest = new Rest(service);
  const [demo] = await rest.must('GET', '/businesses');
  await rest.must('PATCH', `/businesses/${demo?.id}`, { silenceThresholdMs });
}

/** Runs `count` callers of the service. */
export function runCallers(
  service: Service,
  count: number,
  run: (caller: Caller, index: number) => Promise<void>,
): Promise<Error[]> {
  return runTogether(count, (index) => new Caller(service.sipAddress, index), run);
}

/** Step between starts: modulo 1 s it spreads the callers' starts, modulo 20 ms their frames. */
const START_STEP_MS = 617;

/**
 * Runs `count` callers, their starts spread over a second, so that they neither send frames nor speak simultaneously.
 */
export async function runTogether(
  count: number,
  makeCaller: (index: number) => Caller,
  run: (caller: Caller, index: number) => Promise<void>,
): Promise<Error[]> {
  const failures: Error[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await pause((index * START_STEP_MS) % 1_000);
      const caller = makeCaller(index);
      try {
        await caller.answered();
        await run(caller, index);
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      } finally {
        await caller.hangUp();
      }
    }),
  );
  return failures;
}
