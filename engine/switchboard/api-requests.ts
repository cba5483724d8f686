// Requests from the API (dial, end, browser call, voice preview, model download, test of a model) as database rows,
// claimed durably and run in parallel, so that a slow one does not delay other calls.
import type { Logger } from 'pino';
import type { CallControl, ControlAnswer } from '../../db/domain/calls/control.ts';
import type { ModelTrial } from '../../db/domain/model-trial.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { type ClaimedRequest, claimedDials, hasOpenRequests } from '../../db/rules/engine-claims.ts';
import type { Credential } from '../../db/rules/live-credential.ts';
import type { EngineRequestKind } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { oneAtATime } from '../../db/shared/one-at-a-time.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { Clock } from '../clock.ts';
import type { Listeners } from './listeners.ts';

/** Requests claimed per batch; a full batch is followed by the next one at once. */
const CLAIM_LIMIT = 50;
/** The requests that an engine takes which is about to end. */
const AT_THE_END: EngineRequestKind[] = ['end-call', 'control', 'listen'];
/** Longer than a request to dial lives. */
const REMEMBERED_MS = 120_000;
/** Another engine answers the request. */
const GIVEN = Symbol('given');

export interface RequestTaker {
  readonly isDraining: boolean;
  endCall(callId: string): void;
  control(callId: string, control: CallControl): Promise<ControlAnswer>;
  /**
   * Dials a call whose row the API wrote, or waits for its browser. False if the call has already ended; `given` if
   * another engine is to dial it.
   */
  beginRequested(request: ClaimedRequest, payload: Record<string, unknown>): Promise<boolean | 'given'>;
}

interface ApiRequestsOptions {
  read: Db;
  writer: Pick<Writer, 'run' | 'runDurably'>;
  clock: Clock;
  engineId: string;
  log: Pick<Logger, 'error'>;
  /** Whether this engine places calls that have no engine yet. */
  places(): boolean;
  calls: RequestTaker;
  renderPreview(payload: { voiceId: string; path: string }): Promise<void>;
  /** Rejects with a message for the operator. */
  downloadModel(engine: string): Promise<void>;
  /** Lets somebody listen to a call; resolves with why not, or null. */
  admitListener(wish: Parameters<Listeners['admit']>[0]): ReturnType<Listeners['admit']>;
  /** Resolves with what the API's client is told. `sealed`: settings with their keys. */
  testModel(sealed: string): Promise<ModelTrial>;
}

export class ApiRequests {
  readonly #options: ApiRequestsOptions;
  /** When each request to dial was begun here, by the monotonic clock. */
  readonly #begun = new Map<string, number>();
  /** A claim failed, and may have been written all the same. */
  #isInDoubt = false;
  /** Requests for one call run in order: an end must not overtake its dial. */
  readonly #ofCalls = new Map<string, Promise<void>>();
  /** Previews run one at a time: nobody on a call waits for them. */
  #previews: Promise<void> = Promise.resolve();

  constructor(options: ApiRequestsOptions) {
    this.#options = options;
  }

  /** Looks for requests; cheap when there are none. Runs on every change of the database. */
  readonly take = oneAtATime(() => this.#claim());

  async #claim(): Promise<void> {
    let count: number;
    do count = await this.#claimBatch();
    while (count >= CLAIM_LIMIT);
  }

  /** Returns how many there were. */
  async #claimBatch(): Promise<number> {
    const { writer, read, engineId, clock, calls } = this.#options;
    const places = this.#options.places();
    const isFor = { engineId, places };
    if (!this.#isInDoubt && !(await hasOpenRequests(read, { ...isFor, nowMs: clock.nowMs() }))) return 0;
    // A draining engine still ends and controls its calls on request. Other requests expire, or the next engine runs
    // them.
    const kinds = calls.isDraining ? { kinds: AT_THE_END } : {};
    const wasInDoubt = this.#isInDoubt;
    this.#isInDoubt = true;
    const requests = await writer.run('claimRequests', {
      ...isFor,
      nowMs: clock.nowMs(),
      limit: CLAIM_LIMIT,
      ...kinds,
    });
    const count = requests.length;
    if (wasInDoubt) requests.push(...(await this.#claimedInDoubt()));
    this.#isInDoubt = false;
    for (const request of requests) this.#begin(request);
    return count;
  }

  /** Requests that an earlier claim took without its answer reaching this engine: it has dialled none of them. */
  async #claimedInDoubt(): Promise<ClaimedRequest[]> {
    const { read, engineId, clock } = this.#options;
    const claimed = await claimedDials(read, { engineId, nowMs: clock.nowMs() });
    return claimed.filter(({ id }) => !this.#begun.has(id));
  }

  #begin(request: ClaimedRequest): void {
    const { callId } = request;
    const nowMs = this.#options.clock.monotonicMs();
    if (request.kind === 'dial') {
      for (const [id, atMs] of this.#begun) {
        if (nowMs - atMs < REMEMBERED_MS) break;
        this.#begun.delete(id);
      }
      // A second answer to one claim.
      if (this.#begun.has(request.id) && request.target === null) return;
      this.#begun.set(request.id, nowMs);
    }
    // Controls of a running call are begun in their order, and nothing waits for their end: least of all the call's
    // end.
    if (callId === null || request.kind === 'control' || request.kind === 'listen') {
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
      if (result === GIVEN) {
        // Should the other engine not take it, it is claimed here again.
        this.#begun.delete(request.id);
        return;
      }
    } catch (error) {
      const { id, kind, callId } = request;
      log.error({ request: id, kind, callId, error: messageOf(error) }, 'request failed');
      result = { error: messageOf(error) };
    }
    try {
      await writer.runDurably('finishRequest', { id: request.id, result, nowMs: clock.nowMs() });
    } catch (error) {
      log.error({ request: request.id, error: messageOf(error) }, 'could not write the answer to a request');
    }
  }

  async #perform(request: ClaimedRequest): Promise<unknown> {
    const { calls } = this.#options;
    const payload = JSON.parse(request.payload) as Record<string, unknown>;
    switch (request.kind) {
      case 'end-call':
        calls.endCall(request.callId ?? '');
        return { ok: true };
      case 'control':
        return calls.control(request.callId ?? '', payload.control as CallControl);
      case 'listen': {
        const refused = this.#options.admitListener({
          callId: request.callId ?? '',
          listenerId: String(payload.listenerId),
          tokenHash: String(payload.tokenHash),
          credential: payload.credential as Credential,
        });
        return refused === null ? { ok: true } : { refused };
      }
      case 'voice-preview':
        await this.#preview(String(payload.voiceId), String(payload.path));
        return { ok: true };
      case 'dial':
      case 'web-call':
        return this.#began(await calls.beginRequested(request, payload));
      case 'model-download':
        await this.#options.downloadModel(String(payload.name));
        return { ok: true };
      case 'model-test':
        return { trial: await this.#options.testModel(String(payload.sealed)) };
    }
  }

  #began(begun: boolean | 'given'): unknown {
    if (begun === 'given') return GIVEN;
    return begun ? { ok: true } : { error: 'call has ended' };
  }

  #preview(voiceId: string, path: string): Promise<void> {
    const rendered = this.#previews.then(() => this.#options.renderPreview({ voiceId, path }));
    this.#previews = rendered.catch(() => undefined);
    return rendered;
  }
}
