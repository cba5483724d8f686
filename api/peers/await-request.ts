// Waits for the answer of an engine to a request of ours: its row is looked at until the engine has noted it there.
import { setTimeout as delay } from 'node:timers/promises';
import { getEngineRequest } from '../../db/queries/engine/engine-requests.ts';
import type { Db } from '../../db/schema.ts';

interface Wait {
  withinMs: number;
  everyMs: number;
}

/** The engine's answer, as the kind of the request has it; null: none in time. */
export async function awaitRequest<Answer extends object>(
  read: Db,
  { accountId, id }: { accountId: string; id: string },
  { withinMs, everyMs }: Wait,
): Promise<Answer | { error: string } | null> {
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const request = await getEngineRequest(read, accountId, id);
    if (request?.doneAt != null) return JSON.parse(request.result ?? '{}') as Answer | { error: string };
    if (waitedMs >= withinMs) return null;
    await delay(everyMs);
  }
}
