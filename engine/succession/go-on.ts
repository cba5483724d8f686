// Goes on with a call of a process that has ended, whatever described it: the journal on this disk (by-journal.ts), or
// the database (by-database.ts). These find out what is left of the call, and get its leg.
import type { Logger } from 'pino';
import type { Resumption } from '../../db/domain/calls/timeline.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { feedTranscript } from '../../db/queries/calls/running/feed.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import type { Db } from '../../db/schema.ts';
import { sharedClockMs } from '../../db/shared/process/shared-clock.ts';
import type { Writer } from '../../db/writing/writer.ts';
import type { TakenCall } from '../call/going-on/continuation.ts';
import { isRinging, type TakenRinging } from '../call/going-on/ringing.ts';
import { redactionOf } from '../call/setup.ts';
import type { Clock } from '../clock.ts';
import type { Switchboard } from '../switchboard/switchboard.ts';

export interface GoOnDeps {
  read: Db;
  writer: Pick<Writer, 'runDurably'>;
  switchboard: Pick<Switchboard, 'resume'>;
  engineId: string;
  clock: Clock;
  log: Logger;
}

/** A call as it was left, with the leg on which it goes on. */
export interface CallToGoOn {
  left: Omit<TakenCall, 'transcript' | 'resumption'> | Omit<TakenRinging, 'resumption'>;
  setup: CallSetup;
  /** The engine that has the call by its row. */
  owner: string;
  /** Since the process that had it was last heard of. */
  gapMs: number;
  cause: Resumption['cause'];
}

/** The call goes on at once. Resolves when its row says so, or that write is lost. */
export function goOn({ left, setup, owner, gapMs, cause }: CallToGoOn, deps: GoOnDeps): Promise<void> {
  const { read, writer, switchboard, engineId, clock, log } = deps;
  const { id: callId } = left.from.call;
  const atMs = isRinging(left) ? 0 : Math.round(sharedClockMs() - left.from.beganAtMs);
  const resumption = { atMs, gapMs, cause };
  const { call, medium } = left.from;
  const eventRedaction = redactionOf({ call, setup, medium }, 'webhooks');
  const told = writer
    .runDurably('takeOverCall', {
      ...{ callId, from: owner, to: engineId, resumption },
      ...{ eventRedaction, nowMs: clock.nowMs() },
    })
    .then(
      () => undefined,
      (error: unknown) => log.error({ callId, error: messageOf(error) }, 'write lost'),
    );
  if (isRinging(left)) switchboard.resume({ ...left, resumption }, setup);
  else {
    // In the order of the writes, so that it has what the former process had spooled.
    const transcript = told.then(() => feedTranscript(read, callId));
    switchboard.resume({ ...left, transcript, resumption }, setup);
  }
  log.info({ callId, gapMs, cause, engine: left.from.engineId }, 'the call goes on');
  return told;
}
