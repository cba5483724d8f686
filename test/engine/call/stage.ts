// A test stage for whole calls in virtual time: the real conductor, dialogue, transfer and machines between a scripted
// phone line, media shard and model, and a database that only records. Prints what happens as a timeline.
//
//   <  the line or the shard reports      >  the engine asks of the line or the shard      =  the engine writes
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { CallControl } from '../../../db/domain/calls/control.ts';
import type { CallTerminal } from '../../../db/domain/calls/outcome.ts';
import type { BilledEngines } from '../../../db/domain/cost/uses.ts';
import type { OperationName } from '../../../db/writing/operations.ts';
import { Conductor } from '../../../engine/call/conductor.ts';
import type { CallMedium, ConductorDeps } from '../../../engine/call/context.ts';
import type { OwnTools } from '../../../engine/call/own-tools.ts';
import { ModelBreakers } from '../../../engine/dialogue/model-breakers.ts';
import type { CallJournal } from '../../../engine/journal/journal.ts';
import type { ShardEvent } from '../../../engine/shard/protocol.ts';
import type { ReplyCause } from '../../../engine/turn/machine.ts';
import { type DialogueChunk, type DialogueModel, type DialogueRequest, LlmError } from '../../../models/llm/llm.ts';
import type { Voice } from '../../../models/tts/tts.ts';
import { NO_OWN_TOOLS } from '../../support/no-tools.ts';
import type { StageLeg } from './stage-leg.ts';
import { StageLines, type StageLinesOptions } from './stage-lines.ts';
import { type SetupChange, setupOf } from './stage-setup.ts';
import { type SpeechRequest, type StageAudio, StageShard, type StageShardOptions } from './stage-shard.ts';

export type Script = (request: DialogueRequest) => Iterable<DialogueChunk> | 'fails';

export type SpeechScript = (ask: SpeechRequest, stage: CallStage) => void;

export interface CallStageOptions extends SetupChange, StageLinesOptions, StageShardOptions {
  /** The business's own. */
  holdMusic?: Int16Array;
  callerName?: string | null;
  /** Of a call that comes in. */
  callerNumber?: string;
  variables?: Record<string, string>;
  contactId?: string | null;
  /** The tenant's own tools. */
  tools?: OwnTools;
  /** The model's answer to each request; default: one sentence. */
  model?: Script;
  /** How long the script's first word takes. */
  firstWordMs?: number;
  /** The voices that can be had. */
  voices?: Voice[];
  recogniser?: ConductorDeps['recogniser'];
  /** A real model in place of the script. */
  dialogue?: DialogueModel;
  /** A speech-to-speech model answers: what it does when it is asked. */
  speech?: SpeechScript;
  /** Why no person may be called. */
  transferObstacle?: string;
  /** To persons, in the order to try them; default: one. */
  trunkIds?: string[];
  /** Of every trunk; default: it does. */
  acceptsRefer?: boolean;
  /** Every write takes this long. */
  writeMs?: number;
  journal?: CallJournal;
  /** The engines as bills name them. */
  billed?: BilledEngines;
}

interface Write {
  atMs: number;
  operation: OperationName;
  args: Record<string, unknown>;
}

const OWN = { model: null, isOwn: true };
const OWN_ENGINES: BilledEngines = {
  stt: { engine: 'ear', ...OWN },
  tts: { engine: 'mouth', ...OWN },
  speechToSpeech: null,
};

/** Of virtual time between two looks for promises that settle: a frame of audio. */
const STEP_MS = 20;

export class CallStage {
  /** Fractional, as a real monotonic clock is. */
  readonly clock = new VirtualClock(1_000_000_000_000.25);
  readonly startMs = this.clock.monotonicMs();
  readonly writes: Write[] = [];
  readonly requests: DialogueRequest[] = [];
  readonly lines: string[] = [];
  readonly ended: CallTerminal[] = [];
  readonly conductor: Conductor;
  readonly #options: CallStageOptions;
  readonly shard: StageShard;
  readonly #lines: StageLines;
  /** Of persons to whom the caller is transferred. */
  placesTaken = 0;
  /** The next operation of this name fails permanently. */
  failing: OperationName | null = null;

