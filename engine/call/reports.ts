// Translates reports from a call's leg and shard into call machine events, record entries and dialogue calls. It
// decides only what a report means.
import type { Logger } from 'pino';
import { unreachable } from '../../db/domain/unexpected.ts';
import type { EngineFallback } from '../../db/records/resources.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { SpeechEvent } from '../../models/speech-to-speech/speech-to-speech.ts';
import type { Clock } from '../clock.ts';
import type { Dialogue } from '../dialogue/dialogue.ts';
import type { CallStats, ShardEvent } from '../shard/protocol.ts';
import type { Shards } from '../shard/shards.ts';
import type { LegEnd, LegEvent } from '../sip/telephony.ts';
import type { ReplyCause, TurnPhase } from '../turn/machine.ts';
import { PHASE_STATES } from '../turn/phase-state.ts';
import type { CallMetrics } from './context.ts';
import type { CallKeys } from './keys.ts';
import type { CallLanguages } from './languages/languages.ts';
import type { CallReport } from './machine.ts';
import type { Hunt } from './persons/hunt.ts';
import { type CallRecord, UNINTELLIGIBLE } from './record.ts';
import type { CallWrites } from './writes.ts';

interface ReportsOptions {
  callId: string;
  shards: Shards;
  writes: CallWrites;
  record: CallRecord;
  dialogue: Dialogue;
  metrics: CallMetrics;
  log: Logger;
  clock: Clock;
  /** The recogniser hears free speech. */
  freeText: boolean;
  languages: Pick<CallLanguages, 'spoken' | 'heard' | 'listens'>;
  /** Null unless a person is being connected. */
  transfer(): Pick<Hunt, 'onReferProgress'> | null;
  /** The caller waits for a person. */
  isWaiting(): boolean;
  step(report: CallReport): void;
  onOpened(): void;
  /** The caller's words so far, while they speak. */
  onCallerSaying(words: string): void;
  /** Asks the peer whether the call is still there. */
  refreshLeg(): void;
  keys: CallKeys;
}

export interface OpenReply {
  epoch: number;
  cause: ReplyCause;
}

export class CallReports {
  readonly #options: ReportsOptions;
  /** The cause of each committed reply, kept until the reply was heard. */
  readonly #causes = new Map<number, ReplyCause>();
  /** The caller's turns by the reply that answers them, for words that come late. */
  readonly #turns = new Map<number, Extract<ReplyCause, { kind: 'turn' }>>();
  #lastEpoch = 0;
  #phase: TurnPhase = 'waiting';
  #stats: CallStats | null = null;
  #legEnd: LegEnd | null = null;
  readonly #fallbacks = new Map<string, EngineFallback>();
  readonly #closed = Promise.withResolvers<void>();

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Another process had the call. */
  goOn({ fallbacks = [] }: { fallbacks?: readonly EngineFallback[] }): void {
    for (const fallback of fallbacks) this.#fallbacks.set(keyOf(fallback), fallback);
  }

