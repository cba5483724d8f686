// The calls of tests that are expected: a simulated caller proves itself by the address that it dials, which holds 128
// random bits, is good for one call and a minute, and never leaves this process. Nobody else can call a test.
import { randomBytes } from 'node:crypto';
import type { InboundLeg } from '../sip/telephony.ts';

const PREFIX = 'test-';
const SECRET = /^test-[0-9a-f]{32}$/;

export class ExpectedCalls {
  readonly #takers = new Map<string, (leg: InboundLeg) => void>();

  /** The user part of the address to dial. `forget` makes it nobody's. */
  expect(take: (leg: InboundLeg) => void): { user: string; forget(): void } {
    const user = `${PREFIX}${randomBytes(16).toString('hex')}`;
    this.#takers.set(user, take);
    return { user, forget: () => this.#takers.delete(user) };
  }

  /** Whether the leg is one of them, which then has it. One that looks like it and is none is nobody's call. */
  takes(leg: InboundLeg): boolean {
    const take = SECRET.test(leg.called) ? this.#takers.get(leg.called) : undefined;
    if (take === undefined) return false;
    this.#takers.delete(leg.called);
    take(leg);
    return true;
  }
}
