// The server side of `sockets`, in a separate process so that its CPU time is measured alone.
import { FRAME_MS } from '../../media/frame.ts';
import type { AudioSocket, AudioSocketServer, AudioSocketServerOptions } from '../../media/socket/audio-socket.ts';
import { loadUws, startUws } from '../../media/socket/uws.ts';
import { startWs } from '../../media/socket/ws.ts';

export interface ServerTask {
  library: AudioSocketServer['library'];
  streams: number;
  bytes: number;
}

export interface ServedFigures {
  cpuMs: number;
  elapsedMs: number;
  /** Messages of the clients. */
  received: number;
}

const open = new Set<AudioSocket>();
let received = 0;
let began = { cpu: process.cpuUsage(), atMs: 0, received: 0 };

async function start({ library }: ServerTask): Promise<AudioSocketServer | null> {
  const options: AudioSocketServerOptions = {
    host: '127.0.0.1',
    port: 0,
    authorize: () => {
      let own: AudioSocket | null = null;
      return {
        opened: (socket) => {
          own = socket;
          open.add(socket);
          return true;
        },
        audio: () => {
          received++;
        },
        text() {},
        alive() {},
        closed: () => {
          if (own) open.delete(own);
        },
      };
    },
    onFault: (error) => {
      throw error;
    },
  };
  if (library === 'ws') return startWs(options);
  const uws = await loadUws();
  return uws === null ? null : startUws(uws, options);
}

function sendFrames(bytes: number): void {
  const startMs = performance.now();
  let ticks = 0;
  setInterval(() => {
    for (; ticks * FRAME_MS < performance.now() - startMs; ticks++) {
      for (const socket of open) socket.sendBinary(new Uint8Array(bytes));
    }
  }, FRAME_MS / 4);
}

process.on('message', async (message: ServerTask | 'begin' | 'end') => {
  if (message === 'begin') {
    began = { cpu: process.cpuUsage(), atMs: performance.now(), received };
  } else if (message === 'end') {
    const { user, system } = process.cpuUsage(began.cpu);
    const figures: ServedFigures = {
      cpuMs: (user + system) / 1_000,
      elapsedMs: performance.now() - began.atMs,
      received: received - began.received,
    };
    process.send?.(figures);
  } else {
    const server = await start(message);
    if (server) sendFrames(message.bytes);
    process.send?.(server?.port ?? null);
  }
});
process.on('disconnect', () => process.exit(0));
