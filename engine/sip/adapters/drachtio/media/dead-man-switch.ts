// FreeSWITCH ends our channels by itself when it has not heard from this process for 20 s: a task of its scheduler
// hangs them up, and the engine puts that task off as long as it lives. Its `media_timeout` cannot do it: a channel
// without a timer looks at it once only, 5 s after the last packet, and calls on hold or before the answer send none
// at all.
import { messageOf } from '../../../../../db/domain/unexpected.ts';
import type { SipLog } from '../../../telephony.ts';
import type { EventSocket } from './event-socket.ts';

/** Longer than a connection that breaks and comes back; a renewal is due every 5 s. */
const LIFE_SECONDS = 20;

export class DeadManSwitch {
  readonly #user: string;
  readonly #log: (reason: string) => void;
  /** Two tasks take turns, so that one is always set. */
  #isSecond = false;
  #isFaulty = false;

  /** `user`: the caller that our channels carry. */
  constructor(user: string, server: string, log: SipLog) {
    this.#user = user;
    this.#log = (reason) =>
      log.warn({ freeswitch: server, reason }, 'channels would stay up if this process died: is mod_commands loaded?');
  }

  async renew(socket: Pick<EventSocket, 'api'>): Promise<void> {
    const [next, last] = this.#isSecond ? ['b', 'a'] : ['a', 'b'];
    this.#isSecond = !this.#isSecond;
    const task = (which: string | undefined): string => `dead-${this.#user}-${which}`;
    try {
      const hangUp = `hupall NORMAL_TEMPORARY_FAILURE sip_from_user ${this.#user}`;
      const answer = await socket.api(`sched_api +${LIFE_SECONDS} ${task(next)} ${hangUp}`);
      if (!answer.startsWith('+OK')) return this.#failed(answer.trim());
      await socket.api(`sched_del ${task(last)}`);
      this.#isFaulty = false;
    } catch (error) {
      this.#failed(messageOf(error));
    }
  }

  #failed(reason: string): void {
    if (!this.#isFaulty) this.#log(reason);
    this.#isFaulty = true;
  }
}
