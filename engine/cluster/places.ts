// The places for new calls on all engines, as the engine that places calls sees them: its own to the call, the others'
// by their last heartbeat and what it has given them since.

import { isSilent } from '../../db/domain/heartbeat.ts';
import { inboundReserve } from '../../db/domain/places.ts';
import { listEngines } from '../../db/queries/engine/engines.ts';
import type { EngineTable } from '../../db/schema/processes.ts';
import type { Db } from '../../db/schema.ts';
import { oneAtATime } from '../../db/shared/one-at-a-time.ts';
import type { Clock } from '../clock.ts';
import type { Admission, CallKind } from '../load/admission.ts';
import { BEATS_MISSED_MS } from '../silence.ts';

/** By then the engine's heartbeat counts what it was given. */
const COUNTED_AFTER_MS = 2_500;

export interface Place {
  engineId: string;
  /** It is this engine's own, and must be released. */
  isOwn: boolean;
}

interface PlacesOptions {
  read: Db;
  engineId: string;
  admission: Admission;
  clock: Clock;
  /** Ms that the database's clock is ahead. */
  skewMs(): number;
}

/** The places of an engine that is alone. */
export const ownPlaces = (admission: Admission, engineId: string): Pick<Places, 'maxCalls' | 'room' | 'take'> => ({
  get maxCalls() {
    return admission.maxCalls;
  },
  room: (kind) => admission.room(kind),
  take: (kind) => (admission.admit(kind) ? { engineId, isOwn: true } : null),
});

type Peer = Pick<EngineTable, 'id' | 'maxCalls' | 'activeCalls' | 'isLate' | 'heartbeatAt'>;

export class Places {
  readonly #options: PlacesOptions;
  #peers: Peer[] = [];
  /** When each engine was given a call, by the monotonic clock. */
  readonly #given = new Map<string, number[]>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Reads the other engines' rows. */
  readonly refresh = oneAtATime(() => this.#refresh());

  async #refresh(): Promise<void> {
    const { read, engineId } = this.#options;
    const engines = await listEngines(read);
    this.#peers = engines.filter(
      ({ id, state, telephonyUp }) => id !== engineId && state === 'up' && telephonyUp === 1,
    );
  }

  /** Whether another engine would take calls. */
  get hasOthers(): boolean {
    return this.#living().length > 0;
  }

  /** Of all engines. */
  get maxCalls(): number {
    return this.#living().reduce((sum, peer) => sum + peer.maxCalls, this.#options.admission.maxCalls);
  }

  room(kind: CallKind): number {
    return this.#living().reduce((sum, peer) => sum + this.#roomOf(peer, kind), this.#options.admission.room(kind));
  }

  /** Takes a place on the engine with most room; null if there is none. */
  take(kind: CallKind): Place | null {
    const { admission, engineId } = this.#options;
    let most = admission.room(kind);
    let best: Peer | null = null;
    for (const peer of this.#living()) {
      const room = this.#roomOf(peer, kind);
      if (room > most) [most, best] = [room, peer];
    }
    if (best === null) return admission.admit(kind) ? { engineId, isOwn: true } : null;
    this.#given.set(best.id, [...this.#recentlyGiven(best.id), this.#options.clock.monotonicMs()]);
    return { engineId: best.id, isOwn: false };
  }

  /** The other engines, with the places of each. */
  others(kind: CallKind): Array<{ engineId: string; room: number }> {
    return this.#living().map((peer) => ({ engineId: peer.id, room: this.#roomOf(peer, kind) }));
  }

  #living(): Peer[] {
    const nowMs = this.#options.clock.nowMs() + this.#options.skewMs();
    return this.#peers.filter(({ heartbeatAt }) => !isSilent(heartbeatAt, nowMs));
  }

  #roomOf(peer: Peer, kind: CallKind): number {
    if (peer.isLate === 1 || this.#isFaint(peer)) return 0;
    const places = kind === 'campaign' ? peer.maxCalls - inboundReserve(peer.maxCalls) : peer.maxCalls;
    return Math.max(0, places - peer.activeCalls - this.#recentlyGiven(peer.id).length);
  }

  /** Its heart has missed a beat or two: it may be gone, and gets nothing new meanwhile. */
  #isFaint({ heartbeatAt }: Peer): boolean {
    return this.#options.clock.nowMs() + this.#options.skewMs() - heartbeatAt > BEATS_MISSED_MS;
  }

  #recentlyGiven(id: string): number[] {
    const sinceMs = this.#options.clock.monotonicMs() - COUNTED_AFTER_MS;
    return (this.#given.get(id) ?? []).filter((atMs) => atMs > sinceMs);
  }
}
