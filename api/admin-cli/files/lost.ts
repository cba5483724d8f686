// Gives up the recordings of a disk that is gone for good: as long as they are said to be there, their calls cannot be
// erased.
import { onDisk } from '../../../db/domain/calls/recording-state.ts';
import { disksWithRecordings, loseDisk } from '../../../db/queries/calls/ended/recordings.ts';
import { diskIdOf } from '../../../db/shared/files/disk-id.ts';
import { type Command, CommandFailed, print, readArguments, UsageError } from '../command.ts';

export const filesLost: Command = {
  name: 'files lost',
  usage: `files lost [DISK]
  without DISK: lists the disks that have recordings which are not in the object store. With one: its recordings are gone
  for good, and their calls name none any more`,
  async run(args, { db, read, config }) {
    const [disk, ...more] = readArguments(args, {}).positionals;
    if (more.length > 0) throw new UsageError('one DISK at a time');
    const disks = await disksWithRecordings(read);
    if (disk === undefined) {
      for (const { state, count } of disks) print(`${state.replace(onDisk(''), '')} ${count} recordings`);
      return;
    }
    if (disk === diskIdOf(config.recordingsDir))
      throw new CommandFailed(`${disk} is the disk of this DATA_DIR: it is here`);
    if (!disks.some(({ state }) => state === onDisk(disk))) throw new CommandFailed(`nothing waits on ${disk}`);
    print(`${await loseDisk(db, onDisk(disk))} recordings given up`);
  },
};
