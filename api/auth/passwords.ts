// Hashes passwords with argon2id, one at a time. A hash keeps a core busy for about 30 ms and uses 19 MiB; in parallel
// they would starve the engine, so they queue, and a full queue is answered with 429.
import { hash, verify } from '@node-rs/argon2';
import { Type } from 'typebox';
import { retryLater } from '../frame/errors.ts';

/** 32 hashes are about a second and a half of one core. */
const WAITING_MAX = 32;
const REGISTRATIONS_WAITING_MAX = 8;
const RETRY_AFTER_SECONDS = 2;

export interface HashCost {
  memoryKib: number;
  passes: number;
  /** The hash of a random password at this cost, so that refusing an unknown address takes as long as a known one. */
  nobody: string;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const COST: HashCost = {
  memoryKib: 19_456,
  passes: 2,
  nobody: '$argon2id$v=19$m=19456,t=2,p=1$c4l3BAM+IpWX3EU7yWfQ8A$25zuyRWLy1Z67Lz0j3DoxnLM0VxbxrzQzEstr2L9ic8',
};

export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export const NewPassword = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
});
/** A password to check, of any length that a login form may send. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: 1024 });

export class Passwords {
  readonly #urgent: Array<() => Promise<unknown>> = [];
  readonly #patient: Array<() => Promise<unknown>> = [];
  readonly #cost: HashCost;
  #isRunning = false;

  constructor(cost = COST) {
    this.#cost = cost;
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(this.#urgent, WAITING_MAX, () => this.#hash(password));
  }

  /** Hashes after all waiting logins: for registrations, because strangers may send any number of them. */
  hashLast(password: string): Promise<string> {
    return this.#inTurn(this.#patient, REGISTRATIONS_WAITING_MAX, () => this.#hash(password));
  }

  /** Whether the password matches the hash; `null` (no such user, or no password yet) takes as long and is false. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    const matches = await this.#inTurn(this.#urgent, WAITING_MAX, () =>
      verify(passwordHash ?? this.#cost.nobody, password),
    );
    return matches && passwordHash !== null;
  }

  #hash(password: string): Promise<string> {
    const { memoryKib: memoryCost, passes: timeCost } = this.#cost;
    return hash(password, { memoryCost, timeCost, parallelism: 1, outputLen: 32 });
  }

  #inTurn<R>(queue: Array<() => Promise<unknown>>, waitingMax: number, work: () => Promise<R>): Promise<R> {
    if (queue.length >= waitingMax) {
      return Promise.reject(retryLater('SIGN_IN_BUSY', 'Too many sign-ins at the moment', RETRY_AFTER_SECONDS));
    }
    return new Promise<R>((resolve, reject) => {
      queue.push(() => work().then(resolve, reject));
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next; next = this.#next()) await next();
    this.#isRunning = false;
  }

  #next(): (() => Promise<unknown>) | undefined {
    return this.#urgent.shift() ?? this.#patient.shift();
  }
}
