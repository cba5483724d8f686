// The telephone line: the SIP stack behind its fence, and the INVITEs that it refuses by itself.
import { every } from '../clock.ts';
import { Fence } from '../fence.ts';
import { BEAT_EVERY_MS } from '../silence.ts';
import { createTelephony } from '../sip/adapters/create.ts';
import { ReadInvites } from '../sync/read-invites.ts';
import { RefusedCalls } from '../sync/refused-calls.ts';
import type { Storage } from './storage.ts';

export type Line = Awaited<ReturnType<typeof openLine>>;

/** Nothing is sent or heard before `telephony` is started. */
export async function openLine({ config, clock, log, writer, secretKey, engineId, isShared }: Storage) {
  const fence = isShared ? new Fence(() => clock.monotonicMs()) : null;
  const refusedCalls = new RefusedCalls({ writer, clock, log });
  const readInvites = new ReadInvites({ writer, clock, log });
  const { telephony, registrar, refusedSip } = await createTelephony(config, {
    installation: secretKey,
    engineId,
    log,
    onRefused: (refused) => refusedCalls.add(refused),
    fence,
  });
  return {
    telephony,
    registrar,
    refusedSip,
    refusedCalls,
    readInvites,
    /** From now on an engine that stood still ends. */
    raiseFence(): void {
      if (fence === null) return;
      fence.raise();
      every(clock, BEAT_EVERY_MS, () => fence.pass());
    },
  };
}
