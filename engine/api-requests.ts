// What the API asks of the engine (dial, end, browser call, voice preview): rows that are claimed durably and carried out side
// by side, so that a slow one holds up nobody else's call.
import type { Logger } from 'pino';
import type { ClaimedRequest } from '../db/queries/engine-claims.ts';
import type { Db } from '../db/sqlite.ts';
import type { Writer } from '../db/writer.ts';
import { messageOf } from '../models/unexpected.ts';
import type { Clock } from './clock.ts';

/** Requests claimed at a time; what remains is claimed at once afterwards. */
const CLAIM_LIMIT = 50;

export interface RequestTaker {
  readonly isDraining: boolean;
  endCall(callId: string): void;
  /** Dials a call whose row the API wrote, or waits for its browser. False when it has ended already. */
  beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean>;
}

export interface ApiRequestsOptions {
  read: Db;
  writer: Pick<Writer, 'run' | 'runDurably'>;
  clock: Clock;
  engineId: string;
  log: Pick<Logger, 'error'>;
  calls: RequestTaker;
  renderPreview(payload: { voiceId: string; path: string }): Promise<void>;
}

export class ApiRequests {
  readonly #options: ApiRequestsOptions;
  #claiming: Promise<void> | null = null;
  #claimAgain = false;
  /** Requests of one call are carried out in order: an end must not overtake its dial. */
  readonly #ofCalls = new Map<string, Promise<void>>();
  /** Previews wait for each other: one voice at a time is enough for those who are not on a call. */
  #previews: Promise<void> = Promise.resolve();

  constructor(options: ApiRequestsOptions) {
    this.#options = options;
  }

  /** Looks for requests; cheap when there are none. Called at each change of the database. */
  async take(): Promise<void> {
    if (this.#claiming) {
      this.#claimAgain = true;
      return this.#claiming;
    }
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  async #claim(): Promise<void> {
    const { writer, read, engineId, clock, calls } = this.#options;
    do {
      this.#claimAgain = false;
      if ((await countOpenRequests(read)) === 0) continue;
      // A draining engine carries out the ends that are asked for; what it must not dial expires, or is taken by the next.
      const requests = await writer.run('claimRequests', {
        engineId,
        nowMs: clock.nowMs(),
        limit: CLAIM_LIMIT,
        ...(calls.isDraining ? { kinds: ['end-call'] } : {}),
      });
      for (const request of requests) this.#begin(request);
      if (requests.length === CLAIM_LIMIT) this.#claimAgain = true;
    } while (this.#claimAgain);
  }

  #begin(request: ClaimedRequest): void {
    const { callId } = request;
    if (callId === null) {
      void this.#carryOut(request);
      return;
    }
    const before = this.#ofCalls.get(callId) ?? Promise.resolve();
    const done = before.then(() => this.#carryOut(request));
    this.#ofCalls.set(callId, done);
    void done.then(() => {
      if (this.#ofCalls.get(callId) === done) this.#ofCalls.delete(callId);
    });
  }

  async #carryOut(request: ClaimedRequest): Promise<void> {
    const { writer, clock, log } = this.#options;
    let result: unknown;
    try {
      result = await this.#perform(request);
    } catch (error) {
      const { id, kind, callId } = request;
      log.error({ request: id, kind, callId, error: messageOf(error) }, 'request failed');
      result = { error: messageOf(error) };
    }
    try {
      await writer.runDurably('finishRequest', { id: request.id, result, nowMs: clock.nowMs() });
    } catch (error) {
      log.error({ request: request.id, error: messageOf(error) }, 'the answer to a request could not be written');
    }
  }

  async #perform(request: ClaimedRequest): Promise<unknown> {
    const { calls } = this.#options;
    const payload = JSON.parse(request.payload) as Record<string, unknown>;
    switch (request.kind) {
      case 'end-call':
        calls.endCall(request.callId ?? '');
        return { ok: true };
      case 'voice-preview':
        await this.#preview(String(payload.voiceId), String(payload.path));
        return { ok: true };
      case 'dial':
      case 'web-call':
        return (await calls.beginRequested(request, payload)) ? { ok: true } : { error: 'call has ended' };
      case 'model-download':
        return { error: 'there is nothing to download in this release' };
    }
  }

  #preview(voiceId: string, path: string): Promise<void> {
    const rendered = this.#previews.then(() => this.#options.renderPreview({ voiceId, path }));
    this.#previews = rendered.catch(() => undefined);
    return rendered;
  }
}

async function countOpenRequests(read: Db): Promise<number> {
  const row = await read
    .selectFrom('engineRequests')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('claimedAt', 'is', null)
    .where('doneAt', 'is', null)
    .executeTakeFirst();
  return row?.open ?? 0;
}
