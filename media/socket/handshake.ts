// Decides which upgrade requests are admitted, by the same rules for either library.
//
//   browser   /calls/CALL_ID?token=TOKEN, decided before the upgrade
//   listener  /calls/CALL_ID/listen?token=TOKEN, the same
//   fork      /forks with the sub-protocol of mod_audio_fork; its first text names call and token

import { ArrivingFork, FORK_PROTOCOL } from './arriving-fork.ts';
import type { AudioSocketHandler, AudioSocketServerOptions, SocketClient } from './audio-socket.ts';

interface UpgradeRequest {
  /** Path and query, as on the request line. */
  target: string;
  /** The header `Sec-WebSocket-Protocol`, empty if there is none. */
  protocols: string;
}

/** An admitted client. */
interface Guest {
  client: SocketClient;
  handler: AudioSocketHandler;
  /** The sub-protocol to answer with. */
  protocol: typeof FORK_PROTOCOL | null;
}

const CALL_PATH = /^\/calls\/([A-Za-z0-9_-]{1,64})(\/listen)?$/;
const FORK_PATH = '/forks';
const MAX_TOKEN_CHARS = 512;

/**
 * Null refuses the upgrade. `onJoined`: the client has proved which call it joins; a browser proves it in its request.
 */
export function admitUpgrade(
  { authorize, acceptsForks = false }: Pick<AudioSocketServerOptions, 'authorize' | 'acceptsForks'>,
  request: UpgradeRequest,
  onJoined: () => void,
): Guest | null {
  const url = parseTarget(request.target);
  if (url === null) return null;
  if (url.pathname === FORK_PATH) {
    const speaksFork = request.protocols.split(',').some((name) => name.trim() === FORK_PROTOCOL);
    // A fork shows its token only after the upgrade, and occupies a place until then.
    if (!speaksFork || !acceptsForks) return null;
    return { client: 'fork', handler: new ArrivingFork(authorize, onJoined), protocol: FORK_PROTOCOL };
  }
  const [, callId, listens] = CALL_PATH.exec(url.pathname) ?? [];
  const token = url.searchParams.get('token');
  if (callId === undefined || token === null || token.length > MAX_TOKEN_CHARS) return null;
  const client = listens === undefined ? 'browser' : 'listener';
  const handler = authorize(callId, token, client);
  if (handler === null) return null;
  onJoined();
  return { client, handler, protocol: null };
}

function parseTarget(target: string): URL | null {
  try {
    return new URL(target, 'ws://media');
  } catch {
    return null;
  }
}