  constructor(options: CallStageOptions = {}) {
    this.#options = options;
    const kind = options.medium ?? 'inbound';
    const print = (line: string): void => this.print(line);
    this.#lines = new StageLines(options, this.clock, print);
    this.shard = new StageShard(options, this.clock, print);
    this.shard.onAsk = (ask) => options.speech?.(ask, this);
    const medium: CallMedium =
      kind === 'inbound' && this.leg
        ? { kind: 'inbound', leg: this.leg, sipAccountId: null }
        : kind === 'outbound'
          ? { kind: 'outbound', trunkIds: ['trk_1'], detectMachines: true }
          : { kind: 'web', token: 'hash' };
    this.conductor = new Conductor(
      {
        telephony: this.#lines.port,
        shards: {
          open: (command, onEvent) => this.shard.open(command, onEvent),
          send: (command) => this.shard.send(command),
        },
        writer: {
          run: this.#write as never,
          runDurably: this.#write as never,
          keepsOrder: false,
          runWithin: this.#write as never,
        },
        store: {
          listTaken: async () => [],
          bookingTries: async () => ({ booked: 0, changed: 0, wrongReferences: 0, wrongOfBusiness: 0 }),
          appointmentsOfCaller: async () => [],
          searchPassages: async () => [],
          holdMusic: async () => options.holdMusic ?? null,
          contactAfterAttempt: async (_id, end) => ({
            status: end.answered ? 'COMPLETED' : end.retryable ? 'PENDING' : 'FAILED',
            nextAttemptAt: null,
          }),
        },
        dialogue: options.dialogue ?? {
          name: 'script',
          complete: null,
          reply: (request, signal) => this.#reply(request, signal),
        },
        ...(options.speech ? { speechToSpeech: { engine: 'fake' } } : {}),
        tools: options.tools ?? NO_OWN_TOOLS,
        llmTimeoutMs: 8_000,
        breakers: new ModelBreakers(this.clock),
        voices: () => options.voices ?? [],
        recogniser: options.recogniser ?? { patienceMs: 1_500, blockMs: 60, hearsWords: false },
        recordingsDir: '/recordings',
        ...(options.journal ? { journal: options.journal } : {}),
        billedEngines: () => options.billed ?? OWN_ENGINES,
        trunksFor: async () => options.trunkIds ?? ['trk_1'],
        acceptsRefer: () => options.acceptsRefer ?? true,
        permits: {
          obstacle: async () => options.transferObstacle ?? null,
          place: async (_call, book) => {
            if (options.transferObstacle) return options.transferObstacle;
            void book();
            return this.#place();
          },
          adoptPlace: () => this.#place(),
        },
        clock: this.clock,
        log: pino({ level: 'silent' }),
        metrics: {
          turnLatency() {},
          turnTimed() {},
          yieldTimed() {},
          bargeIn() {},
          falseInterruption() {},
          audioPath() {},
          modelFailed() {},
          turnEndJudged() {},
          modelFallback() {},
          modelUsed() {},
          turnEnded() {},
          callEnded() {},
          resumed() {},
        },
      },
      {
        call: {
          id: 'call_1',
          accountId: 'acc_1',
          phoneNumberId: 'pn_1',
          contactId: options.contactId ?? null,
          fromNumber: kind === 'outbound' ? '+12125550100' : (options.callerNumber ?? '+14155550123'),
          toNumber: kind === 'outbound' ? '+14155550123' : '+12125550100',
          callerName: options.callerName ?? null,
          variables: JSON.stringify(options.variables ?? {}),
          trunkId: 'trk_1',
        },
        setup: setupOf(options),
        medium,
        engineId: 'eng_1',
        onEnded: (terminal) => {
          this.ended.push(terminal);
          this.print(`= ended: ${terminal.status} ${terminal.outcome} ${terminal.endReason}`);
        },
      },
    );
  }

  // Actions of a scene

  /** Starts the call; like all that happens to it below, it then plays for so long. */
  async start(forMs = 0): Promise<this> {
    this.conductor.start();
    return this.run(forMs);
  }

  /** Advances virtual time, letting promises settle between steps. */
  async run(forMs: number): Promise<this> {
    const untilMs = this.clock.monotonicMs() + forMs;
    await settle();
    while (this.clock.monotonicMs() < untilMs) {
      // Steps in which nothing is due are one.
      const quietMs = Math.min(this.clock.nextAtMs, untilMs) - this.clock.monotonicMs();
      this.clock.advance(Math.max(0, Math.ceil(quietMs / STEP_MS) - 1) * STEP_MS);
      this.clock.advance(Math.min(STEP_MS, untilMs - this.clock.monotonicMs()));
      await settle();
    }
    return this;
  }

  /** The caller speaks, cutting off the agent, and is answered when they are done. */
  async says(text: string, forMs = 0, understood = true): Promise<this> {
    this.print(`  caller: ${text}`);
    const audio = this.audio();
    const startedAtMs = this.shard.position(audio);
    this.shard.cut(audio);
    const cause: ReplyCause = { kind: 'turn', text, understood, confidence: 0.9, startedAtMs };
    this.shard.want(audio, cause);
    return this.run(forMs);
  }

  /** The person who talks beside the agent says something. */
  async supervisorSays(text: string, forMs = 0): Promise<this> {
    this.print(`  supervisor: ${text}`);
    const audio = this.audio('call_1:supervisor');
    this.shard.want(audio, {
      kind: 'turn',
      text,
      understood: true,
      confidence: 0.9,
      startedAtMs: this.shard.position(audio),
    });
    return this.run(forMs);
  }

  /** A client of the API does something to the call. */
  async controls(control: CallControl, forMs = 0): Promise<this> {
    this.print(`  client: ${control.kind}`);
    void this.conductor.controls.apply(control).then((answer) => {
      this.print(`  answer: ${'state' in answer ? answer.state : answer.refused}`);
    });
    return this.run(forMs);
  }

