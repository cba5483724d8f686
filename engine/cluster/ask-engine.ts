// Asks another engine whether it lives, on its control port and by SIP. Either answer will do: an engine that is
// cut off from the internal network may still have callers. A port that is closed says more than no answer.
import { connect } from 'node:net';
import type { EngineTable } from '../../db/schema/processes.ts';
import { controlKey, signControl } from '../../db/shared/secrets/control-signature.ts';
import { ANSWER_WITHIN_MS } from '../silence.ts';

/** False without a control port, and without an answer within a second. */
async function answersControl(url: string | null, sealingKey: Buffer, nowMs: number): Promise<boolean> {
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

/** `refused`: the machine is there, and nothing listens on the port. */
export type PortState = 'open' | 'refused' | 'silent';

/** Knocks at the control port, without a word. A process that stands still has it open: the kernel answers. */
export function knock({ controlUrl }: Pick<EngineTable, 'controlUrl'>): Promise<PortState> {
  if (controlUrl === null) return Promise.resolve('silent');
  const { hostname, port } = new URL(controlUrl);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), timeout: ANSWER_WITHIN_MS });
  return new Promise<PortState>((resolve) => {
    socket.once('connect', () => resolve('open'));
    socket.once('timeout', () => resolve('silent'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'silent'),
    );
  }).finally(() => socket.destroy());
}

interface AskingEngine {
  sealingKey: Buffer;
  nowMs(): number;
  /** False without an answer by SIP. */
  telephony: { reaches(sipUri: string, withinMs: number): Promise<boolean> };
  /** Its own, which it must not take for another's. */
  sipUri: string;
}

/** Both questions at once. */
export async function answersAnyhow(
  { controlUrl, sipUri }: Pick<EngineTable, 'controlUrl' | 'sipUri'>,
  { sealingKey, nowMs, telephony, sipUri: own }: AskingEngine,
): Promise<boolean> {
  // An engine that listens on all addresses names none: a question to it would come back to this machine.
  const isElsewhere = sipUri !== null && sipUri !== own && !/^sips?:(0\.0\.0\.0|\[::\])(?=:|$)/.test(sipUri);
  const answers = await Promise.all([
    answersControl(controlUrl, sealingKey, nowMs()),
    isElsewhere ? telephony.reaches(sipUri, ANSWER_WITHIN_MS).catch(() => false) : false,
  ]);
  return answers.includes(true);
}
