// The speech of a shard's calls: which voice renders which clause, and to whom its audio goes. A call keeps the engine
// with which it began. A clause whose voice was lost is requested again if none of it has arrived; otherwise it fails.
import type { MessagePort } from 'node:worker_threads';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import type { ClauseKey } from '../../../media/playout.ts';
import type { SpeechRequest, TtsReply, TtsRequest } from '../../../models/tts/tts.ts';
import type { Guard, ModelClient } from './model-client.ts';
import { Voices, type VoiceWorker } from './voices.ts';

/** One clause that the voice is rendering. */
interface SpeechJob {
  voice: VoiceWorker;
  client: ModelClient;
  clause: ClauseKey;
  request: SpeechRequest;
  /** Some of its audio has arrived. */
  begun: boolean;
}

/** The voices of one engine, and the calls that speak with them. */
interface VoiceSet {
  voices: Voices;
  calls: Set<ModelClient>;
}

export class Speech {
  readonly #guard: Guard;
  /** Clauses that wait for speech, by the voice's job id. */
  readonly #jobs = new Map<number, SpeechJob>();
  /** The voices of new calls. */
  #newest: VoiceSet;
  readonly #setOf = new Map<ModelClient, VoiceSet>();
  #nextJob = 1;

  constructor(ports: readonly MessagePort[], guard: Guard) {
    this.#guard = guard;
    this.#newest = this.#newSet(ports);
  }

  /** The number of voice workers of new calls. */
  get voices(): number {
    return this.#newest.voices.count;
  }

  open(client: ModelClient): void {
    this.#newest.calls.add(client);
    this.#setOf.set(client, this.#newest);
  }

  close(client: ModelClient): void {
    this.cancel(client, null);
    const set = this.#setOf.get(client);
    this.#setOf.delete(client);
    if (!set) return;
    set.calls.delete(client);
    this.#closeIfUnused(set);
  }

  speak(client: ModelClient, clause: ClauseKey, request: SpeechRequest): void {
    client.uses.characters += request.text.length;
    this.#request(this.#nextJob++, this.#voicesOf(client), { client, clause, request });
  }

  prepare(client: ModelClient, request: SpeechRequest): void {
    toTts(this.#voicesOf(client).workerFor(request), { type: 'prepare', ...request });
  }

  cancel(client: ModelClient, epoch: number | null): void {
    for (const [id, job] of this.#jobs) {
      if (job.client !== client || (epoch !== null && job.clause.epoch !== epoch)) continue;
      this.#forget(id, job);
      toTts(job.voice, { type: 'cancel', id });
    }
  }

  /** The worker at this place was lost; the port leads to its successor. */
  replace(place: number, port: MessagePort): void {
    const { voices } = this.#newest;
    const voice = voices.replace(place, port);
    if (!voice) return;
    for (const [id, job] of [...this.#jobs]) if (job.voice === voice) this.#repeat(id, job, voices);
  }

  /** Another engine speaks on new calls. */
  renew(ports: readonly MessagePort[]): void {
    const former = this.#newest;
    this.#newest = this.#newSet(ports);
    if (former.voices.hasLost) this.#move(former);
    this.#closeIfUnused(former);
  }

  stop(): void {
    for (const { voices } of new Set([this.#newest, ...this.#setOf.values()])) voices.close();
  }

  #newSet(ports: readonly MessagePort[]): VoiceSet {
    const set: VoiceSet = {
      calls: new Set(),
      voices: new Voices(ports, {
        onReply: (message) => this.#receive(message),
        onLost: () => {
          if (set !== this.#newest) this.#move(set);
        },
      }),
    };
    return set;
  }

  #closeIfUnused(set: VoiceSet): void {
    if (set !== this.#newest && set.calls.size === 0) set.voices.close();
  }

  /** Voices that were replaced have ended before their calls: these go on with the new ones. */
  #move(former: VoiceSet): void {
    for (const client of former.calls) this.open(client);
    former.calls.clear();
    for (const [id, job] of [...this.#jobs])
      if (former.voices.has(job.voice)) this.#repeat(id, job, this.#newest.voices);
    former.voices.close();
  }

  #voicesOf(client: ModelClient): Voices {
    return (this.#setOf.get(client) ?? this.#newest).voices;
  }

  #request(id: number, voices: Voices, job: Pick<SpeechJob, 'client' | 'clause' | 'request'>): void {
    const voice = voices.workerFor(job.request);
    voice.jobs++;
    this.#jobs.set(id, { ...job, voice, begun: false });
    toTts(voice, { type: 'speak', id, askedAtMs: sharedClockMs(), ...job.request });
  }

  /** The voice of the job was lost: what has begun cannot be continued by another. */
  #repeat(id: number, job: SpeechJob, voices: Voices): void {
    this.#forget(id, job);
    if (!job.begun) return this.#request(id, voices, job);
    this.#guard(job.client, () => job.client.speechFailed(job.clause, 'the voice was lost in mid sentence'));
  }

  #forget(id: number, job: SpeechJob): void {
    if (this.#jobs.delete(id)) job.voice.jobs--;
  }

  #receive(message: TtsReply): void {
    if (message.type === 'ready') return;
    const job = this.#jobs.get(message.id);
    if (!job) return;
    const { client, clause, request } = job;
    if (message.type === 'fallback') {
      this.#guard(client, () => client.modelFallback('tts', message));
      return;
    }
    if (message.type === 'words') {
      this.#guard(client, () => client.speechWords(clause, message.words));
      return;
    }
    if (message.type === 'failed') {
      this.#forget(message.id, job);
      this.#guard(client, () => client.speechFailed(clause, message.message));
      return;
    }
    if (message.isKept !== true) client.uses.spokenMs += (message.samples.length * 1_000) / request.sampleRateHz;
    else if (!job.begun) client.uses.characters -= request.text.length;
    job.begun = true;
    if (message.last) this.#forget(message.id, job);
    this.#guard(client, () => client.speech(clause, message.samples, message.last));
  }
}

function toTts({ port }: VoiceWorker, message: TtsRequest): void {
  port.postMessage(message);
}
