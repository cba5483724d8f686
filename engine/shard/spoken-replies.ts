// The agent's replies in the shard: each clause goes to the synthesiser and into the playout queue, until the reply was
// heard or dropped. The hosted call decides when turn-taking is told.
import type { ClauseKey, ClauseKind } from '../../media/playout.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import type { SpeechRequest } from '../../models/tts/tts.ts';
import type { CallAudio } from './call-audio.ts';
import type { ModelClient } from './models/model-client.ts';
import type { ModelPorts } from './models/model-ports.ts';
import { pronounced } from './models/pronunciation.ts';
import type { AgentWords, CallVoice, OpenCall, ShardCommand } from './protocol.ts';
import type { TurnStages } from './turn-stages.ts';

/** A reply that is being prepared or spoken. */
interface SpokenReply {
  /** It answers a turn of the caller, so its delay counts as latency. */
  answersTurn: boolean;
  /** No further clause will come: the reply is whole, or it failed. */
  complete: boolean;
  /** Speech for it has reached the playout queue. */
  audioReady: boolean;
  /** Its newest clause; empty before the first. */
  previousText: string;
  /** When its first sample was sent, on the call's clock; null until then. */
  startedAtMs: number | null;
  /** When the caller's turn ended for which it was begun; null until then. */
  speechEndAtMs: number | null;
  /** Index of its first clause that answers; null before there is one. */
  answersFrom: number | null;
  /** The answer itself has begun. */
  hasAnswered: boolean;
}

/** The meaning of the first sample of a kind of words within a reply for the caller's wait. */
interface Begun {
  speechEndAtMs: number;
  /** These words are the answer. */
  isAnswer: boolean;
  /** Words that are no answer were heard before them, or are these. */
  hasWaited: boolean;
}

interface SpokenRepliesEdge {
  /** The call's clock. */
  nowMs(): number;
  client: ModelClient;
  audio: Pick<CallAudio, 'playout' | 'watchDrain'>;
  models: ModelPorts;
  stages: TurnStages;
  command: OpenCall;
  /** The reply is over for the caller; its clauses are still in the playout. */
  onOver?(epoch: number, text: string, isWhole: boolean): void;
}

/** How long a reply that is over is told of: by then the control thread has written that it is. */
const SAID_FOR_MS = 2_000;

/** Between two clauses of the control thread, which counts in whole numbers. */
const BETWEEN = 1 / 1_024;

// At most two replies exist at a time, one spoken and one prepared. The bound catches a machine that leaks them.
const MAX_REPLIES = 16;

/** Of the words between the groups of a number: replies count from 1. */
const ACKNOWLEDGEMENT = 0;

/** "318" is said as it was given. */
const spelledOut = (group: string): string => group.replace(/\d(?=\d)/g, '$& ');

export class SpokenReplies {
  readonly #edge: SpokenRepliesEdge;
  /** Replies that may still be spoken, by epoch. */
  readonly #replies = new Map<number, SpokenReply>();
  #acknowledgements = 0;
  #said: (AgentWords & { overAtMs: number }) | null = null;
  /** Of further clauses. */
  #voice: CallVoice;
  #language: string;

  constructor(edge: SpokenRepliesEdge) {
    this.#edge = edge;
    this.#voice = edge.command.voice;
    this.#language = edge.command.vocabulary.language;
  }

  /** Further clauses are in this language and voice. */
  speakIn(language: string, voice: CallVoice): void {
    this.#language = language;
    this.#voice = voice;
  }

  has(epoch: number): boolean {
    return this.#replies.has(epoch);
  }

