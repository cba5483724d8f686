// Chooses what serves the WebSocket port: uWebSockets.js where it is installed, else `ws`.
import type { AudioSocketServer, AudioSocketServerOptions } from './audio-socket.ts';
import { loadUws, startUws } from './uws.ts';
import { startWs } from './ws.ts';

/** Resolves when the server listens. @throws the error of `listen` */
export async function startSocketServer(options: AudioSocketServerOptions): Promise<AudioSocketServer> {
  const uws = await loadUws();
  return uws === null ? startWs(options) : startUws(uws, options);
}
