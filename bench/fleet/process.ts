// Some engines of the fleet in one process, which is killed with all of them. News go to the ledger in batches.
import { type FleetEngineOptions, type FleetNews, startFleetEngine } from './engine.ts';

const SEND_EVERY_MS = 20;

const { dataDirs, ...options } = JSON.parse(process.argv[2] ?? '{}') as Omit<FleetEngineOptions, 'tell' | 'dataDir'> & {
  dataDirs: string[];
};
let waiting: Array<FleetNews & { engine: string }> = [];
setInterval(() => {
  if (waiting.length === 0) return;
  process.send?.(waiting);
  waiting = [];
}, SEND_EVERY_MS);
process.on('disconnect', () => process.exit(0));

for (const dataDir of dataDirs) {
  await startFleetEngine({
    ...options,
    dataDir,
    tell(news) {
      const told = { ...news, engine: dataDir };
      // A process that is killed must not take an INVITE with it that has left.
      if (news.type === 'invite') process.send?.([told]);
      else waiting.push(told);
    },
  });
}
