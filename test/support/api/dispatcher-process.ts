// A process that only delivers webhooks, for tests to kill. Argument: the DATA_DIR.
import { Dispatcher } from '../../../api/delivery/dispatcher.ts';
import { createLog } from '../../../api/log.ts';
import { openDatabase } from '../../../db/database.ts';

const [dataDir = ''] = process.argv.slice(2);
const database = `${dataDir}/voice.db`;
const dispatcher = new Dispatcher(
  {
    config: { dataDir, directDatabase: database, webhookAllowPrivate: true },
    db: openDatabase(database),
    read: openDatabase(database, { readonly: true }),
    log: createLog({ logLevel: 'silent' }),
    now: Date.now,
    mail: { post: async () => true, async wake() {}, async close() {} },
  },
  { pollMs: 5, paceMs: 60_000 },
);
dispatcher.start();
process.stdout.write('started\n');
setInterval(() => {}, 60_000);
