// The two ways in which a hunt looks for a person. `transferNumber` is one number, whose person hears an announcement,
// is asked nothing, and leaves no trace in the call's record. Persons among the destinations are asked, the caller
// hears music meanwhile, and the record has each who was tried.
import type { TransferTry } from '../../../db/domain/calls/timeline.ts';
import type { TransferTold } from '../../../db/queries/calls/running/changes.ts';
import type { HandoverWish } from '../../dialogue/tools/tool.ts';
import type { HuntContinuation, TransferPhase } from '../going-on/transfer-continuation.ts';
import type { HuntState } from './hunt-machine.ts';

export interface HuntManner {
  /** The person hears an announcement and then has the caller; otherwise each is asked whether they take them. */
  readonly isAnnounced: boolean;
  /** Whether a person may be called is asked once, before the hunt begins; otherwise before each REFER. */
  readonly isPermittedFirst: boolean;
  /** The business's own music; a promise of null: it has none, and ours is played. Null: the caller hears silence. */
  readonly holdMusic: (() => Promise<Int16Array | null>) | null;
  /** Told of each who was tried; null: nobody keeps it. */
  readonly onTried: ((tried: TransferTry) => void) | null;
  /** As another process finds the hunt. */
  phaseOf(state: HuntState): TransferPhase;
  /** Whether another process gets the line of the person. */
  keepsLine(phase: TransferPhase): boolean;
  /** Of the hunt, for another process; null: it needs nothing more than the line. */
  continuationOf(phase: TransferPhase, hunt: Omit<HuntContinuation, 'wish'>): HuntContinuation | null;
  /** For `call.transferred`; null: nothing is told. */
  told(told: TransferTold): TransferTold | null;
}

/** To `transferNumber`. */
export const ANNOUNCED: HuntManner = {
  isAnnounced: true,
  isPermittedFirst: true,
  holdMusic: null,
  onTried: null,
  phaseOf({ phase, persons }) {
    if (phase === 'bridged' || phase === 'referring') return phase;
    const person = phase === 'calling' ? persons[0]?.phase : null;
    return person === 'opening' || person === 'ringing' || person === 'announcing' ? person : 'done';
  },
  keepsLine: () => true,
  continuationOf: () => null,
  told: () => null,
};

/** Among the destinations. */
export function asked(
  wish: HandoverWish,
  hears: { holdMusic(): Promise<Int16Array | null>; onTried(tried: TransferTry): void },
): HuntManner {
  return {
    isAnnounced: false,
    isPermittedFirst: false,
    ...hears,
    // A person who has the caller keeps them, and a REFER goes on. In every other phase another process finds nobody,
    // and the caller is back with the agent.
    phaseOf: ({ phase }) => (phase === 'bridged' || phase === 'referring' ? phase : 'opening'),
    keepsLine: (phase) => phase === 'bridged',
    continuationOf: (phase, hunt) => (phase === 'opening' ? null : { wish, ...hunt }),
    told: (told) => told,
  };
}
