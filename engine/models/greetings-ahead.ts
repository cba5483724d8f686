// Has the voice render greetings, and the sentences that all calls share, before anybody calls: at the engine's start
// and when a campaign, business or agent changes, so that a caller hears one at once. A large model takes half a second
// for a sentence. It works only while there is no call, one text at a time, and the voice's cache keeps what it made.
import type { MessagePort } from 'node:worker_threads';
import type { SpeechRequest, TtsReply, TtsRequest } from '../../models/tts/tts.ts';
import { type Clock, sleep } from '../clock.ts';

/** While calls run, and before a pass: campaigns change in bursts. */
const PAUSE_MS = 2_000;
/** A text that the voice does not finish by then is left. */
const DEADLINE_MS = 30_000;
/** Half of the voice's cache holds so many greetings of five seconds. */
export const MAX_GREETINGS = 50;
/** With sentences of two seconds: the rest of the cache stays free for calls. */
const MAX_TEXTS = 110;

interface GreetingsAheadOptions {
  /** The requests by which calls will ask for them, most important first. */
  read(): Promise<SpeechRequest[]>;
  /** New ports to each voice worker; none where the voice is quick, or paid for. */
  connect(): MessagePort[];
  /** Its name: another one has made nothing yet. */
  voice(): string;
  isBusy(): boolean;
  clock: Clock;
  onError(error: unknown): void;
}

export class GreetingsAhead {
  readonly #options: GreetingsAheadOptions;
  #made = new Set<string>();
  #isDue = false;
  #isRunning = false;

  constructor(options: GreetingsAheadOptions) {
    this.#options = options;
  }

  /** Something changed. Resolves at once; the work waits for a moment without calls. */
  async refresh(): Promise<void> {
    this.#isDue = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run()
      .catch((error: unknown) => this.#options.onError(error))
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #run(): Promise<void> {
    const { read, connect, voice, clock } = this.#options;
    while (this.#isDue) {
      await sleep(clock, PAUSE_MS);
      this.#isDue = false;
      const ports = connect();
      try {
        const requests = ports.length === 0 ? [] : await read();
        const made = new Set<string>();
        for (const request of requests) {
          const key = `${voice()} ${JSON.stringify(request)}`;
          if (made.has(key)) continue;
          if (made.size === MAX_TEXTS) break;
          if (!this.#made.has(key)) await this.#make(ports, request);
          made.add(key);
        }
        this.#made = made;
      } finally {
        for (const port of ports) port.close();
      }
    }
  }

  async #make(ports: readonly MessagePort[], request: SpeechRequest): Promise<void> {
    const { isBusy, clock } = this.#options;
    for (const port of ports) {
      while (isBusy()) await sleep(clock, PAUSE_MS);
      await rendered(port, request, clock);
    }
  }
}

/** Resolves when the voice has ended or failed: a greeting that cannot be made ahead is made at the call. */
function rendered(port: MessagePort, request: SpeechRequest, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancelLimit();
      port.off('message', onReply);
      port.off('close', done);
      resolve();
    };
    const onReply = (reply: TtsReply): void => {
      if (reply.type === 'failed' || (reply.type === 'audio' && reply.last)) done();
    };
    const cancelLimit = clock.after(DEADLINE_MS, done);
    port.on('message', onReply);
    port.on('close', done);
    port.postMessage({ type: 'speak', id: 1, ...request } satisfies TtsRequest);
  });
}
