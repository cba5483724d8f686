// Asks an engine on its control port (engine/cluster/control-server.ts): what only that process knows.
import { controlKey, signControl } from '../../db/shared/secrets/control-signature.ts';
import type { ApiContext } from '../context.ts';

const ANSWER_WITHIN_MS = 15_000;

/** The body of its answer; null if it gave none. `controlUrl` comes from the engine's own row. */
export async function askEngine(
  { secretKey, now, log }: ApiContext,
  controlUrl: string,
  request: { method: 'GET' | 'POST'; path: string },
): Promise<Buffer | null> {
  try {
    const response = await fetch(`${controlUrl}${request.path}`, {
      method: request.method,
      headers: { authorization: signControl(controlKey(secretKey), request, now()) },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      redirect: 'error',
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.ok) return body;
    log.warn({ controlUrl, status: response.status }, 'an engine did not do what it was asked');
  } catch (error) {
    log.warn({ controlUrl, err: error }, 'an engine could not be asked');
  }
  return null;
}
