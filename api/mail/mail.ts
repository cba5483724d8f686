// Sends mails by SMTP, or writes them as .eml files to DATA_DIR/outbox if no SMTP_URL is set.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailHtml } from './mail-html.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** Of the text; absent: English. */
  language?: string;
}

export interface MailTransport {
  /** Delivers at once, without a network: the request that causes a mail may wait for it. */
  readonly isLocal: boolean;
  /** `id` becomes the Message-ID, so that a mail sent twice is recognised as one. */
  send(id: string, mail: Mail): Promise<void>;
}

interface MailTransportOptions {
  smtpUrl: string | null;
  dataDir: string;
  /** The sender, `Name <address>` or an address alone; null: no-reply at the domain. */
  from: string | null;
  /** Host part of Message-ID, and of the sender where none is set. */
  domain: string;
}

const SMTP_TIMEOUT_MS = 10_000;

export function createMailTransport({ smtpUrl, dataDir, ...sender }: MailTransportOptions): MailTransport {
  return smtpUrl === null ? new FileTransport(dataDir, sender) : new SmtpTransport(smtpUrl, sender);
}

type Sender = Pick<MailTransportOptions, 'from' | 'domain'>;

/** The text with its HTML, in the envelope. */
const message = ({ from, domain }: Sender, id: string, { to, subject, text, language }: Mail) => ({
  from: from ?? `"${NAME}" <no-reply@${domain}>`,
  messageId: `<${id}@${domain}>`,
  // No program answers it (RFC 3834): two that did would write to each other for ever.
  headers: { 'Auto-Submitted': 'auto-generated' },
  ...{ to, subject, text },
  html: mailHtml({ text, ...(language !== undefined && { language }) }, nameOf(from)),
});

const NAME = 'Voice service';

/** The installation's name is that of its sender. */
const nameOf = (from: string | null): string =>
  from
    ?.split('<')[0]
    ?.replaceAll('"', '')
    .trim()
    .replace(/^\S+@\S+$/, '') || NAME;

class FileTransport implements MailTransport {
  readonly isLocal = true;
  readonly #dataDir: string;
  readonly #sender: Sender;

  constructor(dataDir: string, sender: Sender) {
    this.#dataDir = dataDir;
    this.#sender = sender;
  }

  async send(id: string, mail: Mail): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
    const { message: written } = await composer.sendMail(message(this.#sender, id, mail));
    const outbox = join(this.#dataDir, 'outbox');
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}`;
    // The rename is atomic: a reader of the outbox never sees an incomplete mail.
    const draft = join(outbox, `.${name}.part`);
    await writeFile(draft, written as Buffer, { mode: 0o600 });
    await rename(draft, join(outbox, `${name}.eml`));
  }
}

/** A connection for each mail: they are few, and an idle connection would only break. */
class SmtpTransport implements MailTransport {
  readonly isLocal = false;
  readonly #url: string;
  readonly #sender: Sender;

  constructor(url: string, sender: Sender) {
    this.#url = url;
    this.#sender = sender;
  }

  async send(id: string, mail: Mail): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(this.#url);
    Object.assign(transport.options, {
      connectionTimeout: SMTP_TIMEOUT_MS,
      greetingTimeout: SMTP_TIMEOUT_MS,
      socketTimeout: SMTP_TIMEOUT_MS,
    });
    try {
      await transport.sendMail(message(this.#sender, id, mail));
    } finally {
      transport.close();
    }
  }
}
