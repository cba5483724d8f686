// Where the recordings of tests by voice are: apart from those of calls, which have rows, owners and retention of their
// own.
import { join } from 'node:path';

export const testRecordingsDir = (dataDir: string): string => join(dataDir, 'test-recordings');
