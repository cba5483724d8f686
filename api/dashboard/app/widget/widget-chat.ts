// A visitor's conversation in writing, for a design of the page's own as for the panel: its messages as they come. The
// token that opens it stays in the page's storage.
import { WidgetFault, type WidgetMessage, type WidgetService } from './service.ts';

const AGAIN_MS = 3_000;

/** Each event `change` means that something here is new. */
export class WidgetChat extends EventTarget {
  messages: readonly WidgetMessage[] = [];
  isAnswering = false;
  isSending = false;
  /** A code of the service; null: all is well. */
  fault: string | null = null;
  readonly #service: WidgetService;
  readonly #place: string;
  #visitor: string | null;
  #following: AbortController | null = null;

  constructor(service: WidgetService) {
    super();
    this.#service = service;
    this.#place = `voice-widget ${service.key}`;
    this.#visitor = stored(() => localStorage.getItem(this.#place)) ?? null;
  }

  /** True: it is said. */
  async send(text: string): Promise<boolean> {
    if (this.isSending || text.trim() === '') return false;
    this.#is({ isSending: true, fault: null });
    try {
      const known = this.#visitor === null ? await this.#service.captcha() : { visitor: this.#visitor };
      const { visitor, message } = await this.#service.ask('/messages', { text, ...known });
      if (visitor !== this.#visitor) this.messages = [];
      this.#keep(visitor);
      this.#take([message]);
      this.#is({ isSending: false, isAnswering: true });
      if (this.#following !== null) this.follow();
      return true;
    } catch (fault) {
      this.#is({ isSending: false, fault: codeOf(fault) });
      return false;
    }
  }

  /** Reads what there is, and what comes, until `stop`. */
  follow(): void {
    this.stop();
    const following = new AbortController();
    this.#following = following;
    void this.#read(following.signal);
  }

  stop(): void {
    this.#following?.abort();
    this.#following = null;
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.#visitor !== null) {
      const beganMs = performance.now();
      try {
        const after = this.messages.at(-1)?.id;
        const body = { visitor: this.#visitor, ...(after === undefined ? {} : { after, wait: true }) };
        const { messages, isAnswering } = await this.#service.ask('/messages/read', body, signal);
        this.#take(messages);
        this.#is({ isAnswering, fault: null });
        // An answer at once that has nothing new: the service has no place for those who wait.
        if (messages.length === 0 && performance.now() - beganMs < AGAIN_MS) await pause(AGAIN_MS, signal);
      } catch (fault) {
        if (signal.aborted) return;
        const code = codeOf(fault);
        if (code === 'NOT_FOUND') return this.#forget();
        this.#is({ fault: code });
        await pause(AGAIN_MS, signal);
      }
    }
  }

  #take(messages: readonly WidgetMessage[]): void {
    const news = messages.filter(({ id }) => !this.messages.some((known) => known.id === id));
    this.messages = [...this.messages, ...news];
  }

  /** It was erased. */
  #forget(): void {
    this.#keep(null);
    this.messages = [];
    this.#is({ isAnswering: false });
  }

  #keep(visitor: string | null): void {
    this.#visitor = visitor;
    stored(() =>
      visitor === null ? localStorage.removeItem(this.#place) : localStorage.setItem(this.#place, visitor),
    );
  }

  #is(changes: Partial<Pick<WidgetChat, 'isAnswering' | 'isSending' | 'fault'>>): void {
    Object.assign(this, changes);
    this.dispatchEvent(new Event('change'));
  }
}

const codeOf = (fault: unknown): string => (fault instanceof WidgetFault ? fault.code : 'UNREACHABLE');

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Undefined where the page has no storage: the conversation lasts as long as the page. */
function stored<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
