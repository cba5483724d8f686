// The thread of one simulated caller: its telephone, its voice and its line. It has the lowest priority but one, so
// that calls of people are paced as if it were not there; a caller who is late by some milliseconds only pauses longer.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../db/domain/unexpected.ts';
import { sharePriority } from '../../../models/workers/priority.ts';
import { CallerBody } from './caller-body.ts';
import type { CallerCommand, CallerPlan } from './caller-plan.ts';

sharePriority();

const port = parentPort;
if (port === null) throw new Error('a simulated caller runs as a thread');
const body = new CallerBody(workerData as CallerPlan, (news) => port.postMessage(news));
port.on('message', (command: CallerCommand) => body.do(command));
body.place().catch((error: unknown) => port.postMessage({ type: 'failed', message: messageOf(error) }));
