// The telephone lines of a call on the stage: its own, and those to persons.
import type { VirtualClock } from '../../../bench/rig/clock.ts';
import type { DialRequest, Leg, OutboundLeg, Telephony } from '../../../engine/sip/telephony.ts';
import { dialogOf, StageLeg } from './stage-leg.ts';

export interface StageLinesOptions {
  medium?: 'inbound' | 'outbound' | 'web';
  /** Status of the answer to a transfer's REFER; null: no answer. */
  referStatus?: number | null;
}

export class StageLines {
  readonly #options: StageLinesOptions;
  readonly #clock: VirtualClock;
  readonly #print: (line: string) => void;
  /** The legs that were dialled. */
  readonly legs: StageLeg[] = [];
  /** The caller's or callee's; null in a browser call, and before it is dialled. */
  own: StageLeg | null = null;

  constructor(options: StageLinesOptions, clock: VirtualClock, print: (line: string) => void) {
    this.#options = options;
    this.#clock = clock;
    this.#print = print;
    if (options.medium !== undefined && options.medium !== 'inbound') return;
    this.own = new StageLeg('line', 'inbound', print);
    this.#answerRefer(this.own);
  }

  get port(): Telephony {
    const never = (): never => {
      throw new Error('not on this stage');
    };
    return {
      start: never,
      onInvite: never,
      setAdmission: never,
      setTrunks: never,
      onTrunkState: never,
      endStored: never,
      reaches: never,
      drain: never,
      stop: never,
      dial: (request) => this.#dial(request),
      resume: (state) => this.#goOn('state', state),
      resumeRinging: (state) => this.#goOn('ringing', state),
    };
  }

  /** The person's leg, which another process has dialled. */
  #goOn<K extends 'state' | 'ringing'>(kind: K, state: StageLeg[K]): OutboundLeg & Leg {
    const leg = new StageLeg('person', 'outbound', this.#print);
    leg[kind] = state;
    this.legs.push(leg);
    return leg;
  }

  #dial(request: DialRequest): OutboundLeg {
    const name = this.own === null && this.#options.medium === 'outbound' ? 'line' : 'person';
    const leg = new StageLeg(name, 'outbound', this.#print);
    this.legs.push(leg);
    if (name === 'line') {
      this.own = leg;
      this.#answerRefer(leg);
    }
    const over = request.trunkIds.length > 1 ? ` over ${request.trunkIds.join(', ')}` : '';
    this.#print(`> ${name}: dial ${request.to} from ${request.from}${over}`);
    void request.beforeInvite?.(dialogOf(name)).then(() => {
      if (!leg.isOver) this.#print(`> ${name}: INVITE`);
    });
    return leg;
  }

  #answerRefer(leg: StageLeg): void {
    const { referStatus = 405 } = this.#options;
    leg.onRefer = () => {
      if (referStatus === null) return;
      const reason = '';
      this.#clock.after(200, () => leg.report({ type: 'refer-progress', status: referStatus, reason }));
    };
  }
}
