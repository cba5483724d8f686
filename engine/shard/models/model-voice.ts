// A call's speech-to-speech session at its edge in the shard: the utterances that our own ears find go up; the model's
// voice comes down as clauses of the replies that the turn machine wants, beside those of our own voice. The machine
// knows nothing of it but that a clause is queued, and that its audio is there.
//
// When the session is lost in the middle of an answer, the machine is asked for the answer once more, in place of what
// was being said: the control thread gives it by other means.

import type { ClauseKey } from '../../../media/playout.ts';
import type {
  HeardReply,
  SpeechAsk,
  SpeechEvent,
  SpeechLanguage,
} from '../../../models/speech-to-speech/speech-to-speech.ts';
import type { TurnEvent } from '../../turn/machine.ts';
import type { CallAudio } from '../call-audio.ts';
import type { OpenCall, ShardEvent, SpeechModelOfCall } from '../protocol.ts';
import type { SpokenReplies } from '../spoken-replies.ts';
import type { ModelSessions, SpeechClient } from './model-sessions.ts';

interface ModelVoiceEdge {
  callId: string;
  sampleRateHz: OpenCall['sampleRateHz'];
  sessions: ModelSessions;
  audio: Pick<CallAudio, 'playout'>;
  replies: Pick<SpokenReplies, 'has' | 'speakOwn' | 'append'>;
  nowMs(): number;
  step(event: TurnEvent): void;
  emit(event: ShardEvent): void;
}

/** A round of a reply that the model was asked for. */
interface OwnRound {
  epoch: number;
  round: number;
  /** Null before its first sound. */
  clause: ClauseKey | null;
  /** Words that came before it. */
  early: string;
  isDone: boolean;
}

export class ModelVoice implements SpeechClient {
  readonly callId: string;
  readonly #edge: ModelVoiceEdge;
  readonly #engine: string;
  #rounds: OwnRound[] = [];
  #isLost = false;

  constructor(edge: ModelVoiceEdge, { engine, setup, isLost }: SpeechModelOfCall) {
    this.#edge = edge;
    this.#engine = engine;
    this.callId = edge.callId;
    if (!isLost) edge.sessions.open(this, edge.sampleRateHz, setup);
    else this.#lose({ type: 'lost', code: 'LLM_UNAVAILABLE', message: 'the session was lost with its thread' });
  }

  begin(utterance: number): void {
    this.#edge.sessions.begin(this, utterance);
  }

  /** The array is transferred. */
  hear(utterance: number, samples: Int16Array): void {
    this.#edge.sessions.hear(this, utterance, samples);
  }

  finish(utterance: number): void {
    this.#edge.sessions.finish(this, utterance);
  }

  cancel(utterance: number): void {
    this.#edge.sessions.cancel(this, utterance);
  }

  /**
   * Passes the dialogue's request on to the model. Nothing comes of it once the session is lost: the dialogue knows.
   */
  ask(ask: SpeechAsk): void {
    if (this.#isLost || !this.#edge.replies.has(ask.epoch)) return;
    if (ask.type === 'respond') {
      const { epoch, round } = ask;
      this.#rounds.push({ epoch, round, clause: null, early: '', isDone: false });
    } else for (const round of this.#rounds) if (round.epoch === ask.epoch) this.#close(round);
    this.#edge.sessions.ask(this, ask);
  }

  /** The call goes on in another language. */
  speakIn(language: SpeechLanguage): void {
    if (!this.#isLost) this.#edge.sessions.speakIn(this, language);
  }

  /** The reply is over for the caller. */
  over(epoch: number, text: string, isWhole: boolean): void {
    const rounds = this.#rounds.filter((round) => round.epoch === epoch);
    if (rounds.length === 0) return;
    this.#rounds = this.#rounds.filter((round) => round.epoch !== epoch);
    const { playout } = this.#edge.audio;
    const heard: HeardReply = {
      epoch,
      text,
      rounds: rounds.flatMap(({ round, clause }) => (clause ? [{ round, ms: playout.sentMs(clause) }] : [])),
      isWhole: isWhole && rounds.every(({ isDone }) => isDone),
    };
    this.#edge.sessions.heard(this, heard);
  }

  close(): void {
    this.#edge.sessions.close(this);
  }

  speechAudio(epoch: number, round: number, samples: Int16Array): void {
    const { replies, emit, step, nowMs } = this.#edge;
    const own = this.#find(epoch, round);
    if (!own?.clause || own.isDone) return;
    const { first, overflow } = replies.append(own.clause, samples, false);
    if (overflow)
      emit({ type: 'model-failed', callId: this.callId, model: 'tts', message: 'more speech than the queue holds' });
    if (first) step({ type: 'audio-ready', nowMs: nowMs(), epoch });
  }

  speechEvent(event: SpeechEvent): void {
    switch (event.type) {
      case 'lost':
        return this.#lose(event);
      case 'sounds':
        this.#begin(event.epoch, event.round);
        break;
      case 'words':
        this.#addWords(event);
        break;
      case 'done': {
        const own = this.#find(event.epoch, event.round);
        if (own) this.#close(own);
        break;
      }
      default:
    }
    this.#tell(event);
  }

  #begin(epoch: number, round: number): void {
    const { replies, audio, step, nowMs } = this.#edge;
    const own = this.#find(epoch, round);
    if (!own || own.clause || own.isDone) return;
    own.clause = replies.speakOwn(epoch);
    if (own.clause === null) return;
    audio.playout.extendText(own.clause, own.early);
    step({ type: 'clause-queued', nowMs: nowMs(), epoch, interruptible: true });
  }

  #addWords({ epoch, round, text }: Extract<SpeechEvent, { type: 'words' }>): void {
    const own = this.#find(epoch, round);
    if (!own) return;
    if (own.clause) this.#edge.audio.playout.extendText(own.clause, text);
    else own.early += text;
  }

  /** No more of its audio comes. */
  #close(own: OwnRound): void {
    own.isDone = true;
    if (own.clause) this.#edge.replies.append(own.clause, new Int16Array(0), true);
  }

  #lose(event: Extract<SpeechEvent, { type: 'lost' }>): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const { step, nowMs, emit } = this.#edge;
    const { callId } = this;
    const broken = this.#rounds.some(({ clause, isDone }) => clause !== null && !isDone);
    this.#tell(event);
    const { message } = event;
    emit({ type: 'model-fallback', callId, model: 'speech-to-speech', from: this.#engine, to: 'cascade', message });
    if (!broken) return;
    const request = { kind: 'answer', note: { kind: 'voice-lost' } } as const;
    step({ type: 'reply-requested', nowMs: nowMs(), request, isUrgent: true });
  }

  #tell(event: SpeechEvent): void {
    this.#edge.emit({ type: 'speech-model', callId: this.callId, event });
  }

  #find(epoch: number, round: number): OwnRound | undefined {
    return this.#rounds.find((each) => each.epoch === epoch && each.round === round);
  }
}
