// The WebSocket port under calls, with each of its two packages: CPU time of the serving process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { FRAME_MS } from '../../media/frame.ts';
import { pause } from '../rig/conversation/scenario.ts';
import { table } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';
import type { ServedFigures, ServerTask } from '../sockets/sockets-server.ts';

const USAGE = `usage: npm run bench -- sockets [--streams N] [--bytes N] [--seconds N] [--rounds N]
  N streams (default 400) with a message of N bytes (default 320) every 20 ms both ways, measured for N seconds (default 20),
  N times in turn (default 3); without uWebSockets.js ws alone`;

const LIBRARIES = ['ws', 'uWebSockets.js'] as const;

interface Measured {
  library: ServerTask['library'];
  corePercent: number;
  receivedPerSecond: number;
  sentPerSecond: number;
}

/** Null if the package is not installed. */
async function measure(task: ServerTask, seconds: number): Promise<Measured | null> {
  const server = fork(new URL('../sockets/sockets-server.ts', import.meta.url), { execArgv: ['--no-warnings'] });
  server.send(task);
  const [port] = (await once(server, 'message')) as [number | null];
  if (port === null) return null;
  const clients: WebSocket[] = [];
  // One after the other: an address may have only a few connections that have not joined.
  for (let index = 0; index < task.streams; index++) {
    const url = `ws://127.0.0.1:${port}/calls/call_${index}?token=x`;
    const client = new WebSocket(url, { perMessageDeflate: false });
    await once(client, 'open');
    clients.push(client);
  }
  const message = Buffer.alloc(task.bytes, 1);
  let received = 0;
  for (const client of clients) client.on('message', () => received++);
  const startMs = performance.now();
  let ticks = 0;
  const sending = setInterval(() => {
    for (; ticks * FRAME_MS < performance.now() - startMs; ticks++) for (const client of clients) client.send(message);
  }, FRAME_MS / 4);
  await pause(2_000);
  server.send('begin');
  const before = received;
  await pause(seconds * 1_000);
  server.send('end');
  const [figures] = (await once(server, 'message')) as [ServedFigures];
  clearInterval(sending);
  for (const client of clients) client.terminate();
  server.kill('SIGKILL');
  await once(server, 'exit');
  return {
    library: task.library,
    corePercent: (figures.cpuMs * 100) / figures.elapsedMs,
    receivedPerSecond: (figures.received * 1_000) / figures.elapsedMs,
    sentPerSecond: ((received - before) * 1_000) / figures.elapsedMs,
  };
}

const DEFAULTS = { streams: 400, bytes: 320, seconds: 20, rounds: 3 };

export default part(USAGE, DEFAULTS, async ({ streams, bytes, seconds, rounds }) => {
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const library of LIBRARIES) {
      const result = await measure({ library, streams, bytes }, seconds);
      if (result) measured.push(result);
    }
  }
  const rows = LIBRARIES.map((library) => {
    const own = measured.filter((result) => result.library === library);
    if (own.length === 0) return [library, 'not installed', '', ''];
    const cores = own.map(({ corePercent }) => corePercent.toFixed(0)).join(', ');
    const mean = (pick: (result: Measured) => number) =>
      Math.round(own.reduce((sum, result) => sum + pick(result), 0) / own.length);
    return [library, cores, mean((result) => result.receivedPerSecond), mean((result) => result.sentPerSecond)];
  });
  return {
    title: `The WebSocket port: ${streams} streams, ${bytes} bytes each 20 ms both ways`,
    lines: table(['package', '% of a core, each round', 'messages in a second', 'out'], rows),
    data: { measured },
  };
});
