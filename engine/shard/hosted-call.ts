// One call in its shard. It feeds the turn machine with events from audio, models and the control thread;
// turn-effects.ts performs the machine's effects. Every entry point is called inside the worker's guard.

import type { AudioTransport } from '../../media/audio-transport.ts';
import type { ClauseKind } from '../../media/playout.ts';
import type { Recorder } from '../../media/recorder.ts';
import {
  callerWords,
  initialTurn,
  stepTurn,
  type TurnConfig,
  type TurnEvent,
  type TurnPhase,
  type TurnState,
} from '../turn/machine.ts';
import { CallAudio, type CallAudioListener } from './call-audio.ts';
import { CallEar } from './ear/call-ear.ts';
import { MachineDetection } from './ear/machine-detection.ts';
import type { HostedCallEdge } from './hosted-call-edge.ts';
import { ModelAnswers } from './models/model-answers.ts';
import { ModelVoice } from './models/model-voice.ts';
import { turnConfigOf } from './models/own-voice-turns.ts';
import { TurnEndJudge } from './models/turn-end-judge.ts';
import type { CallCommand, CallStats, OpenCall, ResumedCall, ShardCommand } from './protocol.ts';
import { SpokenReplies } from './spoken-replies.ts';
import { TurnEffects } from './turn-effects.ts';
import { TurnStages } from './turn-stages.ts';

export class HostedCall implements CallAudioListener {
  readonly callId: string;
  readonly audio: CallAudio;
  /** The call as the models know it. */
  readonly answers: ModelAnswers;
  readonly #command: OpenCall;
  /** Its language may change. */
  #turnConfig: TurnConfig;
  readonly #edge: HostedCallEdge;
  readonly #transport: AudioTransport;
  readonly #ear: CallEar;
  readonly replies: SpokenReplies;
  readonly #effects: TurnEffects;
  readonly #stages = new TurnStages(() => this.#nowMs());
  /** Null unless the call is outbound and its campaign detects machines. */
  readonly #detection: MachineDetection | null;
  /** Null if only the rules judge turn ends. */
  readonly #turnEnds: TurnEndJudge | null;
  /** Null unless a speech-to-speech model answers. */
  readonly #voice: ModelVoice | null;
  /** Stays in phase `waiting` until the call is answered. */
  #turn: TurnState;
  /** The caller keys in what nobody may read: keys go past the turn, and to nobody else. */
  #keysAreSecret = false;
  /** Zero of the call's clock on the shard's monotonic clock, ms; null until the call is answered. */
  #answeredAtMs: number | null = null;
  /** The caller is not listening: the peer holds the call, or it is bridged to another one. */
  #held = false;

