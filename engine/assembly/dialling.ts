// The dialler and what it hears of calls that other engines dial for it. An engine of the bench's fleet has the same.
import { Dialler, type DiallerOptions } from '../campaign/dialler.ts';
import type { Coordinator } from '../cluster/coordinator.ts';
import { RemoteCalls } from '../cluster/remote-calls.ts';

export type Dialling = ReturnType<typeof connectDialling>;

interface DiallingParts extends Omit<DiallerOptions, 'lease' | 'onGiven'> {
  coordinator: Pick<Coordinator, 'lease'>;
}

export function connectDialling({ coordinator, ...options }: DiallingParts) {
  const remote = new RemoteCalls(options.read);
  const dialler = new Dialler({
    ...options,
    lease: () => coordinator.lease,
    onGiven: (call) => remote.add(call),
  });
  return {
    dialler,
    /** This engine places calls from now on, or no longer. */
    lead(leads: boolean): void {
      if (leads) dialler.start();
      else dialler.stop();
      remote.clear();
    },
    /** Tells the dialler of calls that have ended on other engines. */
    async lookElsewhere(): Promise<void> {
      for (const ended of await remote.look()) dialler.onCallEnded({ ...ended, isOutbound: true });
    },
  };
}
