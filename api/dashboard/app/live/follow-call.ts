// Follows the events of a running call; after a broken connection it continues at the last event.
import { ApiError, send } from '../client.ts';
import type { CallEvent } from './conversation.ts';
import { EventStreamParser } from './event-stream.ts';

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 10_000;

interface Following {
  onEvent: (event: CallEvent) => void;
  /** False while the connection is broken. */
  onConnected?: (isConnected: boolean) => void;
  signal: AbortSignal;
  /** Waits before the next try. */
  pause?: (ms: number) => Promise<void>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the call has ended or `signal` is aborted. @throws {ApiError} if there is no such call */
export async function followCall(
  callId: string,
  { onEvent, onConnected, signal, pause = sleep }: Following,
): Promise<void> {
  let lastId: string | null = null;
  let retryMs = RETRY_FIRST_MS;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
      const answer = await send('streamCall', { params: { id: callId } }, { signal, headers });
      onConnected?.(true);
      retryMs = RETRY_FIRST_MS;
      const parser = new EventStreamParser();
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
        for (const { id, type, data } of parser.take(piece.value)) {
          if (type === 'ended') return;
          lastId = id ?? lastId;
          onEvent({ type, ...(JSON.parse(data) as object) } as CallEvent);
        }
      }
    } catch (fault) {
      if (signal.aborted) return;
      if (fault instanceof ApiError && fault.status >= 400 && fault.status < 500 && fault.status !== 429) throw fault;
    }
    onConnected?.(false);
    await pause(retryMs);
    retryMs = Math.min(RETRY_MAX_MS, retryMs * 2);
  }
}
