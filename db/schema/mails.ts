// Outgoing mails, written in the transaction that causes them.

export interface MailTable {
  id: string;
  /** Recipient, subject and text as JSON, sealed by db/shared/secrets/secret-box.ts. */
  box: string;
  attempts: number;
  /** While it is being sent: when it may be claimed again if its sender has died. */
  nextAttemptAt: number;
  /** Afterwards the mail is useless: its link or code has expired. */
  expiresAt: number;
  createdAt: number;
}
