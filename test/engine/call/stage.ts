// A test stage for whole calls in virtual time: the real conductor, dialogue, transfer and machines between a scripted
// phone line, media shard and model, and a database that only records. Prints what happens as a timeline.
//
//   <  the line or the shard reports      >  the engine asks of the line or the shard      =  the engine writes
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { DENTIST } from '../../../bench/rig/businesses.ts';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { CallControl } from '../../../db/domain/call-control.ts';
import type { CallTerminal } from '../../../db/domain/outcome.ts';
import type { OperationName } from '../../../db/operations.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import type { AgentTable } from '../../../db/schema/agents.ts';
import type { BusinessTable } from '../../../db/schema/businesses.ts';
import type { CampaignTable } from '../../../db/schema/campaigns.ts';
import { Conductor } from '../../../engine/call/conductor.ts';
import type { CallMedium } from '../../../engine/call/context.ts';
import type { OwnTools } from '../../../engine/call/own-tools.ts';
import { ModelBreakers } from '../../../engine/dialogue/model-breakers.ts';
import type { CallJournal } from '../../../engine/journal/journal.ts';
import { type CallCommand, NO_STATS, type OpenCall, type ShardEvent } from '../../../engine/shard/protocol.ts';
import type {
  DialRequest,
  InboundLeg,
  Leg,
  LegEnd,
  LegEvent,
  LegState,
  NegotiatedAudio,
  OutboundLeg,
  RingingState,
  StoredDialog,
  Telephony,
} from '../../../engine/sip/telephony.ts';
import type { ReplyCause } from '../../../engine/turn/machine.ts';
import { type DialogueChunk, type DialogueModel, type DialogueRequest, LlmError } from '../../../models/llm/llm.ts';
import type { SpeechAsk, SpeechEvent } from '../../../models/speech-to-speech/speech-to-speech.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';
import type { Voice } from '../../../models/tts/tts.ts';
import { NO_OWN_TOOLS } from '../../support/no-tools.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';

export const AUDIO = negotiatedAudio({ remoteAddress: '192.0.2.7' });

/** Playback time of speech, per character. */
const MS_PER_CHAR = 60;

export type Script = (request: DialogueRequest) => Iterable<DialogueChunk> | 'fails';

export type SpeechScript = (ask: Extract<SpeechAsk, { type: 'respond' }>, stage: CallStage) => void;

export interface CallStageOptions {
  medium?: 'inbound' | 'outbound' | 'web';
  /** The business's own. */
  holdMusic?: Int16Array;
  agent?: Partial<AgentTable>;
  business?: Partial<BusinessTable>;
  campaign?: Partial<CampaignTable>;
  callerName?: string | null;
  variables?: Record<string, string>;
  contactId?: string | null;
  /** The tenant's own tools. */
  tools?: OwnTools;
  /** What the model says to each request; default: one sentence. */
  model?: Script;
  /** How long the script's first word takes. */
  firstWordMs?: number;
  /** The voices that can be had. */
  voices?: Voice[];
  /** What the recogniser says to another language: why it cannot hear it, null for yes; 'silent': nothing. */
  hearsIn?: (language: string) => string | null | 'silent';
  /** A real model in place of the script. */
  dialogue?: DialogueModel;
  /** A speech-to-speech model answers: what it does when it is asked. */
  speech?: SpeechScript;
  /** The line takes telephone events. */
  takesDigits?: boolean;
  /** Status of the answer to a transfer's REFER; null: no answer. */
  referStatus?: number | null;
  /** Why no person may be called. */
  transferObstacle?: string;
  faults?: { open?: boolean; neverCloses?: boolean };
  /** Every write takes this long. */
  writeMs?: number;
  journal?: CallJournal;
}

export class StageLeg implements InboundLeg, OutboundLeg {
  readonly sipCallId = 'sip-1';
  readonly direction: never;
  readonly called = '+12125550100';
  readonly caller = { number: '+14155550123', name: 'Ada' };
  readonly divertedFrom = [];
  readonly trunkId = 'trk_1';
  readonly sipAccountId = null;
  readonly remoteAddress = '192.0.2.7';
  readonly sampleRateHz = 8_000;
  readonly #name: string;
  readonly #print: (line: string) => void;
  #listener: ((event: LegEvent) => void) | null = null;
  readonly #kept: LegEvent[] = [];
  onRefer: ((target: string) => void) | null = null;
  ringing: RingingState | null = null;
  state: LegState | null = null;
  isOver = false;