  /** The caller spoke, and the recogniser failed. */
  async saysUnheard(forMs = 0): Promise<this> {
    this.print('  caller: (the recogniser fails)');
    const audio = this.audio();
    this.shard.cut(audio);
    this.shard.want(audio, { kind: 'fallback', reason: 'stt-failed' });
    return this.run(forMs);
  }

  /** Somebody speaks on the line of a person to whom the caller is to be handed. */
  async personSays(text: string, forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`  person: ${text}`);
    const audio = this.audio(callId);
    const startedAtMs = this.shard.position(audio);
    this.shard.cut(audio);
    this.shard.want(audio, { kind: 'turn', text, understood: true, confidence: 0.9, startedAtMs });
    return this.run(forMs);
  }

  async personPresses(digit: string, forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`  person presses ${digit}`);
    const audio = this.audio(callId);
    audio.emit({ type: 'caller-digits', callId, digits: digit, atMs: this.shard.position(audio) });
    return this.run(forMs);
  }

  /** The verdict on who has answered there. */
  async amd(verdict: 'human' | 'machine' | 'uncertain', forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`< shard: ${verdict} on the person's line`);
    this.audio(callId).emit({ type: 'amd', callId, verdict, atMs: this.shard.position(this.audio(callId)) });
    return this.run(forMs);
  }

  async keys(digits: string, forMs = 0): Promise<this> {
    const audio = this.audio();
    for (const digit of digits) {
      this.print(`  caller presses ${digit}`);
      const atMs = this.shard.position(audio);
      audio.emit({ type: 'caller-digits', callId: 'call_1', digits: digit, atMs });
    }
    return this.run(forMs);
  }

  /** A reply that the turn machine asks for by itself: after silence or keys. */
  async wants(cause: ReplyCause, forMs = 0): Promise<this> {
    this.shard.want(this.audio(), cause);
    return this.run(forMs);
  }

  async reports(event: ShardEvent, forMs = 0): Promise<this> {
    this.print(`< shard: ${event.type}`);
    this.audio().emit(event);
    return this.run(forMs);
  }

  /** The far end of the call's own line hangs up. */
  async hangsUp(): Promise<this> {
    this.leg?.end();
    return this.run(100);
  }

  /** The caller's or callee's; null in a browser call, and before it is dialled. */
  get leg(): StageLeg | null {
    return this.#lines.own;
  }

  /** It is another process's, and goes on here. */
  set leg(leg: StageLeg | null) {
    this.#lines.own = leg;
  }

  /** The legs that were dialled. */
  get legs(): StageLeg[] {
    return this.#lines.legs;
  }

  audio(callId?: string): StageAudio {
    return this.shard.audio(callId);
  }

  of(operation: OperationName): Array<Record<string, unknown>> {
    return this.writes.filter((write) => write.operation === operation).map((write) => write.args);
  }

  print(line: string): void {
    this.lines.push(`${String(this.clock.monotonicMs() - this.startMs).padStart(6)}  ${line}`);
  }

  timeline(): string {
    return `${this.lines.join('\n')}\n`;
  }

  #place(): () => void {
    this.placesTaken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.placesTaken--;
      isTaken = false;
    };
  }

  // The model and the database

  async *#reply(request: DialogueRequest, signal: AbortSignal): AsyncIterable<DialogueChunk> {
    this.requests.push(request);
    const { firstWordMs = 0 } = this.#options;
    if (firstWordMs > 0)
      await new Promise<void>((resolve) => {
        const cancel = this.clock.after(firstWordMs, resolve);
        signal.addEventListener('abort', () => {
          cancel();
          resolve();
        });
      });
    if (signal.aborted) return;
    const script = this.#options.model ?? (() => [{ type: 'text', text: 'Certainly.' } as const]);
    const said = script(request);
    if (said === 'fails') throw new LlmError('LLM_UNAVAILABLE', 'the model is down');
    yield* said;
  }

  readonly #write = async (operation: OperationName, args: Record<string, unknown>): Promise<unknown> => {
    const { writeMs = 1 } = this.#options;
    await new Promise<void>((resolve) => this.clock.after(writeMs, resolve));
    if (this.failing === operation) {
      this.failing = null;
      throw new Error(`${operation} failed`);
    }
    for (const [name, value] of Object.entries(args)) {
      if (name.endsWith('Ms') && value !== null) assert.ok(Number.isInteger(value), `${operation}.${name}: ${value}`);
    }
    this.writes.push({ atMs: this.clock.monotonicMs() - this.startMs, operation, args });
    if (operation !== 'appendFeed' && operation !== 'countTurn') this.print(`= ${operation}`);
    return operation === 'bookAppointment' ? { booked: true, appointmentId: 'apt_1' } : true;
  };
}

/** Runs everything that is ready: promises settle, no time passes. */
async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve));
}
