// A drill's own knowledge, outside of the database: what the trunk's far side was sent and did, what clients were
// answered, what the webhook's receiver got. The tables are compared with it, never the other way round.

import { answers, type Script } from '../../engine/test-runs/caller/phone/phone.ts';
import type { Received } from '../rig/service/receiver.ts';

export class Ledger {
  /** When each number was called, by the wall clock. */
  readonly invites = new Map<string, number[]>();
  /** When the far side hung up. */
  readonly hungUp = new Map<string, number>();
  /** Calls that ended before the far side hung up, by number. */
  readonly cut: string[] = [];
  /** When the other side moved its audio elsewhere, by number. */
  readonly moved = new Map<string, number>();
  /** How many are up now. */
  open = 0;

  /** Answers, talks for so long, hangs up. */
  script(talkMs: (number: string) => number): Script {
    return (call) => {
      const { number } = call;
      this.invites.set(number, [...(this.invites.get(number) ?? []), Date.now()]);
      this.open++;
      const tell = call.onEvent;
      call.onEvent = (event) => {
        tell(event);
        if (event.type === 'moved') this.moved.set(number, Date.now());
        if (event.type !== 'ended') return;
        this.open--;
        if (event.by === 'local') this.hungUp.set(number, Date.now());
        else this.cut.push(number);
      };
      return answers({ afterMs: 50, hangUpAfterMs: talkMs(number) })(call);
    };
  }

  get twice(): string[] {
    return [...this.invites].filter(([, times]) => times.length > 1).map(([number]) => number);
  }
}

/** The receipts of one subscription. */
export function judgeReceipts(
  received: readonly Received[],
  /** Of the events that were written, in the order in which they were. */
  events: readonly string[],
): { lost: number; outOfOrder: number; repeated: number } {
  const place = new Map(events.map((id, index) => [id, index]));
  const first = [...new Map(received.map((each) => [each.id, each])).keys()].map((id) => place.get(id) ?? -1);
  const known = new Set(received.map(({ id }) => id));
  return {
    lost: events.filter((id) => !known.has(id)).length,
    outOfOrder: first.filter((at, index) => index > 0 && at < Math.max(...first.slice(0, index))).length,
    repeated: received.length - known.size,
  };
}

/** The numbers of calls whose end the receiver has been told. */
export function toldEnds(received: readonly Received[]): Set<string> {
  const ended = received.filter(({ type }) => type === 'call.ended');
  return new Set(ended.map(({ body }) => (JSON.parse(body) as { data: { toNumber: string } }).data.toNumber));
}
