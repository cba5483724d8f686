// The relays that a browser may use for one call, with a name and a password that end by themselves: the scheme that
// coturn calls its REST API (draft-uberti-behave-turn-rest), by a secret that both sides have.
import { createHmac } from 'node:crypto';
import type { TurnSettings } from '../../config.ts';

/** A call, and a browser that offers WebRTC again in it. */
const VALID_S = 2 * 60 * 60;

export interface IceServer {
  urls: string[];
  username: string;
  credential: string;
}

export function iceServers(turn: TurnSettings | null, callId: string, nowMs: number): IceServer[] {
  if (turn === null) return [];
  const username = `${Math.floor(nowMs / 1_000) + VALID_S}:${callId}`;
  const credential = createHmac('sha1', turn.secret).update(username).digest('base64');
  return [{ urls: [...turn.urls], username, credential }];
}