  constructor(name: string, direction: 'inbound' | 'outbound', print: (line: string) => void) {
    this.#name = name;
    this.direction = direction as never;
    this.#print = print;
  }

  onEvent(listener: (event: LegEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#kept.splice(0)) listener(event);
  }

  /** The far end does something. After `ended` nothing comes, as the port promises. */
  report(event: LegEvent): void {
    if (this.isOver) return;
    if (event.type === 'ended') this.isOver = true;
    this.#print(`< ${this.#name}: ${describeLeg(event)}`);
    if (this.#listener) this.#listener(event);
    else this.#kept.push(event);
  }

  end(change: Partial<LegEnd> = {}): void {
    const end: LegEnd = { by: 'remote', sipStatus: null, q850Cause: null, reason: '', rang: false, ...change };
    this.report({ type: 'ended', end });
  }

  hangUp(): void {
    if (this.isOver) return;
    this.#print(`> ${this.#name}: hang up`);
    this.end({ by: 'local' });
  }

  refer(target: string): void {
    this.#print(`> ${this.#name}: REFER to ${target}`);
    this.onRefer?.(target);
  }

  sendInfoDigits(digits: string): void {
    this.#print(`> ${this.#name}: INFO ${digits}`);
  }

  ring(): void {
    this.#print(`> ${this.#name}: 180`);
  }

  answer(): void {
    this.#print(`> ${this.#name}: 200`);
    this.report({ type: 'answered', audio: AUDIO });
  }

  reject(sipStatus: number): void {
    this.#print(`> ${this.#name}: ${sipStatus}`);
    this.end({ by: 'local', sipStatus });
  }
}

function describeLeg(event: LegEvent): string {
  if (event.type === 'ended') return `ended by ${event.end.by}${event.end.sipStatus ? ` ${event.end.sipStatus}` : ''}`;
  if (event.type === 'refer-progress') return `NOTIFY ${event.status}`;
  return event.type;
}

export interface Write {
  atMs: number;
  operation: OperationName;
  args: Record<string, unknown>;
}

interface Speaking {
  epoch: number;
  texts: string[];
  cause: ReplyCause;
  isCommitted: boolean;
  isComplete: boolean;
  startedAtMs: number | null;
  cancel: (() => void) | null;
  /** The speech-to-speech model has begun it, and not ended it. */
  owes?: boolean;
}

/** The audio of one call in the shard, with a turn machine that always yields and never errs. */
class StageAudio {
  readonly command: OpenCall;
  readonly #emit: (event: ShardEvent) => void;
  epoch = 0;
  answeredAtMs: number | null = null;
  connected: NegotiatedAudio | null = null;
  current: Speaking | null = null;
  /** The conductor asked it to close. */
  isClosed = false;
  /** Closed, or never opened: it reports nothing more. */
  isGone = false;

  constructor(command: OpenCall, emit: (event: ShardEvent) => void) {
    this.command = command;
    this.#emit = emit;
  }

  emit(event: ShardEvent): void {
    if (this.isGone) return;
    this.isGone = event.type === 'closed' || event.type === 'open-failed';
    this.#emit(event);
  }
}

export class CallStage {
  /** Fractional, as a real monotonic clock is. */
  readonly clock = new VirtualClock(1_000_000_000_000.25);
  readonly startMs = this.clock.monotonicMs();
  readonly writes: Write[] = [];
  readonly requests: DialogueRequest[] = [];
  readonly lines: string[] = [];
  readonly legs: StageLeg[] = [];
  readonly ended: CallTerminal[] = [];
  readonly conductor: Conductor;
  readonly #options: CallStageOptions;
  /** What the speech-to-speech model was asked, in order. */
  readonly asks: SpeechAsk[] = [];
  readonly #audio = new Map<string, StageAudio>();
  /** Of persons to whom the caller is transferred. */
  placesTaken = 0;
  /** The caller's or callee's leg; absent in a browser call. */
  leg: StageLeg | null = null;
  /** The next operation of this name fails permanently. */
  failing: OperationName | null = null;

  constructor(options: CallStageOptions = {}) {
    this.#options = options;
    const kind = options.medium ?? 'inbound';
    const print = (line: string): void => this.print(line);
    if (kind === 'inbound') {
      this.leg = new StageLeg('line', 'inbound', print);
      this.#answerRefer(this.leg);
    }
    const medium: CallMedium =
      kind === 'inbound' && this.leg
        ? { kind: 'inbound', leg: this.leg, sipAccountId: null }
        : kind === 'outbound'
          ? { kind: 'outbound', trunkIds: ['trk_1'], detectMachines: true }
          : { kind: 'web', token: 'hash' };
    this.conductor = new Conductor(
      {
        telephony: this.#telephony(),
        shards: {
          open: (command, onEvent) => this.#open(command, onEvent),
          send: (command) => this.#command(command),
        },
        writer: {
          run: this.#write as never,
          runDurably: this.#write as never,
          keepsOrder: false,
          runWithin: this.#write as never,
        },
        store: {
          listBooked: async () => [],
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
        recogniser: { patienceMs: 1_500, blockMs: 60, hearsWords: false },
        recordingsDir: '/recordings',
        ...(options.journal ? { journal: options.journal } : {}),
        trunksFor: async () => ['trk_1'],
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
          fromNumber: kind === 'outbound' ? '+12125550100' : '+14155550123',
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

  /** Told what the recogniser is to hear from then on. */
  onListen: (vocabulary: SttVocabulary) => void = () => undefined;

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
      this.clock.advance(Math.min(20, untilMs - this.clock.monotonicMs()));
      await settle();
    }
    return this;
  }

  /** The caller speaks, cutting off the agent, and is answered when they are done. */
  async says(text: string, forMs = 0, understood = true): Promise<this> {
    this.print(`  caller: ${text}`);
    const audio = this.audio();
    const startedAtMs = this.#position(audio);
    this.#cut(audio);
    const cause: ReplyCause = { kind: 'turn', text, understood, confidence: 0.9, startedAtMs };
    this.#want(audio, cause);
    return this.run(forMs);
  }

  /** Who talks beside the agent says something. */
  async supervisorSays(text: string, forMs = 0): Promise<this> {
    this.print(`  supervisor: ${text}`);
    const audio = this.audio('call_1:supervisor');
    this.#want(audio, { kind: 'turn', text, understood: true, confidence: 0.9, startedAtMs: this.#position(audio) });
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
    this.#cut(audio);
    this.#want(audio, { kind: 'fallback', reason: 'stt-failed' });
    return this.run(forMs);
  }

  /** Somebody speaks on the line of a person to whom the caller is to be handed. */
  async personSays(text: string, forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`  person: ${text}`);
    const audio = this.audio(callId);
    const startedAtMs = this.#position(audio);
    this.#cut(audio);
    this.#want(audio, { kind: 'turn', text, understood: true, confidence: 0.9, startedAtMs });
    return this.run(forMs);
  }

  async personPresses(digit: string, forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`  person presses ${digit}`);
    const audio = this.audio(callId);
    audio.emit({ type: 'caller-digits', callId, digits: digit, atMs: this.#position(audio) });
    return this.run(forMs);
  }

  /** Who has answered there. */
  async amd(verdict: 'human' | 'machine' | 'uncertain', forMs = 0, callId = 'call_1:human:0:0'): Promise<this> {
    this.print(`< shard: ${verdict} on the person's line`);
    this.audio(callId).emit({ type: 'amd', callId, verdict, atMs: this.#position(this.audio(callId)) });
    return this.run(forMs);
  }

  async keys(digits: string, forMs = 0): Promise<this> {
    const audio = this.audio();
    for (const digit of digits) {
      this.print(`  caller presses ${digit}`);
      const atMs = this.#position(audio);
      audio.emit({ type: 'caller-digits', callId: 'call_1', digits: digit, atMs });
    }
    return this.run(forMs);
  }

  /** A reply that the turn machine asks for by itself: after silence or keys. */
  async wants(cause: ReplyCause, forMs = 0): Promise<this> {
    this.#want(this.audio(), cause);
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

  audio(callId = 'call_1'): StageAudio {
    const audio = this.#audio.get(callId);
    if (!audio) throw new Error(`no audio of ${callId} was opened`);
    return audio;
  }

  hasAudio(callId = 'call_1'): boolean {
    return this.#audio.has(callId);
  }

  of(operation: OperationName): Array<Record<string, unknown>> {
    return this.writes.filter((write) => write.operation === operation).map((write) => write.args);
  }

  /** Audio that was opened and never closed. */
  get openAudio(): string[] {
    return [...this.#audio].filter(([, audio]) => !audio.isClosed).map(([callId]) => callId);
  }

  print(line: string): void {
    this.lines.push(`${String(this.clock.monotonicMs() - this.startMs).padStart(6)}  ${line}`);
  }

  timeline(): string {
    return `${this.lines.join('\n')}\n`;
  }

  // The line

  #telephony(): Telephony {
    const never = (): never => {
      throw new Error('not on this stage');
    };
    return {
      start: never,
      onInvite: never,
      setAdmission: never,
      setTrunks: never,
      onTrunkState: never,
      endStored: never,
      reaches: never,
      drain: never,
      stop: never,
      dial: (request) => this.#dial(request),
      resume: (state) => this.#goOn('state', state),
      resumeRinging: (state) => this.#goOn('ringing', state),
    };
  }

  /** The person's leg, which another process has dialled. */
  #goOn<K extends 'state' | 'ringing'>(kind: K, state: StageLeg[K]): OutboundLeg & Leg {
    const leg = new StageLeg('person', 'outbound', (line) => this.print(line));
    leg[kind] = state;
    this.legs.push(leg);
    return leg;
  }

  #place(): () => void {
    this.placesTaken++;
    let isTaken = true;
    return () => {
      if (isTaken) this.placesTaken--;
      isTaken = false;
    };
  }

  #dial(request: DialRequest): OutboundLeg {
    const name = this.leg === null && this.#options.medium === 'outbound' ? 'line' : 'person';
    const leg = new StageLeg(name, 'outbound', (line) => this.print(line));
    this.legs.push(leg);
    if (name === 'line') {
      this.leg = leg;
      this.#answerRefer(leg);
    }
    this.print(`> ${name}: dial ${request.to} from ${request.from}`);
    void request.beforeInvite?.(dialogOf(name)).then(() => {
      if (!leg.isOver) this.print(`> ${name}: INVITE`);
    });
    return leg;
  }

  #answerRefer(leg: StageLeg): void {
    const { referStatus = 405 } = this.#options;
    leg.onRefer = () => {
      if (referStatus === null) return;
      const reason = '';
      this.clock.after(200, () => leg.report({ type: 'refer-progress', status: referStatus, reason }));
    };
  }

  // The shard

  #open(command: OpenCall, emit: (event: ShardEvent) => void): void {
    const { callId } = command;
    this.print(`> shard: open ${callId}`);
    const audio = new StageAudio(command, emit);
    this.#audio.set(callId, audio);
    // As the pool: the owner has heard of it in another process.
    if (command.resume) return;
    this.clock.after(2, () => {
      if (!this.#options.faults?.open) {
        audio.emit({ type: 'opened', callId, address: '127.0.0.1', port: 20_000 });
        return;
      }
      audio.isClosed = true;
      audio.emit({ type: 'open-failed', callId, code: 'NO_PORTS', message: 'no ports' });
    });
  }

  #command(command: CallCommand): void {
    const audio = this.#audio.get(command.callId);
    if (!audio || audio.isClosed) return;
    const { callId } = command;
    switch (command.type) {
      case 'connect':
        audio.connected = command.audio;
        return;
      case 'answered':
        audio.answeredAtMs ??= this.clock.monotonicMs();
        // A call that goes on after its answer has had its opening.
        if (!audio.command.resume?.answeredAtMs) this.#want(audio, { kind: 'opening' });
        return;
      case 'speak': {
        const reply = audio.current;
        if (!reply || reply.epoch !== command.epoch) return;
        reply.texts.push(command.text);
        reply.startedAtMs ??= this.#position(audio);
        this.print(`> ${callId === 'call_1' ? 'agent' : 'agent to person'}: ${command.text}`);
        return;
      }
      case 'speech-model':
        this.asks.push(command.ask);
        if (command.ask.type === 'respond') this.#options.speech?.(command.ask, this);
        return;
      case 'reply-complete':
        this.#complete(audio, command.epoch);
        return;
      case 'request-reply':
        this.#want(audio, { kind: 'requested', request: command.request });
        return;
      case 'digit':
        this.print(`> shard: digit ${command.digit}`);
        audio.emit({ type: 'caller-digits', callId, digits: command.digit, atMs: this.#position(audio) });
        return;
      case 'listen-in': {
        const { language, additionalLanguages = [] } = command.vocabulary;
        this.print(`> shard: listen in ${[language, ...additionalLanguages].join(', ')}`);
        this.onListen(command.vocabulary);
        const message = this.#options.hearsIn?.(language) ?? null;
        if (message === 'silent') return;
        this.clock.after(40, () => audio.emit({ type: 'listens-in', callId, change: command.change, message }));
        return;
      }
      case 'speak-in':
        this.print(
          `> shard: speak in ${command.language}, voice ${command.voice.voiceId}${command.speechVoice === null ? '' : `, model's ${command.speechVoice}`}`,
        );
        return;
      case 'send-digits': {
        const ok = this.#options.takesDigits ?? true;
        this.print(`> shard: digits ${command.digits}${ok ? '' : ' (not taken)'}`);
        this.clock.after(1, () => audio.emit({ type: 'digits-sent', callId, ok }));
        return;
      }
      case 'silence':
        if (audio.current) this.print('> agent stops');
        return this.#cut(audio);
      case 'mask':
        this.print(`> recording: ${command.isMasked ? 'masked' : 'unmasked'}`);
        return;
      case 'bridge':
      case 'unbridge':
        this.print(`> shard: ${command.type}`);
        return;
      case 'hold-music':
        this.print(`> shard: music ${command.isOn ? 'on' : 'off'}${command.own ? ', their own' : ''}`);
        return;
      case 'close':
        this.#close(audio, callId);
        return;
      default:
    }
  }

  /** The speech-to-speech model says something, as the shard tells it. */
  modelSays(event: SpeechEvent): void {
    const audio = this.audio();
    const reply = audio.current;
    const callId = 'call_1';
    if (event.type === 'words' && reply?.epoch === event.epoch) {
      this.print(`> agent, own voice: ${event.text.trim()}`);
      reply.startedAtMs ??= this.#position(audio);
      reply.owes = true;
      reply.texts.push(event.text.trim());
    }
    if (event.type === 'done' && reply?.epoch === event.epoch) reply.owes = false;
    if (event.type === 'lost') this.print(`< model: lost (${event.message})`);
    audio.emit({ type: 'speech-model', callId, event });
    if (event.type !== 'lost') return;
    const { message } = event;
    audio.emit({ type: 'model-fallback', callId, model: 'speech-to-speech', from: 'fake', to: 'cascade', message });
    const request = { kind: 'answer', note: { kind: 'voice-lost' } } as const;
    // In another message from the shard.
    if (reply?.owes) this.clock.after(1, () => this.#want(audio, { kind: 'requested', request }));
  }

  #position(audio: StageAudio): number {
    return audio.answeredAtMs === null ? 0 : this.clock.monotonicMs() - audio.answeredAtMs;
  }

  #want(audio: StageAudio, cause: ReplyCause): void {
    this.#cut(audio);
    const epoch = ++audio.epoch;
    const fresh: Speaking = {
      epoch,
      texts: [],
      cause,
      isCommitted: true,
      isComplete: false,
      startedAtMs: null,
      cancel: null,
    };
    audio.current = fresh;
    audio.emit({ type: 'reply-wanted', callId: audio.command.callId, epoch, cause, committed: true });
  }

  #complete(audio: StageAudio, epoch: number): void {
    const reply = audio.current;
    if (!reply || reply.epoch !== epoch) return;
    reply.isComplete = true;
    const text = reply.texts.join(' ');
    reply.cancel = this.clock.after(text.length * MS_PER_CHAR, () => this.#heard(audio, reply, text, false));
  }

  #heard(audio: StageAudio, reply: Speaking, text: string, interrupted: boolean): void {
    if (audio.current === reply) audio.current = null;
    const { epoch, startedAtMs } = reply;
    audio.emit({
      type: 'reply-heard',
      callId: audio.command.callId,
      epoch,
      text,
      startedAtMs: startedAtMs ?? 0,
      interrupted,
    });
  }

  /** The speaker takes the floor: the agent's reply keeps only what was heard. */
  #cut(audio: StageAudio): void {
    const reply = audio.current;
    if (!reply) return;
    reply.cancel?.();
    const saidMs = reply.startedAtMs === null ? 0 : this.#position(audio) - reply.startedAtMs;
    const whole = reply.texts.join(' ');
    const heard = whole.slice(0, Math.floor(saidMs / MS_PER_CHAR));
    this.#heard(audio, reply, heard.slice(0, Math.max(0, heard.lastIndexOf(' '))), true);
  }

