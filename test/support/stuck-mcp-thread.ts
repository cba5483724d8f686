// Stands in for the thread of MCP sessions: it answers, and turns in a circle for a call of "stick".
import { parentPort, workerData } from 'node:worker_threads';
import { every, systemClock } from '../../engine/clock.ts';
import { AT_WORK, BEATS, type McpThreadData, type ToMcpThread } from '../../models/tools/mcp-messages.ts';

const { words } = workerData as McpThreadData;
every(systemClock, 20, () => Atomics.add(words, BEATS, 1));
parentPort?.on('message', (message: ToMcpThread) => {
  if (message.type !== 'call') return;
  Atomics.store(words, AT_WORK, message.session);
  while (message.name === 'stick') Atomics.load(words, BEATS);
  parentPort?.postMessage({ type: 'answer', question: message.question, value: { ok: true, status: 200, data: null } });
});
