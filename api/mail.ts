// Mails: by SMTP, or as .eml files in DATA_DIR/outbox where no SMTP_URL is set. With SMTP a mail is queued and tried again
// a few times, so that no request waits for a mail server; the queue is bounded and what does not fit is logged as lost.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export interface Mailer {
  /** Resolves when the mail is in the outbox (a file) or in the queue (SMTP). */
  send(mail: Mail): Promise<void>;
  /** Waits at most `timeoutMs` for queued mails. */
  close(timeoutMs: number): Promise<void>;
}

export interface MailerOptions {
  smtpUrl: string | null;
  dataDir: string;
  /** Host part of the sender and of Message-ID. */
  domain: string;
  log: Logger;
}

const QUEUE_MAX = 1_000;
const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000];
const SMTP_TIMEOUT_MS = 10_000;

export function createMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null ? new OutboxMailer(options) : new SmtpMailer(options, options.smtpUrl);
}

const sender = (domain: string) => `"Voice service" <no-reply@${domain}>`;

class OutboxMailer implements Mailer {
  readonly #options: MailerOptions;

  constructor(options: MailerOptions) {
    this.#options = options;
  }

  async send(mail: Mail): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message } = await composer.sendMail({ from: sender(this.#options.domain), ...mail });
    const outbox = join(this.#options.dataDir, 'outbox');
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`;
    // A reader of the outbox never sees an incomplete mail.
    const draft = join(outbox, `.${name}.part`);
    await writeFile(draft, message as Buffer, { mode: 0o600 });
    await rename(draft, join(outbox, `${name}.eml`));
  }

  async close(): Promise<void> {}
}

class SmtpMailer implements Mailer {
  readonly #options: MailerOptions;
  readonly #url: string;
  readonly #queue: Array<{ mail: Mail; attempt: number }> = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;

  constructor(options: MailerOptions, url: string) {
    this.#options = options;
    this.#url = url;
  }

  async send(mail: Mail): Promise<void> {
    if (this.#queue.length >= QUEUE_MAX) {
      this.#options.log.error({ queued: this.#queue.length }, 'mail lost: the queue is full');
      return;
    }
    this.#queue.push({ mail, attempt: 0 });
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#running) await Promise.race([this.#running, delay(timeoutMs)]);
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(this.#url, {
      from: sender(this.#options.domain),
    });
    Object.assign(transport.options, { connectionTimeout: SMTP_TIMEOUT_MS, socketTimeout: SMTP_TIMEOUT_MS });
    for (let entry = this.#queue.shift(); entry && !this.#stop.signal.aborted; entry = this.#queue.shift()) {
      try {
        await transport.sendMail(entry.mail);
      } catch (error) {
        this.#retry(entry, error);
      }
    }
    transport.close();
  }

  #retry(entry: { mail: Mail; attempt: number }, error: unknown): void {
    const code = (error as { code?: unknown; responseCode?: unknown }).code ?? 'UNKNOWN';
    const wait = RETRY_DELAYS_MS[entry.attempt];
    if (wait === undefined) {
      this.#options.log.error({ code }, 'mail lost: the mail server refused it each time');
      return;
    }
    this.#options.log.warn({ code, retryInMs: wait }, 'mail could not be sent');
    setTimeout(() => {
      if (this.#stop.signal.aborted || this.#queue.length >= QUEUE_MAX) return;
      this.#queue.push({ mail: entry.mail, attempt: entry.attempt + 1 });
      this.#running ??= this.#run().finally(() => {
        this.#running = null;
      });
    }, wait).unref();
  }
}

const delay = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref();
  });