  #close(audio: StageAudio, callId: string): void {
    audio.current?.cancel?.();
    audio.current = null;
    audio.isClosed = true;
    if (callId === 'call_1') this.print('> shard: close');
    if (this.#options.faults?.neverCloses) return;
    const { recordingPath } = audio.command;
    const recordedMs = this.#position(audio);
    this.clock.after(30, () => {
      audio.emit({
        type: 'closed',
        callId,
        recordedMs,
        recordingPath: audio.answeredAtMs === null ? null : recordingPath,
        stats: NO_STATS,
      });
    });
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

export function setupOf({
  agent = {},
  business = {},
  campaign = {},
}: Pick<CallStageOptions, 'agent' | 'business' | 'campaign'>): CallSetup {
  const { name, timezone, hours, services, faqs, transferNumber } = DENTIST;
  return {
    agent: {
      id: 'agt_1',
      name: 'Sam',
      voiceId: 'flite-slt',
      language: 'en-US',
      additionalLanguages: '[]',
      languages: '[]',
      conversation: '{}',
      ...agent,
    } as AgentTable,
    business: {
      id: 'biz_1',
      name,
      timezone,
      hours: JSON.stringify(hours),
      services: JSON.stringify(services),
      faqs: JSON.stringify(faqs),
      policies: '[]',
      transferNumber,
      destinations: '[]',
      greetingTemplate: null,
      fallbackMessage: null,
      dialogueFallback: null,
      businessContext: null,
      currency: null,
      voiceSettings: '{}',
      interruptionSensitivity: 0.5,
      maxCallDurationMinutes: 30,
      silenceThresholdMs: 600,
      silenceThresholdChosen: 0,
      redaction: null,
      ...business,
    } as BusinessTable,
    campaign: {
      id: 'cmp_1',
      recordingEnabled: 1,
      greetingTemplate: null,
      instructions: null,
      voicemailAction: 'hangup',
      voicemailMessage: null,
      destinations: '[]',
      ...campaign,
    } as CampaignTable,
    tools: [],
    headings: null,
  };
}

function dialogOf(name: string): StoredDialog {
  return {
    state: 'inviting',
    role: 'uac',
    transport: 'udp',
    nextHop: '192.0.2.7:5060',
    callId: `sip-${name}`,
    localUri: 'sip:a@example.test',
    localTag: 'a',
    remoteUri: 'sip:b@example.test',
    remoteTag: null,
    remoteTarget: 'sip:b@192.0.2.7',
    routeSet: [],
    localCSeq: 1,
    inviteVia: null,
    trunkId: 'trk_1',
  };
}

/** Runs everything that is ready: promises settle, no time passes. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 4; round++) await new Promise((resolve) => setImmediate(resolve));
}
