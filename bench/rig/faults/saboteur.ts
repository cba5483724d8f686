// Preloaded into every thread of the service (`NODE_OPTIONS=--import`): learns from the modules that its thread loads
// what the thread is, and hangs or ends it on the order in SABOTAGE_FILE.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

export type Role = 'control' | 'api' | 'writer' | 'shard' | 'vad' | 'stt' | 'tts' | 'turn-end';

export interface Order {
  /** Each order is carried out once a thread. */
  id: string;
  role: Role;
  act: 'hang' | 'die';
  forMs: number;
}

const ENTRY_MODULES: Record<string, Role> = {
  '/engine/main.ts': 'control',
  '/api/main.ts': 'api',
  '/db/writer-thread.ts': 'writer',
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
  load(url, context, nextLoad) {
    const path = url.split('?', 1)[0] ?? '';
    for (const [entry, its] of Object.entries(ENTRY_MODULES)) if (path.endsWith(entry)) role ??= its;
    return nextLoad(url, context);
  },
});

function readOrder(): Order | null {
  try {
    return JSON.parse(readFileSync(process.env.SABOTAGE_FILE ?? '', 'utf8'));
  } catch {
    // None was given yet, or it is being written.
    return null;
  }
}

// A thread that started after the order is not meant.
done = readOrder()?.id ?? '';

setInterval(() => {
  const order = readOrder();
  if (order === null || order.id === done || order.role !== role) return;
  done = order.id;
  // In a worker this ends the thread alone.
  if (order.act === 'die') process.exit(1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, order.forMs);
}, LOOK_EVERY_MS).unref();
