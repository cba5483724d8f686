// The models' answers about one call: they become events of its turn machine, speech in its playout, or reports to the
// control thread.
import type { Lateness } from '../../../media/lateness.ts';
import type { ClauseKey } from '../../../media/playout.ts';
import type { SttResult, SttVocabulary } from '../../../models/stt/stt.ts';
import type { SpokenWord } from '../../../models/tts/tts.ts';
import type { TurnEvent } from '../../turn/machine.ts';
import type { CallAudio } from '../call-audio.ts';
import type { CallEar } from '../ear/call-ear.ts';
import type { MachineDetection } from '../ear/machine-detection.ts';
import type { OpenCall, ShardEvent, SpeechUses } from '../protocol.ts';
import { languageHeard } from '../recognised-language.ts';
import type { SpokenReplies } from '../spoken-replies.ts';
import type { TurnStages } from '../turn-stages.ts';
import type { ModelChange, ModelClient } from './model-client.ts';
import type { ModelPorts } from './model-ports.ts';
import type { TurnEndJudge } from './turn-end-judge.ts';

/** The call's other parts ask the models in its name, and are made after it: they are functions here. */
interface ModelAnswersEdge {
  command: OpenCall;
  models: ModelPorts;
  vadLateness: Lateness;
  audio: CallAudio;
  stages: TurnStages;
  ear(): CallEar;
  replies(): SpokenReplies;
  /** Null unless the call detects machines. */
  detection(): MachineDetection | null;
  /** Null if only the rules judge turn ends. */
  turnEnds(): TurnEndJudge | null;
  /** The newest utterance that was begun with the recogniser; null before the first. */
  utterance(): number | null;
  /** The line carries other audio than the caller's. */
  isHeld(): boolean;
  /** On the call's clock. */
  nowMs(): number;
  step(event: TurnEvent): void;
  emit(event: ShardEvent): void;
}

export class ModelAnswers implements ModelClient {
  readonly callId: string;
  readonly uses: SpeechUses = { heardMs: 0, characters: 0, spokenMs: 0 };
  readonly #edge: ModelAnswersEdge;
  #hearing: ModelClient['hearing'];
  /** The language that the recogniser is to hear; null: as it does. */
  #listening: { change: number; vocabulary: SttVocabulary } | null = null;

  constructor(edge: ModelAnswersEdge) {
    const { callId, sampleRateHz, vocabulary, mayChangeLanguage } = edge.command;
    this.callId = callId;
    this.#edge = edge;
    this.#hearing = { sampleRateHz, vocabulary, ...(mayChangeLanguage ? { keepsAudio: true } : {}) };
  }

  get hearing(): ModelClient['hearing'] {
    return this.#hearing;
  }

  /** The recogniser is to hear another language: it answers by `hearingChanged`. */
  listenIn(change: number, vocabulary: SttVocabulary): void {
    this.#listening = { change, vocabulary };
    this.#edge.models.changeHearing(this, change, vocabulary);
  }

  hearingChanged(change: number, message: string | null): void {
    const { vocabulary } = this.#listening ?? {};
    if (this.#listening?.change !== change || vocabulary === undefined) return;
    this.#listening = null;
    if (message === null) this.#hearing = { ...this.#hearing, vocabulary };
    this.#edge.emit({ type: 'listens-in', callId: this.callId, change, message });
  }

  vadWindow(probability: number, endSample: number): void {
    const { audio, ear, isHeld, vadLateness } = this.#edge;
    if (isHeld()) return;
    vadLateness.note(audio.vadLatenessMs(endSample));
    ear().window(probability, endSample);
  }

  renewVad(): SharedArrayBuffer {
    const { audio, ear, isHeld } = this.#edge;
    ear().reset(isHeld());
    return audio.heard.renewVad();
  }

  sttPartial(utterance: number, text: string, asked?: number): void {
    const answer = asked === undefined ? {} : { asked };
    this.#edge.step({ type: 'stt-partial', nowMs: this.#edge.nowMs(), utterance, text, ...answer });
  }

  sttFinal(utterance: number, result: SttResult): void {
    const { command, stages, detection, emit, step, nowMs } = this.#edge;
    stages.recognised();
    if (result.understood) detection()?.words(result.text);
    const heard = languageHeard(command, result);
    if (heard !== null) emit(heard);
    step({ type: 'stt-final', nowMs: nowMs(), utterance, result });
  }

  sttFailed(utterance: number | null, message: string): void {
    this.modelFailed('stt', message);
    const failed = utterance ?? this.#edge.utterance();
    if (failed !== null) this.#edge.step({ type: 'stt-failed', nowMs: this.#edge.nowMs(), utterance: failed });
  }

  turnEnded(utterance: number): void {
    if (utterance === this.#edge.utterance()) this.#judged(1);
  }

  turnEndJudged(pause: number, judged: number | null): void {
    const likelihood = this.#edge.turnEnds()?.answered(pause, judged) ?? null;
    if (likelihood !== null) this.#judged(likelihood);
  }

  #judged(likelihood: number): void {
    this.#edge.step({ type: 'turn-judged', nowMs: this.#edge.nowMs(), likelihood });
  }

  speech(clause: ClauseKey, samples: Int16Array, last: boolean): void {
    const { first, overflow } = this.#edge.replies().append(clause, samples, last);
    if (overflow) this.modelFailed('tts', 'more speech than the playout queue holds');
    if (first) this.#edge.step({ type: 'audio-ready', nowMs: this.#edge.nowMs(), epoch: clause.epoch });
  }

  speechWords(clause: ClauseKey, words: readonly SpokenWord[]): void {
    this.#edge.audio.playout.placeWords(clause, words);
  }

  speechFailed(clause: ClauseKey, message: string): void {
    this.modelFailed('tts', message);
    if (!this.#edge.replies().failClause(clause)) return;
    this.#edge.step({ type: 'reply-failed', nowMs: this.#edge.nowMs(), epoch: clause.epoch });
  }

  modelFailed(model: 'vad' | 'stt' | 'tts', message: string): void {
    this.#edge.emit({ type: 'model-failed', callId: this.callId, model, message });
  }

  modelFallback(model: 'stt' | 'tts', { from, to, message }: ModelChange): void {
    this.#edge.emit({ type: 'model-fallback', callId: this.callId, model, from, to, message });
  }
}
