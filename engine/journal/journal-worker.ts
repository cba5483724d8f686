// The thread that writes the journal: compressing, sealing and the disk stay away from calls and audio.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { nameThread } from '../../models/workers/thread-name.ts';
import { JournalFiles } from './journal-files.ts';

export interface JournalWorkerData {
  folder: string;
  key: Uint8Array;
}

export type JournalCommand =
  | { type: 'call'; callId: string; json: string }
  | { type: 'forget'; callId: string }
  | { type: 'pulse'; json: string }
  /** Answered once everything before it was written. */
  | { type: 'finish' };

/** The disk refused; the next write may succeed. Null: everything was written. */
export interface JournalFault {
  message: string | null;
}

const { folder, key } = workerData as JournalWorkerData;
const port = parentPort;
if (port === null) throw new Error('the journal is written by a thread');
nameThread('journal');
const files = new JournalFiles(folder, Buffer.from(key));

port.on('message', (command: JournalCommand) => {
  try {
    if (command.type === 'call') files.writeCall(command.callId, command.json);
    else if (command.type === 'forget') files.forget(command.callId);
    else if (command.type === 'pulse') files.writePulse(command.json);
    else port.postMessage({ message: null } satisfies JournalFault);
  } catch (error) {
    port.postMessage({ message: messageOf(error) } satisfies JournalFault);
  }
});
