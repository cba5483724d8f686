// Asks another engine on its control port whether it lives.
import { controlKey, signControl } from '../../db/shared/control-signature.ts';

const ANSWER_WITHIN_MS = 1_000;

/** False without a control port, and without an answer within a second. */
export async function answersControl(url: string | null, sealingKey: Buffer, nowMs: number): Promise<boolean> {
  if (url === null) return false;
  const request = { method: 'GET', path: '/alive' };
  try {
    const response = await fetch(`${url}${request.path}`, {
      headers: { authorization: signControl(controlKey(sealingKey), request, nowMs) },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    await response.body?.cancel();
    // Any answer of its own is a sign of life.
    return response.status === 204 || response.status === 401;
  } catch {
    return false;
  }
}
