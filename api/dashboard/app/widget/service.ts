// Requests of a page's widget to the service that its script came from. There is no session and no cookie: a public key
// in the address.

/** An answer that refuses, by its code; `UNREACHABLE` where there is none that this page may read. */
export class WidgetFault extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface WidgetFacts {
  isOpen: boolean;
  allows: ReadonlyArray<'call' | 'text'>;
  needsCaptcha: boolean;
  agentName: string | null;
  businessName: string | null;
}

export interface WidgetMessage {
  id: string;
  from: 'visitor' | 'agent' | 'person';
  text: string;
  createdAt: string;
}

export interface WidgetOptions {
  /** The public key. */
  key: string;
  /** Gives a captcha's token, where the key wants one. */
  captcha?: () => Promise<string>;
}

interface Answers {
  '': WidgetFacts;
  '/calls': { callId: string; socketUrl: string };
  '/messages': { visitor: string; message: WidgetMessage };
  '/messages/read': { messages: WidgetMessage[]; isAnswering: boolean };
}

export class WidgetService {
  readonly key: string;
  /** Of the browser's audio thread. */
  readonly worklet: string;
  readonly #base: string;
  readonly #captcha: () => Promise<string>;
  #facts: Promise<WidgetFacts> | null = null;

  /** `base`: the folder of the widget's script, with a slash at the end. */
  constructor(base: string, { key, captcha = async () => '' }: WidgetOptions, worklet: string) {
    this.#base = base;
    this.key = key;
    this.worklet = new URL(worklet, base).href;
    this.#captcha = captcha;
  }

  /** Asked once, unless there was no answer. */
  facts(): Promise<WidgetFacts> {
    this.#facts ??= this.ask('', {}).catch((fault: unknown) => {
      this.#facts = null;
      throw fault;
    });
    return this.#facts;
  }

  /** A captcha's token where the key wants one: a part of a body. */
  async captcha(): Promise<{ captcha?: string }> {
    return (await this.facts()).needsCaptcha ? { captcha: await this.#captcha() } : {};
  }

  /** @throws {WidgetFault} */
  async ask<Path extends keyof Answers>(path: Path, body: object, signal?: AbortSignal): Promise<Answers[Path]> {
    let answer: Response;
    try {
      answer = await fetch(`${this.#base}api/v1/widget/${encodeURIComponent(this.key)}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (fault) {
      signal?.throwIfAborted();
      console.error(
        `Voice widget: ${this.#base} does not answer this page. Is ${location.origin} among the origins of the key, and does the page's policy (connect-src) name the service?`,
      );
      throw new WidgetFault('UNREACHABLE', fault instanceof Error ? fault.message : '');
    }
    const told = (await answer.json().catch(() => ({}))) as { data?: Answers[Path]; code?: string; error?: string };
    if (answer.ok && told.data !== undefined) return told.data;
    throw new WidgetFault(told.code ?? 'UNREACHABLE', told.error ?? '');
  }
}