  expect(epoch: number, answersTurn: boolean): void {
    if (this.#replies.size >= MAX_REPLIES) throw new Error('more replies are open than a call can have');
    this.#replies.set(epoch, {
      answersTurn,
      complete: false,
      audioReady: false,
      previousText: '',
      startedAtMs: null,
      speechEndAtMs: null,
      answersFrom: null,
      hasAnswered: false,
    });
  }

  /**
   * Its first sample of a kind was sent. `silentSinceMs`: since when the caller is silent. Null where it tells nothing
   * of the caller's wait: the reply answers no turn, or its answer has begun already.
   */
  started(epoch: number, atMs: number, kind: ClauseKind | null, silentSinceMs: number | null): Begun | null {
    const reply = this.#replies.get(epoch);
    if (!reply) return null;
    const hasWaited = kind !== null || reply.startedAtMs !== null;
    reply.startedAtMs ??= atMs;
    // A caller who says something over "Let me see" has been waiting since before.
    reply.speechEndAtMs ??= silentSinceMs;
    if (!reply.answersTurn || reply.speechEndAtMs === null || reply.hasAnswered) return null;
    reply.hasAnswered = kind === null;
    return { speechEndAtMs: reply.speechEndAtMs, isAnswer: kind === null, hasWaited };
  }

  /** Queues a clause and requests its speech. False if its reply is not open. */
  speak({ epoch, index, text, kind }: Extract<ShardCommand, { type: 'speak' }>): boolean {
    const { audio, models, stages, client } = this.#edge;
    const clause: ClauseKey = { epoch, index };
    const reply = this.#replies.get(epoch);
    if (!reply) return false;
    const previousText = reply.previousText === '' ? {} : { previousText: reply.previousText };
    reply.previousText = text;
    if (!audio.playout.queueClause(clause, text, kind ?? null)) return false;
    audio.watchDrain(epoch);
    if (kind === undefined) {
      reply.answersFrom ??= index;
      stages.reached(epoch, 'firstClauseAtMs');
    }
    models.speak(client, clause, { ...this.#request(text), ...previousText });
    return true;
  }

  /** Queues a clause whose words and audio a speech-to-speech model sends; null if its reply is not open. */
  speakOwn(epoch: number): ClauseKey | null {
    const { audio, stages } = this.#edge;
    const reply = this.#replies.get(epoch);
    if (!reply) return null;
    const clause: ClauseKey = { epoch, index: (audio.playout.lastIndex(epoch) ?? -1) + BETWEEN };
    if (!audio.playout.queueClause(clause, '')) return null;
    audio.watchDrain(epoch);
    reply.answersFrom ??= clause.index;
    stages.reached(epoch, 'firstClauseAtMs');
    return clause;
  }

  /** Says that a group of a number was heard; it belongs to no reply. */
  acknowledge(group: string | null): void {
    const { audio, models, client } = this.#edge;
    this.hushAcknowledgement();
    const clause: ClauseKey = { epoch: ACKNOWLEDGEMENT, index: ++this.#acknowledgements };
    const text = group === null ? phrasesFor(this.#language).call.groupHeard : spelledOut(group);
    if (!audio.playout.queueClause(clause, text, 'filler')) return;
    audio.playout.open(ACKNOWLEDGEMENT);
    models.speak(client, clause, this.#request(text));
  }

  /** Nothing of it is said over the caller, or before a reply. */
  hushAcknowledgement(): void {
    if (this.#acknowledgements === 0) return;
    const { audio, models, client } = this.#edge;
    audio.playout.flush(ACKNOWLEDGEMENT);
    models.cancelSpeech(client, ACKNOWLEDGEMENT);
  }

  /** Requests rendering of texts that will soon be spoken. */
  prepare(texts: readonly string[]): void {
    for (const text of texts) this.#edge.models.prepareSpeech(this.#edge.client, this.#request(text));
  }

  /** No further clause will come. */
  complete(epoch: number): void {
    const reply = this.#replies.get(epoch);
    if (reply) reply.complete = true;
  }

  /** Adds audio of a clause. `first`: the reply can be heard from now on; `overflow`: the queue is full. */
  append(clause: ClauseKey, samples: Int16Array, last: boolean): { first: boolean; overflow: boolean } {
    const reply = this.#replies.get(clause.epoch);
    if (clause.epoch === ACKNOWLEDGEMENT) this.#edge.audio.playout.appendAudio(clause, samples, last);
    if (!reply) return { first: false, overflow: false };
    const overflow = !this.#edge.audio.playout.appendAudio(clause, samples, last);
    const first = !reply.audioReady && samples.length > 0;
    if (first) reply.audioReady = true;
    const isOfAnswer = reply.answersFrom !== null && clause.index >= reply.answersFrom;
    if (samples.length > 0 && isOfAnswer) this.#edge.stages.reached(clause.epoch, 'firstAudioAtMs');
    return { first, overflow };
  }

  /**
   * A clause got no speech. True if nothing of its reply can be heard, so that the fallback need not wait for the
   * deadline.
   */
  failClause(clause: ClauseKey): boolean {
    const reply = this.#replies.get(clause.epoch);
    if (!reply) return false;
    this.#edge.audio.playout.failClause(clause);
    if (reply.audioReady) return false;
    reply.complete = true;
    return true;
  }

  /** Spoken to its end: no clause will follow, and all audio was sent. */
  isHeard(epoch: number): boolean {
    return (this.#replies.get(epoch)?.complete ?? false) && this.#edge.audio.playout.drained(epoch);
  }

  /** The words so far of the reply that is being spoken, and its start; null between replies. */
  get speaking(): AgentWords | null {
    const { playout } = this.#edge.audio;
    const epoch = playout.openEpoch;
    const startedAtMs = epoch === null ? null : (this.#replies.get(epoch)?.startedAtMs ?? null);
    return epoch === null || startedAtMs === null ? null : { epoch, text: playout.heard(epoch), startedAtMs };
  }

  /** The words that were heard of the reply that was over just before; null if that is a while ago. */
  get said(): AgentWords | null {
    if (this.#said === null || this.#edge.nowMs() - this.#said.overAtMs > SAID_FOR_MS) return null;
    const { overAtMs: _, ...words } = this.#said;
    return words;
  }

  /** Removes the reply. Returns the text that was heard and its start; null if the reply is not open. */
  close(epoch: number): { text: string; startedAtMs: number | null } | null {
    const reply = this.#replies.get(epoch);
    if (!reply) return null;
    const text = this.#edge.audio.playout.heard(epoch);
    this.forget(epoch);
    return { text, startedAtMs: reply.startedAtMs };
  }

  /** Withdraws a reply: what was heard of it was not said. */
  drop(epoch: number): void {
    this.forget(epoch);
    this.#said = null;
  }

  forget(epoch: number): void {
    const { audio, models, stages, client, onOver, nowMs } = this.#edge;
    const reply = this.#replies.get(epoch);
    const text = reply ? audio.playout.heard(epoch) : '';
    if (reply) onOver?.(epoch, text, this.isHeard(epoch));
    const startedAtMs = reply?.startedAtMs ?? null;
    if (startedAtMs !== null) this.#said = { epoch, text, startedAtMs, overAtMs: nowMs() };
    this.#replies.delete(epoch);
    stages.forget(epoch);
    audio.playout.flush(epoch);
    models.cancelSpeech(client, epoch);
  }

  #request(text: string): SpeechRequest {
    const { sampleRateHz } = this.#edge.command;
    const [voice, language] = [this.#voice, this.#language];
    const said = pronounced(text, voice.pronunciations ?? []);
    return { text: said, voiceId: voice.voiceId, speed: voice.speed, sampleRateHz, language };
  }
}
