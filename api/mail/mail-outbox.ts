// Mails are rows, written in the transaction that causes them, like webhook events: neither a restart nor an outage of
// the mail server loses one. Each is sent at least once, retried with growing delays, and deleted when sent or expired.

import type { Logger } from 'pino';
import { DAY_MS, HOUR_MS } from '../../db/domain/hours/durations.ts';
import type { Outage } from '../../db/faults/outage.ts';
import {
  claimMail,
  countMails,
  deleteMail,
  dueMail,
  insertMail,
  postponeMail,
} from '../../db/queries/accounts/mails.ts';
import type { MailTable } from '../../db/schema/mails.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../db/shared/id.ts';
import { seal, unseal } from '../../db/shared/secrets/secret-box.ts';
import type { Mail, MailTransport } from './mail.ts';

/** A mail whose text is read when it is sent, because what it tells may be erased until then. */
interface LateMail {
  noticeMessageId: string;
}

/** Writes late mails, and hears how it goes with them. */
export interface LateMails {
  /** Null: there is nothing to tell any more. */
  written(id: string): Promise<Mail | null>;
  sent(id: string): Promise<void>;
  /** `isLost`: it is not tried again. */
  failed(id: string, error: string, isLost: boolean): Promise<void>;
}

export interface Mailer {
  /**
   * Writes the mail in the caller's transaction. After `lifetimeMs` it is not sent any more. False where it is lost at
   * once, because too many wait.
   */
  post(tx: Db, mail: Mail | LateMail, lifetimeMs?: number): Promise<boolean>;
  /** Call it after the commit. Resolves after the delivery of due mails, or at once if that needs a network. */
  wake(): Promise<void>;
  /** Sends due mails for at most `timeoutMs`; the rest waits for the next process. */
  close(timeoutMs: number): Promise<void>;
}

interface MailOutboxOptions {
  db: Db;
  read: Db;
  log: Logger;
  outage: Pick<Outage, 'explains'>;
  now(): number;
  secretKey: Buffer;
  transport: MailTransport;
  late: LateMails;
}

const LIFETIME_MS = 3 * DAY_MS;
/** With more mails the mail server has been down for long, and an attacker may be filling the disk. */
const MAILS_MAX = 10_000;
/** Longer than any send: afterwards a mail whose sender died is claimed again. */
const CLAIM_MS = 60_000;
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000];
const RETRY_MAX_MS = HOUR_MS;

export class MailOutbox implements Mailer {
  readonly #options: MailOutboxOptions;
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;

  constructor(options: MailOutboxOptions) {
    this.#options = options;
  }

  async post(tx: Db, mail: Mail | LateMail, lifetimeMs = LIFETIME_MS): Promise<boolean> {
    const { log, secretKey, now } = this.#options;
    if ((await countMails(tx)) >= MAILS_MAX) {
      log.error({ waiting: MAILS_MAX }, 'mail lost: too many wait for the mail server');
      return false;
    }
    const id = newId('mail');
    const nowMs = now();
    await insertMail(tx, {
      id,
      box: seal(secretKey, id, JSON.stringify(mail)),
      attempts: 0,
      nextAttemptAt: nowMs,
      expiresAt: nowMs + lifetimeMs,
      createdAt: nowMs,
    });
    return true;
  }

  async wake(): Promise<void> {
    this.#again = true;
    if (!this.#stopped) {
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    }
    if (this.#options.transport.isLocal) await this.#running;
  }

  async close(timeoutMs: number): Promise<void> {
    void this.wake();
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
    await Promise.race([this.#running, timeout]);
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        let goesOn = true;
        while (goesOn && !this.#stopped) goesOn = await this.#sendNext();
      }
    } catch (error) {
      // The database does not answer; the mails are in it.
      if (this.#options.outage.explains(error)) return;
      this.#options.log.warn({ err: error }, 'could not read the outbox of mails');
    }
  }

  /** Sends the longest due mail; false if there is none, or the mail server does not answer. */
  async #sendNext(): Promise<boolean> {
    const { db, read, log, now, transport, late } = this.#options;
    const nowMs = now();
    const due = await dueMail(read, nowMs);
    if (!due) return false;
    if (!(await claimMail(db, due, nowMs + CLAIM_MS))) return true;
    const posted = this.#open(due);
    const lateId = posted !== null && 'noticeMessageId' in posted ? posted.noticeMessageId : null;
    if (due.expiresAt <= nowMs || posted === null) {
      log.error({ mailId: due.id, attempts: due.attempts }, 'mail lost: it could not be sent in time');
      if (lateId !== null) await late.failed(lateId, 'the mail could not be sent in time', true);
      await deleteMail(db, due.id);
      return true;
    }
    try {
      const mail = 'noticeMessageId' in posted ? await late.written(posted.noticeMessageId) : posted;
      if (mail !== null) await transport.send(due.id, mail);
      if (mail !== null && lateId !== null) await late.sent(lateId);
    } catch (error) {
      return this.#failed(due, lateId, error);
    }
    await deleteMail(db, due.id);
    return true;
  }

  #open({ id, box }: MailTable): Mail | LateMail | null {
    try {
      return JSON.parse(unseal(this.#options.secretKey, id, box)) as Mail | LateMail;
    } catch {
      // Sealed with the key of another DATA_DIR.
      return null;
    }
  }

  async #failed(due: MailTable, lateId: string | null, error: unknown): Promise<boolean> {
    const { db, log, now, late } = this.#options;
    const { code = 'UNKNOWN', responseCode = 0 } = error as { code?: string; responseCode?: number };
    const isRefused = code === 'EENVELOPE' && responseCode >= 500;
    const said = `the mail server did not take it: ${responseCode > 0 ? responseCode : code}`;
    if (lateId !== null) await late.failed(lateId, said, isRefused);
    if (isRefused) {
      log.error({ mailId: due.id, code, responseCode }, 'mail lost: the mail server refuses its recipient');
      await deleteMail(db, due.id);
      return true;
    }
    const retryInMs = RETRY_DELAYS_MS[due.attempts] ?? RETRY_MAX_MS;
    log.warn({ mailId: due.id, code, responseCode, retryInMs }, 'mail could not be sent');
    await postponeMail(db, due.id, now() + retryInMs);
    // The server refused only this mail; without an answer, the other mails would fail as well.
    return responseCode > 0;
  }
}
