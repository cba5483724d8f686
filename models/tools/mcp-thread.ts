// The thread of the sessions with MCP servers. Its end of the memory shared with the process says that it still turns,
// and for which session it works.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { sharePriority } from '../workers/priority.ts';
import { nameThread } from '../workers/thread-name.ts';
import { ToolConnections } from './http-tool.ts';
import { McpSession } from './mcp.ts';
import {
  AT_WORK,
  BEATS,
  type FromMcpThread,
  type McpQuestion,
  type McpThreadData,
  type ToMcpThread,
} from './mcp-messages.ts';

const BEAT_MS = 250;

const { allowPrivate, resolves, words } = workerData as McpThreadData;
const sessions = new Map<number, McpSession>();
const running = new Map<number, AbortController>();
const resolving = new Map<number, (addresses: string[]) => void>();
let nextId = 1;

const post = (message: FromMcpThread): void => parentPort?.postMessage(message);

const resolve = (hostname: string): Promise<string[]> =>
  new Promise((found) => {
    const question = nextId++;
    resolving.set(question, found);
    post({ type: 'resolve', question, hostname });
  });

const connections = new ToolConnections({ allowPrivate, ...(resolves ? { resolve } : {}) });

async function answerTo(session: McpSession | undefined, asked: McpQuestion, signal: AbortSignal): Promise<unknown> {
  if (session === undefined) throw new Error('The session is closed.');
  if (asked.type === 'catalogue') return session.catalogue();
  if (asked.type === 'close') return session.close();
  return session.call(asked.name, asked.given, { ...asked.options, signal });
}

async function take(message: { session: number; question: number } & McpQuestion): Promise<void> {
  const { session, question } = message;
  const abort = new AbortController();
  running.set(question, abort);
  try {
    const value = await answerTo(sessions.get(session), message, abort.signal);
    post({ type: 'answer', question, value });
  } catch (error) {
    post({ type: 'failed', question, message: messageOf(error) });
  } finally {
    running.delete(question);
    if (message.type === 'close') sessions.delete(session);
  }
}

nameThread('mcp');
sharePriority();
setInterval(() => Atomics.add(words, BEATS, 1), BEAT_MS);
parentPort?.on('message', (message: ToMcpThread) => {
  if (message.type === 'give-up') running.get(message.question)?.abort();
  else if (message.type === 'open') sessions.get(message.session)?.open();
  else if (message.type === 'resolved') {
    resolving.get(message.question)?.(message.addresses);
    resolving.delete(message.question);
  } else if (message.type === 'server') {
    const { session, server } = message;
    sessions.set(session, new McpSession(server, connections, () => Atomics.store(words, AT_WORK, session)));
  } else void take(message);
});
