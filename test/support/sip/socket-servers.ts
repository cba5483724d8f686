// The WebSocket server with each of its two packages, for the tests that both must pass.
import type { AudioSocketServer, AudioSocketServerOptions } from '../../../media/socket/audio-socket.ts';
import { loadUws, startUws } from '../../../media/socket/uws.ts';
import { startWs } from '../../../media/socket/ws.ts';

export interface SocketServerUnderTest {
  library: AudioSocketServer['library'];
  /** Why its tests cannot run here; false if they can. */
  skip: string | false;
  start(options: AudioSocketServerOptions): Promise<AudioSocketServer>;
}

const uws = await loadUws();

export const SOCKET_SERVERS: readonly SocketServerUnderTest[] = [
  { library: 'ws', skip: false, start: startWs },
  {
    library: 'uWebSockets.js',
    skip: uws === null && 'uWebSockets.js is not installed (docs/docker.md)',
    start: (options) => (uws === null ? Promise.reject(new Error('not installed')) : startUws(uws, options)),
  },
];
