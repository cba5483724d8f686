// Provisional responses that must arrive (RFC 3262), on both sides: ours to a caller who requires it are repeated until
// their PRACK; those of a callee get their PRACK, once each.
import { randomInt } from 'node:crypto';
import { type Dialog, dialogOfResponse } from '../../dialog/dialog.ts';
import { refuse } from '../../stack/transaction/request-checks.ts';
import { T1_MS, TRANSACTION_TIMEOUT_MS } from '../../stack/transaction/transaction.ts';
import type { IncomingResponse, ServerTransaction } from '../../stack/transaction/transaction-layer.ts';
import { type Header, header, type SipResponse, tokens } from '../../stack/wire/message.ts';
import { DialogRequests } from './dialog-requests.ts';
import type { DialogOwner, UserAgentCore } from './user-agent-core.ts';

const RELIABLE = '100rel';

const isReliable = (message: { headers: readonly Header[] }): boolean => tokens(message, 'require').includes(RELIABLE);

interface Waiting {
  rseq: number;
  hasSdp: boolean;
  stop(): void;
}

interface ProvisionalUser {
  /** Its PRACK has come. */
  acknowledged(): void;
  /** No PRACK for 32 s: the INVITE is to be refused (RFC 3262 3). */
  lost(): void;
}

/** Ours, to one INVITE: one at a time is on its way, and of those that wait the newest is sent next. */
export class ReliableProvisionals {
  readonly #core: UserAgentCore;
  readonly #owner: DialogOwner;
  readonly #invite: ServerTransaction;
  readonly #user: ProvisionalUser;
  #rseq = randomInt(1, 2 ** 30);
  #waiting: Waiting | null = null;
  #next: SipResponse | null = null;
  #isOver = false;
  readonly #sent = new Set<number>();

  constructor(core: UserAgentCore, owner: DialogOwner, invite: ServerTransaction, user: ProvisionalUser) {
    this.#core = core;
    this.#owner = owner;
    this.#invite = invite;
    this.#user = user;
  }

  /** Null for a caller who does not require it. */
  static of(...[core, owner, invite, user]: ConstructorParameters<typeof ReliableProvisionals>) {
    return isReliable(invite.request.message) ? new ReliableProvisionals(core, owner, invite, user) : null;
  }

  /** No 2xx may be sent before the PRACK of an answer (RFC 3262 3). */
  get holdsAnswer(): boolean {
    return this.#waiting?.hasSdp === true;
  }

  send(response: SipResponse): void {
    if (this.#waiting !== null) {
      this.#next = response;
      return;
    }
    const rseq = ++this.#rseq;
    this.#sent.add(rseq);
    const headers = [...response.headers, { name: 'require', value: RELIABLE }, { name: 'rseq', value: String(rseq) }];
    let stopRepeat = (): void => undefined;
    // Over TCP too: the PRACK comes from the far end, which may be behind several hops.
    const transmit = (intervalMs: number): void => {
      this.#invite.respond({ ...response, headers });
      stopRepeat = this.#core.clock.after(intervalMs, () => transmit(intervalMs * 2));
    };
    const stopExpiry = this.#core.clock.after(TRANSACTION_TIMEOUT_MS, () => {
      this.stop();
      this.#core.guard(this.#owner, () => this.#user.lost());
    });
    const stop = (): void => {
      stopRepeat();
      stopExpiry();
    };
    this.#waiting = { rseq, hasSdp: response.body.length > 0, stop };
    transmit(T1_MS);
  }

  /** Whether the PRACK is of a response of ours; else it has been refused (RFC 3262 3). The user answers it. */
  takes(prack: ServerTransaction): boolean {
    const { message } = prack.request;
    const [, rseq, number, method] =
      /^\s*(\d{1,10})\s+(\d{1,10})\s+(\S+)\s*$/.exec(header(message, 'rack') ?? '') ?? [];
    const isOurs =
      this.#sent.has(Number(rseq)) && Number(number) === this.#invite.request.parts.cseq.number && method === 'INVITE';
    if (!isOurs) refuse(prack, 481);
    return isOurs;
  }

  /** After `takes`, and after the answer to the PRACK. */
  settle(prack: ServerTransaction): void {
    const waiting = this.#waiting;
    if (waiting === null || Number.parseInt(header(prack.request.message, 'rack') ?? '', 10) !== waiting.rseq) return;
    waiting.stop();
    this.#waiting = null;
    const next = this.#next;
    this.#next = null;
    if (next !== null && !this.#isOver) this.send(next);
    this.#user.acknowledged();
  }

  /** The INVITE has its final response; a late PRACK is still answered. */
  stop(): void {
    this.#isOver = true;
    this.#waiting?.stop();
    this.#waiting = null;
    this.#next = null;
  }
}

/** An early dialog of a callee, as another process needs it to go on. */
export interface EarlyDialog {
  tag: string;
  rseq: number;
  dialog: Dialog;
}

type RequestStart = Omit<ConstructorParameters<typeof DialogRequests>[2], 'dialog'>;

/** The reliable responses of the callees of one INVITE, each with the dialog that it began. */
export class EarlyDialogs {
  readonly #core: UserAgentCore;
  readonly #owner: DialogOwner;
  readonly #byTag = new Map<string, { rseq: number; requests: DialogRequests }>();

  constructor(core: UserAgentCore, owner: DialogOwner) {
    this.#core = core;
    this.#owner = owner;
  }

  get state(): EarlyDialog[] {
    return [...this.#byTag].map(([tag, { rseq, requests }]) => ({ tag, rseq, dialog: requests.dialog }));
  }

  restore(early: readonly EarlyDialog[], start: RequestStart): void {
    for (const { tag, rseq, dialog } of early) this.#byTag.set(tag, { rseq, requests: this.#requests(dialog, start) });
  }

  #requests(dialog: Dialog, start: RequestStart): DialogRequests {
    return new DialogRequests(this.#core, this.#owner, { ...start, dialog }, () => undefined);
  }

  /** The dialog as its PRACKs have left it; null where none was sent. */
  dialogOf(tag: string): Dialog | null {
    return this.#byTag.get(tag)?.requests.dialog ?? null;
  }

  get size(): number {
    return this.#byTag.size;
  }

  has(tag: string): boolean {
    return this.#byTag.has(tag);
  }

  /**
   * Whether a provisional response is to be acted on. A reliable one gets its PRACK; sent again, or out of order, it is
   * dropped (RFC 3262 4).
   */
  takes({ message, parts, flow }: IncomingResponse, tag: string, before: Dialog, start: RequestStart): boolean {
    const [, digits] = /^\s*(\d{1,10})\s*$/.exec(header(message, 'rseq') ?? '') ?? [];
    if (!isReliable(message) || digits === undefined) return true;
    const rseq = Number(digits);
    const known = this.#byTag.get(tag);
    if (known !== undefined && rseq !== known.rseq + 1) return false;
    const requests =
      known?.requests ??
      this.#requests(dialogOfResponse(before, message, parts), { ...start, flow: start.flow ?? flow });
    this.#byTag.set(tag, { rseq, requests });
    const rack = `${rseq} ${parts.cseq.number} ${parts.cseq.method}`;
    // Nothing follows from its answer: without one the callee repeats its response, and gives up by itself.
    requests.send('PRACK', { headers: [{ name: 'rack', value: rack }], done: () => undefined });
    return true;
  }
}
