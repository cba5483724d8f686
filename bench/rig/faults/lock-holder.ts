// A process that holds the write lock of a database. Arguments: the file, and the duration in ms.
import { openRaw } from '../../../db/sqlite/open.ts';

const [path = '', forMs = '0'] = process.argv.slice(2);
const raw = openRaw(path);
raw.exec('begin immediate');
process.stdout.write('held\n');
setTimeout(() => {
  raw.exec('rollback');
  raw.close();
}, Number(forMs));
