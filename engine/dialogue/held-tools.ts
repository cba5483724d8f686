// Tools that change something wait for a moment, because the caller's turn may not have been over: a caller who goes on
// takes the reply back, and nothing must have been booked for half of what they wanted. The wait runs while the reply's
// first words sound, so that these come no later.
import type { Clock } from '../clock.ts';
import type { TurnPhase } from '../turn/machine.ts';
import { mayGoOn, type Reply } from './reply.ts';

interface Hold {
  /** While words sound; without words, since the end of the turn. */
  wordsMs: number;
  wordlessMs: number;
}

/** Most callers who go on have begun by then, and the turn machine has heard that they did. */
const UNSURE: Hold = { wordsMs: 1_000, wordlessMs: 600 };
/** A pause that surely sounded like an end: of the callers who go on all the same, most do so at once. */
const SURE: Hold = { wordsMs: 400, wordlessMs: 0 };

export class HeldTools {
  readonly #clock: Clock;
  #phase: TurnPhase = 'waiting';
  #sinceMs = 0;
  #held: { reply: Reply; hold: Hold; settle: (mayRun: boolean) => void } | null = null;
  #cancel: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The turn machine reports the phase in which it is now. */
  phaseChanged(phase: TurnPhase): void {
    this.#phase = phase;
    this.#sinceMs = this.#clock.monotonicMs();
    this.#look();
  }

  /** Resolves when the reply's tools may run; false: the reply is over. */
  mayRun(reply: Reply): Promise<boolean> {
    this.over();
    return new Promise((settle) => {
      this.#held = { reply, hold: mayGoOn(reply) ? UNSURE : SURE, settle };
      this.#look();
    });
  }

  /** The reply was dropped, or the caller has taken the floor. */
  over(): void {
    this.#settle(false);
  }

  #look(): void {
    this.#cancel();
    if (this.#held === null) return;
    // Words that are there and do not sound yet: the caller may still go on once they do. In any other phase the
    // caller is heard, and the next one tells whether they go on.
    const isWordless = this.#phase === 'thinking' && this.#held.reply.nextClause === 0;
    const { hold } = this.#held;
    // Nobody tells how far a call is that is rehearsed in writing.
    if (this.#phase === 'waiting' && hold === SURE) return this.#settle(true);
    if (this.#phase !== 'speaking' && !isWordless) return;
    const leftMs = this.#sinceMs + (isWordless ? hold.wordlessMs : hold.wordsMs) - this.#clock.monotonicMs();
    if (leftMs <= 0) this.#settle(true);
    else this.#cancel = this.#clock.after(leftMs, () => this.#settle(true));
  }

  #settle(mayRun: boolean): void {
    this.#cancel();
    const held = this.#held;
    this.#held = null;
    held?.settle(mayRun);
  }
}