  /** Committed replies whose end has not been heard of. */
  get openReplies(): OpenReply[] {
    return [...this.#causes].map(([epoch, cause]) => ({ epoch, cause }));
  }

  /** The phase says who has the floor. */
  get phase(): TurnPhase {
    return this.#phase;
  }

  /** The reply was committed and is still to be heard. */
  isOpen(epoch: number): boolean {
    return this.#causes.has(epoch);
  }

  /** The number of the newest reply. */
  get lastEpoch(): number {
    return this.#lastEpoch;
  }

  /** Null until the audio has closed. */
  get stats(): CallStats | null {
    return this.#stats;
  }

  /** Null while the leg is up. */
  get legEnd(): LegEnd | null {
    return this.#legEnd;
  }

  /** Speech engines that replaced the chosen ones during the call. */
  get fallbacks(): readonly EngineFallback[] {
    return [...this.#fallbacks.values()];
  }

  /** Resolves when the audio and its recording have closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  onLegEvent(event: LegEvent): void {
    const { callId, step, shards, writes, log, clock, transfer } = this.#options;
    switch (event.type) {
      case 'dialog-stored':
        return writes.enqueue('storeDialog', { callId, leg: 'peer', dialog: event.dialog, nowMs: clock.nowMs() });
      case 'ringing':
        return step({ type: 'leg-ringing', earlyAudio: event.earlyAudio });
      case 'answered':
        return step({ type: 'leg-answered', audio: event.audio });
      case 'audio-changed':
        return step({ type: 'leg-audio-changed', audio: event.audio });
      case 'digit':
        shards.send({ type: 'digit', callId, digit: event.digit });
        return;
      case 'refer-progress':
        transfer()?.onReferProgress(event.status);
        return;
      case 'refer-asked':
        // A caller who has somebody else called goes on talking to the agent: it is declined.
        return;
      case 'ended':
        this.#legEnd = event.end;
        log.info({ by: event.end.by, sipStatus: event.end.sipStatus, q850: event.end.q850Cause }, 'leg ended');
        return step({ type: 'leg-ended', end: event.end });
      default:
        return unreachable(event);
    }
  }

  onShardEvent(event: ShardEvent): void {
    const { step, dialogue, record, metrics, log } = this.#options;
    switch (event.type) {
      case 'opened':
        this.#options.onOpened();
        return step({ type: 'audio-opened', address: event.address, port: event.port });
      case 'open-failed':
        log.error({ code: event.code, error: event.message }, 'could not open the audio');
        this.#closed.resolve();
        return step({ type: 'audio-open-failed' });
      case 'reply-wanted':
        this.#lastEpoch = Math.max(this.#lastEpoch, event.epoch);
        if (event.committed) this.#onCommitted(event.epoch, event.cause);
        if (event.cause.kind === 'idle' && this.#options.isWaiting()) return this.#keepWaiting(event.epoch);
        return dialogue.wantReply(event.epoch, event.cause, event.committed);
      case 'reply-committed':
        this.#onCommitted(event.epoch, event.cause);
        return dialogue.commitReply(event.epoch, event.cause);
      case 'reply-dropped':
        this.#causes.delete(event.epoch);
        this.#turns.delete(event.epoch);
        return dialogue.dropReply(event.epoch);
      case 'reply-heard':
        return this.#onHeard(event);
      case 'words':
        return record.words(event.words);
      case 'caller-saying':
        return this.#options.onCallerSaying(event.text);
      case 'caller-digits':
        step({ type: 'caller-spoke' });
        return this.#options.keys.press(event.digits, event.atMs);
      case 'secret-digit':
        step({ type: 'caller-spoke' });
        return this.#options.keys.secret.press(event.digit);
      case 'caller-unanswered':
        dialogue.hearUnanswered(event.text, event.understood);
        return this.#addCaller(event.text, event.startedAtMs);
      case 'digits-sent':
        return this.#options.keys.onSent(event.ok);
      case 'language-heard':
        return this.#options.languages.heard(event);
      case 'listens-in':
        return this.#options.languages.listens(event);
      case 'barge-in':
        return metrics.bargeIn();
      case 'false-interruption':
        return metrics.falseInterruption();
      case 'audio-path':
        log.debug({ path: event.path }, 'the browser’s audio takes another path');
        return metrics.audioPath(event.path);
      case 'phase': {
        this.#phase = event.phase;
        dialogue.tools.held.phaseChanged(event.phase);
        // Before the first word it rings, and the end is told with the audio's.
        if (event.phase !== 'waiting' && event.phase !== 'ended') record.state(PHASE_STATES[event.phase]);
        return;
      }
      case 'latency':
        metrics.turnLatency(event.ms);
        return record.latency(event.ms);
      case 'wait-timed':
        return record.timings.waited(event.epoch, event.ms);
      case 'turn-timed':
        metrics.turnTimed(event.turn);
        return record.timings.turnTimed(event.turn);
      case 'yield-timed':
        metrics.yieldTimed(event.bargeIn.yieldMs);
        return record.timings.bargeInTimed(event.bargeIn);
      case 'amd':
        return step({ type: 'amd-verdict', verdict: event.verdict });
      case 'beep':
        return step({ type: 'beep' });
      case 'media-lost':
        return step({ type: 'media-lost', reason: event.reason });
      case 'peer-silent':
        return this.#options.refreshLeg();
      case 'socket-joined':
        return step({ type: 'socket-joined' });
      case 'model-failed':
        metrics.modelFailed(event.model);
        log.warn({ model: event.model, error: event.message }, 'model failed');
        return;
      case 'model-fallback':
        metrics.modelFallback(event.model);
        this.#noteFallback(event);
        log.warn(
          { model: event.model, from: event.from, to: event.to, error: event.message },
          'another engine took over, because the chosen one failed',
        );
        return;
      case 'speech-model':
        return this.#onSpeechModel(event.event);
      case 'turn-end-judged':
        return metrics.turnEndJudged(event.outcome, event.ms);
      case 'recording-failed':
        log.error({ error: event.message }, 'the recording broke off, the call goes on');
        return;
      case 'call-failed':
        log.error({ error: event.message }, 'the call failed in its shard');
        return step({ type: 'call-failed' });
      case 'closed':
        this.#stats = event.stats;
        if (event.stats.echo !== null) log.info({ echo: event.stats.echo }, 'the line sends our voice back');
        this.#closed.resolve();
        return step({ type: 'audio-closed', recordingPath: event.recordingPath, recordedMs: event.recordedMs });
      case 'ready':
      case 'pacing':
      case 'lateness':
      case 'pulse':
      case 'door-failed':
      case 'left':
      case 'listener-joined':
      case 'listener-gone':
      case 'listener-asks':
        // Concerns the shard, not a call.
        return;
      default:
        return unreachable(event);
    }
  }

  #onSpeechModel(event: SpeechEvent): void {
    const { dialogue, freeText, record } = this.#options;
    dialogue.speechModelSaid(event);
    // A recogniser of phrases has not heard what else they said.
    if (event.type !== 'caller-said' || freeText) return;
    const cause = this.#turns.get(event.epoch);
    if (!cause) return;
    dialogue.callerSaid(event.epoch, event.text);
    record.add({ speaker: 'caller', text: event.text, timestamp: cause.startedAtMs });
  }

  #noteFallback({ model, from, to }: Extract<ShardEvent, { type: 'model-fallback' }>): void {
    const key = keyOf({ model, from, to });
    const count = (this.#fallbacks.get(key)?.count ?? 0) + 1;
    this.#fallbacks.set(key, { model, from, to, count });
  }

  #onCommitted(epoch: number, cause: ReplyCause): void {
    this.#causes.set(epoch, cause);
    if (cause.kind !== 'turn') return;
    this.#turns.set(epoch, cause);
    this.#options.step({ type: 'caller-spoke' });
    this.#addCaller(cause.text, cause.startedAtMs);
  }

  #onHeard({ epoch, text, startedAtMs, interrupted }: Extract<ShardEvent, { type: 'reply-heard' }>): void {
    const { step, record, dialogue } = this.#options;
    const cause = this.#causes.get(epoch);
    const words = text.trim();
    this.#causes.delete(epoch);
    if (words !== '') record.add({ speaker: 'agent', text: words, timestamp: startedAtMs });
    if (cause?.kind === 'turn' && cause.understood && words !== '') step({ type: 'exchange-done' });
    dialogue.replyHeard(epoch, text, interrupted);
    // But for words that a client wants said, the only verbatim request that is spoken to its end is the message for a
    // machine.
    if (cause?.kind !== 'requested' || cause.request.kind !== 'say' || cause.request.by === 'client') return;
    step({ type: 'message-left' });
  }

  #addCaller(text: string, startedAtMs: number): void {
    this.#options.record.add({ speaker: 'caller', text: text.trim() || UNINTELLIGIBLE, timestamp: startedAtMs });
  }

  /** A caller being connected has good reason to be silent: do not prompt or hang up. */
  #keepWaiting(epoch: number): void {
    const { shards, callId, languages } = this.#options;
    const text = phrasesFor(languages.spoken).call.stillConnecting;
    shards.send({ type: 'speak', callId, epoch, index: 0, text, interruptible: true });
    shards.send({ type: 'reply-complete', callId, epoch });
  }
}

const keyOf = ({ model, from, to }: Pick<EngineFallback, 'model' | 'from' | 'to'>): string => `${model} ${from} ${to}`;
