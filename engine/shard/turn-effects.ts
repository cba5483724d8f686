// Performs the effects of a call's turn machine: the recogniser listens, the agent's voice is lowered, stops or goes
// on, timers run, and the control thread is told.
import { unreachable } from '../../db/domain/unexpected.ts';
import type { Clock } from '../clock.ts';
import type { TurnEffect, TurnEvent } from '../turn/machine.ts';
import type { CallAudio } from './call-audio.ts';
import type { CallEar } from './ear/call-ear.ts';
import type { ModelClient } from './models/model-client.ts';
import type { ModelPorts } from './models/model-ports.ts';
import type { ModelVoice } from './models/model-voice.ts';
import type { CallStats, ShardEvent } from './protocol.ts';
import type { SpokenReplies } from './spoken-replies.ts';
import type { TurnStages } from './turn-stages.ts';
import { TurnTimers } from './turn-timers.ts';

interface TurnEffectsEdge {
  client: ModelClient;
  /** Null unless a speech-to-speech model answers. */
  voice(): ModelVoice | null;
  audio: CallAudio;
  models: ModelPorts;
  ear: CallEar;
  replies: SpokenReplies;
  stages: TurnStages;
  clock: Clock;
  /** On the call's clock. */
  nowMs(): number;
  step(event: TurnEvent): void;
  emit(event: ShardEvent): void;
}

export class TurnEffects {
  readonly #edge: TurnEffectsEdge;
  readonly #timers: TurnTimers;
  /** Counters for judging the call afterwards. */
  readonly figures: Pick<CallStats, 'bargeIns' | 'falseInterruptions'> = { bargeIns: 0, falseInterruptions: 0 };
  /** The newest utterance that was begun with the recogniser; null before the first. */
  #utterance: number | null = null;

  constructor(edge: TurnEffectsEdge) {
    this.#edge = edge;
    this.#timers = new TurnTimers(edge.clock);
  }

  get utterance(): number | null {
    return this.#utterance;
  }

  perform(effect: TurnEffect): void {
    const { client, audio, models, ear, replies, stages, emit } = this.#edge;
    const { callId } = client;
    const voice = this.#edge.voice();
    switch (effect.type) {
      case 'begin-utterance':
        this.#utterance = effect.utterance;
        models.beginUtterance(client, effect.utterance, effect.expects);
        voice?.begin(effect.utterance);
        audio.heard.beginUtterance(effect.utterance, effect.fromMs, effect.since);
        return;
      case 'ask-words':
        audio.heard.flushUtterance(effect.utterance);
        models.askWords(client, effect.utterance, effect.number);
        return;
      case 'finish-utterance':
        audio.heard.endUtterance(effect.utterance, ear.voiceEndMs);
        models.finishUtterance(client, effect.utterance, effect.asked);
        voice?.finish(effect.utterance);
        return;
      case 'cancel-utterance':
        audio.heard.cancelUtterance(effect.utterance);
        models.cancelUtterance(client, effect.utterance);
        voice?.cancel(effect.utterance);
        return;
      case 'arm-timer':
        this.#arm(effect);
        return;
      case 'cancel-timer':
        this.#timers.cancel(effect.timer);
        return;
      case 'duck-playout':
        audio.playout.duck();
        stages.ducked(audio.nextPacketMs);
        return;
      case 'unduck-playout':
        audio.playout.unduck();
        stages.resumed();
        return;
      case 'pause-playout':
        audio.playout.pause();
        stages.paused(audio.silentAtMs);
        return;
      case 'resume-playout':
        audio.playout.resume();
        stages.resumed();
        return;
      case 'flush-playout':
        if (effect.interrupted) audio.flushSent();
        this.#closeReply(effect.epoch, effect.interrupted);
        return;
      case 'acknowledge':
        replies.acknowledge(effect.text);
        return;
      case 'open-playout':
        replies.hushAcknowledgement();
        audio.playout.open(effect.epoch);
        stages.resumed();
        return;
      case 'want-reply':
        if (effect.committed && effect.cause.kind === 'turn') ear.turnTaken(effect.cause);
        replies.expect(effect.epoch, effect.cause.kind === 'turn');
        stages.asked(effect.epoch, effect.committed);
        emit({ type: 'reply-wanted', callId, epoch: effect.epoch, cause: effect.cause, committed: effect.committed });
        return;
      case 'commit-reply':
        if (effect.cause.kind === 'turn') ear.turnTaken(effect.cause);
        stages.committed(effect.epoch);
        emit({ type: 'reply-committed', callId, epoch: effect.epoch, cause: effect.cause });
        return;
      case 'drop-reply':
        replies.drop(effect.epoch);
        emit({ type: 'reply-dropped', callId, epoch: effect.epoch });
        return;
      case 'barge-in':
        this.figures.bargeIns++;
        emit({ type: 'barge-in', callId, epoch: effect.epoch, atMs: Math.round(effect.atMs) });
        emit({ type: 'yield-timed', callId, bargeIn: stages.yielded(audio.nextPacketMs, audio.positionMs) });
        return;
      case 'note-encouragement':
        ear.encouraged(effect.atMs);
        return;
      case 'false-interruption':
        this.figures.falseInterruptions++;
        emit({ type: 'false-interruption', callId, epoch: effect.epoch });
        return;
      case 'unanswered-turn': {
        const { text, understood } = effect;
        emit({ type: 'caller-unanswered', callId, text, understood, startedAtMs: Math.round(effect.startedAtMs) });
        return;
      }
      case 'phase-changed':
        emit({ type: 'phase', callId, phase: effect.phase });
        return;
      default:
        unreachable(effect);
    }
  }

  /** Closes the reply if it was heard to its end and no more will come. */
  closeIfHeard(epoch: number): void {
    if (this.#edge.replies.isHeard(epoch)) this.#closeReply(epoch, false);
  }

  /** The call is over. */
  stop(): void {
    this.#timers.clear();
  }

  #arm({ timer, serial, atMs }: Extract<TurnEffect, { type: 'arm-timer' }>): void {
    const { nowMs, step } = this.#edge;
    this.#timers.arm(timer, atMs - nowMs(), () => {
      // Node's timers may fire a fraction of a millisecond early; the machine gets at least the time it asked for.
      step({ type: 'timer-fired', nowMs: Math.max(atMs, nowMs()), timer, serial });
    });
  }

  #closeReply(epoch: number, interrupted: boolean): void {
    const { client, replies, emit, nowMs } = this.#edge;
    const heard = replies.close(epoch);
    if (heard === null) return;
    const startedAtMs = Math.round(heard.startedAtMs ?? nowMs());
    emit({ type: 'reply-heard', callId: client.callId, epoch, text: heard.text, startedAtMs, interrupted });
  }
}
