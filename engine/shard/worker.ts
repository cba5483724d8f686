// The thread of a media shard: one long-lived task, which reports on its own and runs until `stop`.
import { joinQuietMemory } from '../../db/shared/process/quiet-memory.ts';
import { raiseThreadPriority } from '../../models/workers/priority.ts';
import { nameThread } from '../../models/workers/thread-name.ts';
import { type Clock, every, systemClock } from '../clock.ts';
import { Fence, fencedClock } from '../fence.ts';
import type { ShardCommand, ShardTask } from './protocol.ts';
import { Shard } from './shard.ts';

const PACING_REPORT_MS = 5000;
const LATENESS_REPORT_MS = 500;
/** So much of what was said is forgotten where the process dies. */
const PULSE_MS = 250;
/** Words come at about three a second. */
const WORDS_MS = 300;

/** Runs as the shard's only task, until `stop` or until the control thread closes its end of the port. */
export default async function serveShard(task: ShardTask): Promise<void> {
  const priority = raiseThreadPriority('audio', task.realTime);
  nameThread('shard');
  joinQuietMemory();
  const clock = task.isFenced ? behindFence(systemClock) : systemClock;
  const shard = new Shard(task, clock);
  const reports = [
    every(clock, PACING_REPORT_MS, () => shard.reports.pacing()),
    every(clock, LATENESS_REPORT_MS, () => shard.reports.lateness()),
    every(clock, WORDS_MS, () => shard.reports.words()),
    every(clock, PULSE_MS, () => shard.reports.pulse()),
  ];
  const stopped = new Promise<void>((resolve) => {
    task.control.on('message', (command: ShardCommand) => {
      if (command.type === 'stop') resolve();
      else shard.receive(command);
    });
    task.control.on('close', resolve);
  });
  await shard.start(priority);
  await stopped;
  for (const end of reports) end();
  await shard.stop();
  task.control.close();
}

/** A shard sends by timers only, so a fenced clock fences all that it sends. */
function behindFence(clock: Clock): Clock {
  const fence = new Fence(() => clock.monotonicMs());
  fence.raise();
  return fencedClock(clock, fence);
}
