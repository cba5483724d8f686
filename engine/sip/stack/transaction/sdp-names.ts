// Host names in the c= lines of an SDP (RFC 8866 5.7), which some SBCs write: looked up before the message goes on, so
// that everything above knows addresses alone. Later messages of the same call wait behind it.
import { isIP } from 'node:net';
import type { Clock } from '../../../clock.ts';
import type { Names } from '../network/network.ts';
import type { SipMessage } from '../wire/message.ts';
import { isSdp } from './request-checks.ts';

/** A caller waits so long at most; a name that nobody knows by then is none. */
const LOOK_UP_MS = 2_000;
const KEPT_MS = 60_000;
/** A name server that fails is asked again soon. */
const UNKNOWN_KEPT_MS = 10_000;
const MAX_KEPT = 256;
const MAX_WAITING_CALLS = 256;

interface NamesDeps {
  clock: Clock;
  names: Names;
  /** Strangers make us ask no name server. */
  isKnown(address: string): boolean;
  unknown(host: string, address: string): void;
}

const CONNECTION = /^c=IN (IP[46]) ([^\s/]+)/gm;

export class SdpNames {
  readonly #deps: NamesDeps;
  readonly #kept = new Map<string, { address: string | null; untilMs: number }>();
  /** By Call-ID, the end of the line of messages that wait. */
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(deps: NamesDeps) {
    this.#deps = deps;
  }

  /** Hands the message on with addresses in place of names, at once where it has none and nothing waits before it. */
  resolve(message: SipMessage, callId: string, from: string, go: (message: SipMessage) => void): void {
    const before = this.#waiting.get(callId);
    const wanted = this.#namesIn(message, from).filter((name) => this.#known(name) === undefined);
    if (before === undefined && wanted.length === 0) return go(this.#named(message, from));
    if (before === undefined && this.#waiting.size >= MAX_WAITING_CALLS) return go(message);
    const line = (async () => {
      await before;
      await Promise.all(wanted.map((name) => this.#lookUp(name, from)));
      go(this.#named(message, from));
    })().finally(() => {
      if (this.#waiting.get(callId) === line) this.#waiting.delete(callId);
    });
    this.#waiting.set(callId, line);
  }

  /** `IP4 host` and the like. */
  #namesIn(message: SipMessage, from: string): string[] {
    if (!isSdp(message)) return [];
    const text = message.body.toString('latin1');
    const found = [...text.matchAll(CONNECTION)].map(([, family, host]) => `${family} ${host}`);
    const names = found.filter((name) => isIP(name.slice(4)) === 0);
    return names.length > 0 && this.#deps.isKnown(from) ? [...new Set(names)].slice(0, 2) : [];
  }

  #known(name: string): string | null | undefined {
    const kept = this.#kept.get(name);
    return kept === undefined || kept.untilMs <= this.#deps.clock.monotonicMs() ? undefined : kept.address;
  }

  #named(message: SipMessage, from: string): SipMessage {
    if (this.#namesIn(message, from).length === 0) return message;
    const text = message.body.toString('latin1');
    const named = text.replace(CONNECTION, (line, family: string, host: string) => {
      const address = this.#known(`${family} ${host}`);
      return address ? `c=IN ${family} ${address}` : line;
    });
    return { ...message, body: Buffer.from(named, 'latin1') };
  }

  async #lookUp(name: string, from: string): Promise<void> {
    const { clock, names, unknown } = this.#deps;
    const [family, host] = [name.slice(2, 3), name.slice(4)];
    const late = Promise.withResolvers<string[]>();
    const stop = clock.after(LOOK_UP_MS, () => late.resolve([]));
    const found = await Promise.race([names.addresses(host).catch(() => []), late.promise]);
    stop();
    const address = found.find((each) => String(isIP(each)) === family) ?? null;
    if (address === null) unknown(host, from);
    const untilMs = clock.monotonicMs() + (address === null ? UNKNOWN_KEPT_MS : KEPT_MS);
    this.#kept.delete(name);
    this.#kept.set(name, { address, untilMs });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
  }
}
