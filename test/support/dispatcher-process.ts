// A process that does nothing but deliver webhooks, to be killed by tests. Arguments: the DATA_DIR.
import { Dispatcher } from '../../api/delivery/dispatcher.ts';
import { startApi } from './api.ts';

const [dataDir = ''] = process.argv.slice(2);
const api = await startApi({ dataDir, environment: { WEBHOOK_ALLOW_PRIVATE: '1' }, nowMs: Date.now() });
// The real clock, so that retries come due by themselves.
api.context.now = Date.now;
new Dispatcher(api.context, { pollMs: 5 }).start();
process.stdout.write('started\n');
setInterval(() => {}, 60_000);
