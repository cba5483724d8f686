// Mails on their way out, written in the transaction that causes them.

export interface MailTable {
  id: string;
  /** Recipient, subject and text as JSON, sealed by db/shared/secret-box.ts. */
  box: string;
  attempts: number;
  /** While it is being sent: when it may be taken again, should its sender have died. */
  nextAttemptAt: number;
  /** Afterwards it is of no use: what it carries has expired. */
  expiresAt: number;
  createdAt: number;
}
