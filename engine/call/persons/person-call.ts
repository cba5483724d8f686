// A call of ours to a person beside a call: over which trunks and from which number, whether it may be placed, its
// place in the engine and on the trunk, its books, and its dialog where another process finds it. A person to whom the
// caller is transferred and one who takes the call over at a telephone are called here, and nowhere else.
import type { Logger } from 'pino';
import { messageOf, unreachable } from '../../../db/domain/unexpected.ts';
import type { Clock } from '../../clock.ts';
import type { Leg, LegEnd, LegEvent, LocalAudio, NegotiatedAudio, StoredDialog } from '../../sip/telephony.ts';
import type { CallInfo, ConductorDeps, ConductorOptions } from '../context.ts';
import { PERSON_LEG, type PersonContinuation } from '../going-on/transfer-continuation.ts';
import type { CallWrites } from '../writes.ts';
import { trunkOfLeg } from './transfer-permits.ts';

/** How long a person's telephone rings, unless their entry says otherwise. */
export const PERSON_RING_MS = 25_000;

/** Of the call beside which persons are called. */
export interface PersonCallContext {
  deps: Pick<ConductorDeps, 'telephony' | 'permits' | 'clock' | 'trunksFor'>;
  options: Pick<ConductorOptions, 'call' | 'medium'>;
  writes: CallWrites;
}

/** Trunks to a person, in the order to try them. */
export const trunksToPerson = ({ deps, options: { call, medium } }: PersonCallContext): Promise<string[]> =>
  medium.kind === 'outbound' ? Promise.resolve(medium.trunkIds) : deps.trunksFor(call.phoneNumberId);

/** The business's own number. */
const callerIdOf = ({ options: { call, medium } }: PersonCallContext): string =>
  medium.kind === 'outbound' ? call.fromNumber : call.toNumber;

/** The books of a leg that costs, over a trunk. */
interface LegCosts {
  /** Resolves when it is booked. */
  dialled(over: { trunkId: string | null; number: string }): Promise<void>;
  answered(atMs: number): void;
  ended(): void;
}

/** A softphone of the house. */
const FREE: LegCosts = { dialled: () => Promise.resolve(), answered() {}, ended() {} };

/** `slot` counts persons who ring at once. */
function legCosts({ deps: { clock }, options: { call }, writes }: PersonCallContext, slot: number): LegCosts {
  const { id: callId, accountId } = call;
  const leg = slot === 0 ? {} : { leg: slot };
  return {
    dialled: (over) => writes.run('openTransferLeg', { callId, accountId, ...over, ...leg }).then(() => undefined),
    answered: (nowMs) => writes.enqueue('answerTransferLeg', { callId, nowMs, ...leg }),
    ended: () => writes.enqueue('closeTransferLeg', { callId, endedAtMs: clock.nowMs(), ...leg }),
  };
}

/** The other side took the transfer over: what it costs is not seen from here. */
export function countReferral(call: Pick<CallInfo, 'accountId'>, clock: Clock, writes: CallWrites): void {
  writes.enqueue('countReferral', { accountId: call.accountId, nowMs: clock.nowMs() });
}

/** Of a line that was never answered: why. */
type Unanswered = 'busy' | 'no_answer' | 'failed';

interface PersonCallOptions extends PersonCallContext {
  /** E.164, or `sip:USERNAME` for a softphone. */
  target: string;
  ringMs?: number;
  /** Of those who ring at once; default 0. */
  slot?: number;
  /** Under which its dialog is stored; default: where another process looks for a person who has the caller. */
  storedAs?: string;
  onAnswered(audio: NegotiatedAudio): void;
  onAudioChanged(audio: NegotiatedAudio): void;
  onDigit?(digit: string): void;
  /** They hand the caller on to this target; null: that cannot be. The answer begins it. */
  onHandOn?(target: string): (() => void) | null;
  /** It is over, or could not be placed, which `reason` says. */
  onEnded(result: Unanswered, reason: string | null): void;
  /** Something that another process would need to know. */
  onChanged?(): void;
  log: Logger;
}

const BUSY = new Set([486, 600]);
/** Of ours or theirs: nobody picked up, or nobody is there. */
const NOT_THERE = new Set([408, 480, 487]);

export class PersonCall {
  readonly #options: PersonCallOptions;
  readonly #costs: LegCosts;
  #leg: Leg | null = null;
  /** On which it has a place; null: a softphone needs none. */
  #trunkId: string | null = null;
  #leavePlace: (() => void) | null = null;
  #answeredAtMs: number | null = null;
  #isHungUp = false;
  #isLeft = false;

  constructor(options: PersonCallOptions) {
    this.#options = options;
    this.#costs = options.target.startsWith('sip:') ? FREE : legCosts(options, options.slot ?? 0);
  }

