// Where the call of a simulation is recorded, until it is kept with its result: apart from the recordings of calls,
// which have rows, owners and retention of their own.
import { join } from 'node:path';

export const testRecordingsDir = (dataDir: string): string => join(dataDir, 'test-recordings');
