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
/** Messages that wait, of all calls: each may have 64 KiB. Further ones with names go on with them, and are refused. */
const MAX_WAITING = 256;
/** Of one call: more are no dialogue but a flood. They are dropped, and come again where they are meant. */
const MAX_WAITING_OF_CALL = 16;
/** RFC 1035 2.3.4. */
const MAX_NAME_CHARS = 253;

interface NamesDeps {
  clock: Clock;
  names: Names;
  /** Strangers make us ask no name server. */
  isKnown(address: string): boolean;
  unknown(host: string, address: string): void;
  /** A message that has waited could not be handled; nobody else catches it. */
  failed(error: unknown, address: string): void;
}

interface Line {
  end: Promise<void>;
  waiting: number;
}

const CONNECTION = /^c=IN (IP[46]) ([^\s/]+)/gm;

export class SdpNames {
  readonly #deps: NamesDeps;
  readonly #kept = new Map<string, { address: string | null; untilMs: number }>();
  readonly #asked = new Map<string, Promise<void>>();
  /** By Call-ID, the messages that wait. */
  readonly #lines = new Map<string, Line>();
  #waiting = 0;

  constructor(deps: NamesDeps) {
    this.#deps = deps;
  }

  /** Hands the message on with addresses in place of names, at once where it has none and nothing waits before it. */
  resolve(message: SipMessage, callId: string, from: string, go: (message: SipMessage) => void): void {
    const before = this.#lines.get(callId);
    if (before !== undefined && before.waiting >= MAX_WAITING_OF_CALL) return;
    const wanted = this.#namesIn(message, from).filter((name) => this.#known(name) === undefined);
    if (before === undefined && wanted.length === 0) return go(this.#named(message, from));
    if (this.#waiting >= MAX_WAITING) return before === undefined ? go(message) : undefined;
    const line = before ?? { end: Promise.resolve(), waiting: 0 };
    this.#lines.set(callId, line);
    line.waiting++;
    this.#waiting++;
    // Asked at once, so that a line of messages waits no longer than each of them.
    const found = Promise.all(wanted.map((name) => this.#look(name, from)));
    line.end = Promise.all([line.end, found]).then(() => {
      line.waiting--;
      this.#waiting--;
      if (line.waiting === 0) this.#lines.delete(callId);
      try {
        go(this.#named(message, from));
      } catch (error) {
        this.#deps.failed(error, from);
      }
    });
  }

  /** `IP4 host` and the like. */
  #namesIn(message: SipMessage, from: string): string[] {
    if (!isSdp(message)) return [];
    const text = message.body.toString('latin1');
    const found = [...text.matchAll(CONNECTION)].flatMap(([, family, host = '']) =>
      host.length > MAX_NAME_CHARS || isIP(host) !== 0 ? [] : [`${family} ${host}`],
    );
    return found.length > 0 && this.#deps.isKnown(from) ? [...new Set(found)].slice(0, 2) : [];
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

  /** One question a name, however many messages wait for it. */
  #look(name: string, from: string): Promise<void> {
    const asked = this.#asked.get(name) ?? this.#lookUp(name, from).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return asked;
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