  /** For another process, which goes on with it; null before it is dialled. */
  get continuation(): Pick<PersonContinuation, 'leg' | 'ringing' | 'trunkId' | 'answeredAtMs'> | null {
    return (
      this.#leg && {
        leg: this.#leg.state ?? null,
        ringing: this.#leg.ringing ?? null,
        trunkId: this.#trunkId,
        answeredAtMs: this.#answeredAtMs,
      }
    );
  }

  /** Resolves when it is dialled, or could not be. */
  async dial(audio: LocalAudio): Promise<void> {
    const { deps, options, target, ringMs = PERSON_RING_MS, log } = this.#options;
    const { accountId } = options.call;
    try {
      const trunkIds = await trunksToPerson(this.#options);
      const over = { trunkId: trunkOfLeg({ trunkIds, target }), number: target };
      const place = await deps.permits.place({ accountId, trunkIds, target }, () => this.#costs.dialled(over));
      if (typeof place === 'string') throw new Error(place);
      this.#trunkId = over.trunkId;
      this.#leavePlace = place;
      // The caller hung up meanwhile, or another person has the call.
      if (this.#isHungUp || this.#isLeft) return this.#settle();
      this.#leg = deps.telephony.dial({
        trunkIds,
        to: target,
        accountId,
        from: callerIdOf(this.#options),
        fromName: null,
        audio,
        ringTimeoutMs: ringMs,
        beforeInvite: (dialog) => this.#storeDialog(dialog),
      });
      this.follow();
    } catch (error) {
      const reason = messageOf(error);
      log.warn({ error: reason }, 'could not call the person');
      this.#ended('failed', reason);
    }
  }

  /**
   * Takes the leg that another process has dialled; `follow` reports its events. `moved`: where it was asked to send
   * its audio here. @throws if the adapter of this process has no such leg
   */
  adopt(from: PersonContinuation, elapsedMs: number, moved: Leg | null): void {
    this.#trunkId = from.trunkId;
    this.#leavePlace = this.#options.deps.permits.adoptPlace(from.trunkId);
    this.#leg = moved ?? this.#resumed(from, elapsedMs);
    this.#answeredAtMs = from.answeredAtMs;
    // The write of it may have been lost with the process; a second time it changes nothing.
    if (this.#answeredAtMs !== null) this.#costs.answered(this.#answeredAtMs);
  }

  follow(): void {
    this.#leg?.onEvent((event) => {
      if (this.#isLeft) return;
      this.#onLegEvent(event);
      this.#options.onChanged?.();
    });
  }

  /** Nobody could go on with it: it is over. */
  giveUp(): void {
    this.#ended('failed', null);
  }

  hangUp(): void {
    this.#isHungUp = true;
    this.#leg?.hangUp();
    this.#settle();
  }

  /** Asks the person's side whether it is there. */
  refresh(): void {
    this.#leg?.refresh?.();
  }

  sendInfoDigits(digits: string): void {
    this.#leg?.sendInfoDigits(digits);
  }

  /** Another process goes on with it: nothing that still happens here concerns it. */
  leave(): void {
    this.#isLeft = true;
  }

  #resumed({ leg, ringing }: PersonContinuation, elapsedMs: number): Leg {
    const { telephony } = this.#options.deps;
    if (leg !== null && telephony.resume !== undefined) return telephony.resume(leg, elapsedMs);
    if (ringing === null || telephony.resumeRinging === undefined) throw new Error('there is no such leg here');
    return telephony.resumeRinging(ringing, elapsedMs, (dialog) => this.#storeDialog(dialog));
  }

  async #storeDialog(dialog: StoredDialog): Promise<void> {
    const { deps, options, writes, storedAs = PERSON_LEG, onChanged } = this.#options;
    await writes.run('storeDialog', { callId: options.call.id, leg: storedAs, dialog, nowMs: deps.clock.nowMs() });
    onChanged?.();
  }

  #ended(result: Unanswered, reason: string | null): void {
    this.#settle();
    this.#options.onEnded(result, reason);
  }

  /** Place and books are free for the next one before the far end has confirmed the end of this one. */
  #settle(): void {
    if (this.#leavePlace === null) return;
    this.#leavePlace();
    this.#leavePlace = null;
    this.#costs.ended();
  }

  /** Only telephones of the house may: a number that we have called could have us call any other. */
  #handOn({ target, accept }: Extract<LegEvent, { type: 'refer-asked' }>): void {
    const { target: own, onHandOn } = this.#options;
    const begin = own.startsWith('sip:') && target !== own ? onHandOn?.(target) : null;
    if (!begin) return;
    accept();
    begin();
  }

  #onLegEvent(event: LegEvent): void {
    const { deps, options, writes, storedAs: leg = PERSON_LEG, onAnswered, onAudioChanged, onDigit } = this.#options;
    const nowMs = deps.clock.nowMs();
    switch (event.type) {
      case 'dialog-stored':
        return writes.enqueue('storeDialog', { callId: options.call.id, leg, dialog: event.dialog, nowMs });
      case 'answered':
        this.#answeredAtMs = nowMs;
        // It crossed our CANCEL.
        if (this.#isHungUp) this.#leg?.hangUp();
        else this.#costs.answered(nowMs);
        return onAnswered(event.audio);
      case 'audio-changed':
        return onAudioChanged(event.audio);
      case 'digit':
        return onDigit?.(event.digit);
      case 'refer-asked':
        return this.#handOn(event);
      case 'ended':
        return this.#ended(resultOf(event.end), null);
      case 'ringing':
      case 'refer-progress':
        return;
      default:
        return unreachable(event);
    }
  }
}

function resultOf({ sipStatus, by, rang }: LegEnd): Unanswered {
  if (sipStatus !== null && BUSY.has(sipStatus)) return 'busy';
  if (sipStatus !== null && NOT_THERE.has(sipStatus)) return 'no_answer';
  return by === 'local' || rang ? 'no_answer' : 'failed';
}
