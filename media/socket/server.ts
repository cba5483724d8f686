// Starts the WebSocket server with uWebSockets.js if it is installed, else with `ws`.
import type { AudioSocketServer, AudioSocketServerOptions } from './audio-socket.ts';
import { loadUws, startUws } from './uws.ts';
import { startWs } from './ws.ts';

/** Resolves when the server listens. @throws the error of `listen` */
export async function startSocketServer(options: AudioSocketServerOptions): Promise<AudioSocketServer> {
  const uws = await loadUws();
  return uws === null ? startWs(options) : startUws(uws, options);
}
