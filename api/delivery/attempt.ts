// One delivery attempt: a signed POST over one of the subscription's own connections. Time and answer size are bounded;
// a redirect is an answer like any other. Delivered means a 2xx status within the time limit, in an answer that was not
// cut off.
import type { Dispatcher } from 'undici';
import { readableFailure } from '../../db/shared/net/safe-fetch.ts';
import { parseRetryAfter } from './schedule.ts';
import { signedHeaders } from './signature.ts';

interface DeliveryRequest {
  url: string;
  /** Null: it is not signed. */
  secretDigest: string | null;
  /** The event's id, the same over all attempts and replays. */
  eventId: string;
  body: string;
  nowMs: number;
  timeoutMs: number;
}

export interface AttemptOutcome {
  success: boolean;
  statusCode: number | null;
  /** The first 4 KiB as text; null without an answer. */
  responseBody: string | null;
  error: string | null;
  durationMs: number;
  /** The wait that the receiver requests. */
  retryAfterMs: number | null;
  /** No answer: the receiver is unreachable or too slow, so fewer connections should wait for it. */
  unresponsive: boolean;
}

export const ATTEMPT_TIMEOUT_MS = 15_000;
const KEPT_BYTES = 4_096;
/** An answer up to this size is read to its end so that its connection can be reused; a longer one is cut. */
const READ_BYTES_MAX = 65_536;
const USER_AGENT = 'voice-calling-service-webhooks/1';

/** Never rejects. `onSent` is called when the request is sent on an established connection. */
export function attemptDelivery(
  dispatcher: Dispatcher,
  request: DeliveryRequest,
  onSent: () => void = () => {},
): Promise<AttemptOutcome> {
  return new Promise((resolve) => {
    const attempt = new Attempt(request, onSent, resolve);
    try {
      const url = new URL(request.url);
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': USER_AGENT,
            ...(request.secretDigest === null
              ? {}
              : signedHeaders(request.secretDigest, request.eventId, request.body, request.nowMs)),
          },
          body: request.body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        attempt,
      );
    } catch (error) {
      attempt.onResponseError(null, error as Error);
    }
  });
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #onSent: () => void;
  readonly #resolve: (outcome: AttemptOutcome) => void;
  readonly #request: DeliveryRequest;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  readonly #kept: Buffer[] = [];
  #bytes = 0;
  #settled = false;

  constructor(request: DeliveryRequest, onSent: () => void, resolve: (outcome: AttemptOutcome) => void) {
    this.#request = request;
    this.#onSent = onSent;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#onTimeout(), request.timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('the attempt is over'));
    else this.#onSent();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#retryAfterMs = parseRetryAfter(headers['retry-after'], this.#request.nowMs);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#bytes < KEPT_BYTES) this.#kept.push(chunk.subarray(0, KEPT_BYTES - this.#bytes));
    this.#bytes += chunk.length;
    if (this.#bytes <= READ_BYTES_MAX) return;
    this.#settleByStatus();
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.#settleByStatus();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#settle(false, readableFailure(error).message, this.#statusCode === null);
  }

  #onTimeout(): void {
    // A status that arrived in time counts, however slow its body is.
    if (this.#statusCode !== null) this.#settleByStatus();
    else this.#settle(false, `did not answer within ${Math.round(this.#request.timeoutMs / 1_000)} s`, true);
    this.#controller?.abort(new Error('the attempt is over'));
  }

  #settleByStatus(): void {
    const status = this.#statusCode ?? 0;
    if (status >= 200 && status < 300) this.#settle(true, null, false);
    else if (status >= 300 && status < 400)
      this.#settle(false, `answered ${status}: redirects are not followed`, false);
    else this.#settle(false, `answered ${status}`, false);
  }

  #settle(success: boolean, error: string | null, unresponsive: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#resolve({
      success,
      statusCode: this.#statusCode,
      responseBody: this.#statusCode === null ? null : Buffer.concat(this.#kept).toString('utf8'),
      error,
      durationMs: Math.round(performance.now() - this.#startedAt),
      retryAfterMs: this.#retryAfterMs,
      unresponsive,
    });
  }
}