  constructor(command: OpenCall, transport: AudioTransport, edge: HostedCallEdge) {
    this.callId = command.callId;
    this.#command = command;
    this.#edge = edge;
    this.#transport = transport;
    const { judgesTurnEnds } = edge.models;
    const kept = { keepsTurns: judgesTurnEnds, repeatsTurns: command.turn.hearsTurns ?? false };
    this.audio = new CallAudio(transport, this, edge.clock, { ...command, ...kept });
    this.answers = this.#newAnswers();
    this.#turnEnds = judgesTurnEnds ? new TurnEndJudge(this.answers, { ...edge, audio: this.audio }) : null;
    this.replies = new SpokenReplies({
      nowMs: () => this.#nowMs(),
      client: this.answers,
      audio: this.audio,
      models: edge.models,
      stages: this.#stages,
      command,
      onOver: (epoch, text, isWhole) => this.#voice?.over(epoch, text, isWhole),
    });
    this.#turnConfig = turnConfigOf(command);
    this.#turn = initialTurn(this.#turnConfig);
    this.#detection = command.amd ? new MachineDetection(command.callId, edge, () => this.#nowMs()) : null;
    this.#ear = new CallEar({
      audio: this.audio,
      detection: this.#detection,
      nowMs: () => this.#nowMs(),
      phase: () => this.#turn.phase,
      step: (event) => this.#step(event),
    });
    this.#effects = new TurnEffects({
      client: this.answers,
      voice: () => this.#voice,
      audio: this.audio,
      models: edge.models,
      ear: this.#ear,
      replies: this.replies,
      stages: this.#stages,
      clock: edge.clock,
      nowMs: () => this.#nowMs(),
      step: (event) => this.#step(event),
      emit: edge.emit,
    });
    edge.models.open(this.answers);
    this.#voice = this.#openVoice();
  }

  #newAnswers(): ModelAnswers {
    const { models, vadLateness, emit } = this.#edge;
    return new ModelAnswers({
      ...{ command: this.#command, models, vadLateness, emit, audio: this.audio, stages: this.#stages },
      ear: () => this.#ear,
      replies: () => this.replies,
      detection: () => this.#detection,
      turnEnds: () => this.#turnEnds,
      utterance: () => this.#effects.utterance,
      isHeld: () => this.#held,
      nowMs: () => this.#nowMs(),
      step: (event) => this.#step(event),
    });
  }

  /** The session opens while the telephone rings. */
  #openVoice(): ModelVoice | null {
    const { speechModel, sampleRateHz } = this.#command;
    if (!speechModel) return null;
    const edge = {
      ...{ callId: this.callId, sampleRateHz, sessions: this.#edge.models.sessions, audio: this.audio },
      ...{ replies: this.replies, nowMs: () => this.#nowMs(), emit: this.#edge.emit },
      step: (event: TurnEvent) => this.#step(event),
    };
    return new ModelVoice(edge, speechModel);
  }

  get answered(): boolean {
    return this.#answeredAtMs !== null;
  }

  get stats(): CallStats {
    return {
      ...this.#transport.stats(),
      ...this.#effects.figures,
      echo: this.audio.lineEcho,
      uses: this.answers.uses,
    };
  }

  get phase(): TurnPhase {
    return this.#turn.phase;
  }

  /** The caller's words, as far as they were recognised; null while none of them waits for an answer. */
  get callerSaying(): { text: string; startedAtMs: number } | null {
    return callerWords(this.#turn);
  }

  /** Starts the call's clock at `positionMs`: 0, or the position that a lost shard had reached. */
  answer(recorder: Recorder | null, positionMs: number): void {
    if (this.answered) return;
    const { resume } = this.#command;
    this.#answeredAtMs = this.#edge.clock.monotonicMs() - positionMs;
    this.audio.start(recorder, positionMs);
    this.#edge.models.listen(this.answers, this.audio.heard.vadMemory);
    // A call whose shard was lost before the answer starts like any other.
    if (resume?.answeredAtMs) this.#takeOver(resume, positionMs);
    else {
      if (this.#detection) this.#detect(this.#detection);
      this.#step({ type: 'answered', nowMs: 0 });
    }
    // Answered on hold: the machine learns of it now, so that the greeting waits for the caller.
    if (this.#held) this.#step({ type: 'held', nowMs: positionMs, held: true });
  }

  /** Resumes listening. The lost shard has spoken the greeting, so an empty reply replaces it. */
  #takeOver({ lastEpoch }: ResumedCall, positionMs: number): void {
    const context = { ...this.#turn.context, epoch: lastEpoch };
    const answered: TurnEvent = { type: 'answered', nowMs: positionMs };
    const [turn, effects] = stepTurn({ ...this.#turn, context }, answered, this.#turnConfig);
    this.#turn = turn;
    for (const effect of effects) if (effect.type !== 'want-reply') this.#effects.perform(effect);
    this.#step({ type: 'reply-complete', nowMs: positionMs, epoch: turn.context.epoch });
  }

  /** The caller stops listening (hold, bridge), or is back. */
  hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    // The line carries music or another call, so the VAD does not listen.
    this.audio.heard.listen(!held);
    if (held) this.#ear.reset(true);
    this.#step({ type: 'held', nowMs: this.#nowMs(), held });
  }

  /** Commands of the control thread that concern turns or speech; others are ignored. */
  command(command: CallCommand): void {
    switch (command.type) {
      case 'speak':
        this.#speak(command);
        return;
      case 'reply-complete':
      case 'reply-failed': {
        if (!this.replies.has(command.epoch)) return;
        this.replies.complete(command.epoch);
        this.#step({ type: command.type, nowMs: this.#nowMs(), epoch: command.epoch });
        this.#effects.closeIfHeard(command.epoch);
        return;
      }
      case 'speech-model':
        this.#voice?.ask(command.ask);
        return;
      case 'model-began':
        this.#stages.reached(command.epoch, 'firstTokenAtMs');
        return;
      case 'request-reply':
        this.#step({
          type: 'reply-requested',
          nowMs: this.#nowMs(),
          request: command.request,
          ...(command.isUrgent ? { isUrgent: true } : {}),
        });
        return;
      case 'silence':
        this.#step({ type: 'silenced', nowMs: this.#nowMs() });
        return;
      case 'mask':
        this.audio.mask(command.isMasked);
        return;
      case 'secret-keys':
        this.#keysAreSecret = command.isSecret;
        this.audio.keepSecret(command.isSecret);
        return;
      case 'tap':
        this.audio.tap(command.memory);
        return;
      case 'notice-tone':
        this.audio.soundNotice();
        return;
      case 'listen-in':
        this.answers.listenIn(command.change, command.vocabulary);
        return;
      case 'speak-in':
        this.replies.speakIn(command.language, command.voice);
        this.#voice?.speakIn({ language: command.language, voice: command.speechVoice });
        this.#turnConfig = { ...this.#turnConfig, language: command.language };
        return;
      case 'expects':
        this.#step({
          type: 'expects',
          nowMs: this.#nowMs(),
          expects: command.expects,
          digitCount: command.digitCount ?? null,
        });
        return;
      case 'digit':
        if (this.#transport.isNewInfoDigit?.(command.digit) !== false) this.digit(command.digit);
        return;
      case 'send-digits':
        this.#edge.emit({ type: 'digits-sent', callId: this.callId, ok: this.#transport.sendDigits(command.digits) });
        return;
      case 'prepare-speech':
        this.replies.prepare(command.texts);
        return;
      default:
    }
  }

  digit(digit: string): void {
    if (!this.answered) return;
    const nowMs = this.#nowMs();
    if (this.#keysAreSecret) {
      this.#edge.emit({ type: 'secret-digit', callId: this.callId, digit });
      return this.#step({ type: 'secret-key', nowMs });
    }
    this.#edge.emit({ type: 'caller-digits', callId: this.callId, digits: digit, atMs: Math.round(nowMs) });
    this.#step({ type: 'digit', nowMs, digit });
  }

  /** Ends the call: the machine performs its last effects, then everything but the recording is released. */
  end(): void {
    this.#step({ type: 'ended', nowMs: this.#nowMs() });
    this.#release();
  }

  /** Like `end`, but without a further machine step: for a call whose own code failed. */
  abandon(): void {
    this.#release();
  }

  // Events of the audio path.

  agentStarted(epoch: number, atMs: number, kind: ClauseKind | null): void {
    const begun = this.replies.started(epoch, atMs, kind, this.#ear.silentSinceMs);
    if (begun === null) return;
    // Measured on the caller's line: from the arrival of their last sound to the sending of our first.
    const ms = Math.max(0, Math.round(this.#nowMs() - begun.speechEndAtMs));
    if (begun.hasWaited) this.#edge.emit({ type: 'wait-timed', callId: this.callId, epoch, ms });
    if (!begun.isAnswer) return;
    this.#edge.emit({ type: 'latency', callId: this.callId, ms });
    const turn = this.#stages.started(epoch, begun.speechEndAtMs, atMs);
    if (turn) this.#edge.emit({ type: 'turn-timed', callId: this.callId, turn });
  }

  drained(epoch: number): void {
    this.#step({ type: 'playout-drained', nowMs: this.#nowMs(), epoch });
    this.#effects.closeIfHeard(epoch);
  }

  utteranceAudio(utterance: number, samples: Int16Array): void {
    this.#voice?.hear(utterance, samples.slice());
    this.#edge.models.hear(this.answers, utterance, samples);
  }

  lineLost(): void {
    if (!this.#held) this.#step({ type: 'line-lost', nowMs: this.#nowMs() });
  }

  lineBack(missingMs: number): void {
    this.#step({ type: 'line-back', nowMs: this.#nowMs(), missingMs });
    if (!this.#held) this.#ear.lineBack(missingMs);
  }

  mediaLost(): void {
    const reason = this.#command.transport.kind === 'rtp' ? 'rtp-timeout' : 'socket-closed';
    this.#edge.emit({ type: 'media-lost', callId: this.callId, reason });
  }

  failed(error: unknown): void {
    this.#edge.fail(error);
  }

  #nowMs(): number {
    return this.#answeredAtMs === null ? 0 : this.#edge.clock.monotonicMs() - this.#answeredAtMs;
  }

  #detect(detection: MachineDetection): void {
    this.audio.heard.tapCaller((samples) => detection.audio(samples));
    detection.answered();
  }

  #speak(command: Extract<ShardCommand, { type: 'speak' }>): void {
    if (!this.replies.speak(command)) return;
    const { epoch, interruptible, isFiller } = command;
    const filler = isFiller ? { isFiller } : {};
    this.#step({ type: 'clause-queued', nowMs: this.#nowMs(), epoch, interruptible, ...filler });
  }

  #step(event: TurnEvent): void {
    if (!this.answered) return;
    if (event.type === 'speech-started') {
      this.replies.hushAcknowledgement();
      this.#stages.onset(event.speechAtMs, this.audio.inputDelayMs);
    }
    if (event.type === 'speech-stopped') this.#stages.speechEnded(this.audio.inputDelayMs);
    const [turn, effects] = stepTurn(this.#turn, event, this.#turnConfig);
    this.#turn = turn;
    for (const effect of effects) this.#effects.perform(effect);
    this.#turnEnds?.stepped(event, this.#turn);
  }

  /** Releases everything but the transport, before the answer: another call object with a different rate takes over. */
  retire(): void {
    this.#effects.stop();
    this.#detection?.stop();
    this.audio.close();
    this.#edge.models.close(this.answers);
    this.#voice?.close();
  }

  #release(): void {
    this.retire();
    this.#transport.close(this.#edge.clock.nowMs());
  }
}
