// The thread that writes the journal: compressing, sealing and the disk stay away from calls and audio.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../db/domain/unexpected.ts';
import { joinQuietMemory } from '../../db/shared/process/quiet-memory.ts';
import { nameThread } from '../../models/workers/thread-name.ts';
import { JournalFiles } from './journal-files.ts';
import { sealJson, sharedContext } from './sealed-json.ts';

export interface JournalWorkerData {
  folder: string;
  key: Uint8Array;
}

export type JournalCommand =
  | { type: 'call'; callId: string; json: string }
  | { type: 'forget'; callId: string }
  | { type: 'pulse'; json: string }
  /** Sealed for the database; nothing is written. */
  | { type: 'seal'; callId: string; json: string }
  /** Answered when all that came before is written. */
  | { type: 'tell' };

export type JournalTold =
  /** The disk refused, and the next write may succeed. */
  | { type: 'fault'; message: string }
  /** Answers `tell`. */
  | { type: 'told' }
  /** Answers `seal`. `sealed`: base64url. */
  | { type: 'sealed'; callId: string; sealed: string };

const { folder, key } = workerData as JournalWorkerData;
const port = parentPort;
if (port === null) throw new Error('the journal is written by a thread');
nameThread('journal');
joinQuietMemory();
const sealingKey = Buffer.from(key);
const files = new JournalFiles(folder, sealingKey);
const tell = (told: JournalTold): void => port.postMessage(told);
const seal = ({ callId, json }: { callId: string; json: string }): string =>
  sealJson(sealingKey, sharedContext(callId), json).toString('base64url');

port.on('message', (command: JournalCommand) => {
  try {
    if (command.type === 'call') files.writeCall(command.callId, command.json);
    else if (command.type === 'forget') files.forget(command.callId);
    else if (command.type === 'pulse') files.writePulse(command.json);
    else if (command.type === 'seal') tell({ type: 'sealed', callId: command.callId, sealed: seal(command) });
    else tell({ type: 'told' });
  } catch (error) {
    tell({ type: 'fault', message: messageOf(error) });
  }
});
