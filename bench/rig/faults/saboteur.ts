// Preloaded into every thread of the service (`NODE_OPTIONS=--import`): identifies its thread by the loaded modules,
// and hangs or ends it on the order in SABOTAGE_FILE. Beside that file, `.done` has the roles that did so, one a line.
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

export type Role = 'control' | 'api' | 'writer' | 'shard' | 'vad' | 'stt' | 'tts' | 'turn-end';

export interface Order {
  /** Each thread carries out an order once. */
  id: string;
  role: Role;
  act: 'hang' | 'die';
  forMs: number;
}

const ENTRY_MODULES: Record<string, Role> = {
  '/engine/main.ts': 'control',
  '/api/main.ts': 'api',
  '/db/writing/writer-thread.ts': 'writer',
  '/engine/shard/worker.ts': 'shard',
  '/models/vad/worker.ts': 'vad',
  '/models/stt/worker.ts': 'stt',
  '/models/tts/worker.ts': 'tts',
  '/models/turn-end/worker.ts': 'turn-end',
};
const LOOK_EVERY_MS = 50;

let role: Role | null = null;
let done = '';

registerHooks({
  // Not as they are loaded: the cache of the start answers that before this hook would.
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const path = resolved.url.split('?', 1)[0] ?? '';
    for (const [entry, its] of Object.entries(ENTRY_MODULES)) if (path.endsWith(entry)) role ??= its;
    return resolved;
  },
});

function readOrder(): Order | null {
  try {
    return JSON.parse(readFileSync(process.env.SABOTAGE_FILE ?? '', 'utf8'));
  } catch {
    // There is no order yet, or it is being written.
    return null;
  }
}

// An order does not apply to threads started after it.
done = readOrder()?.id ?? '';

setInterval(() => {
  const order = readOrder();
  if (order === null || order.id === done || order.role !== role) return;
  done = order.id;
  appendFileSync(`${process.env.SABOTAGE_FILE}.done`, `${role}\n`);
  // In a worker this ends only the thread.
  if (order.act === 'die') process.exit(1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.forMs);
}, LOOK_EVERY_MS).unref();
