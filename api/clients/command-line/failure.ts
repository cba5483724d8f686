// Ends a command with an exit code, and a sentence that says what to do.
import { ApiError } from '../typescript/api-error.ts';

/** In scripts these are told apart. */
export const EXIT = {
  done: 0,
  /** It was carried out, and the answer is no: a test failed, or there are differences. */
  negative: 1,
  /** It could not be carried out. */
  failed: 2,
  /** The server has changes that the folder does not know. */
  conflict: 3,
} as const;

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exit: number;

  constructor(message: string, exit: number = EXIT.failed) {
    super(message);
    this.exit = exit;
  }
}

/** Advice about an error of the service, by its code. */
const ADVICE: Record<string, string> = {
  AUTHENTICATION_REQUIRED: 'Sign in: voicectl login --url URL',
  INVALID_TOKEN: 'Make a new token in the dashboard (API keys), and sign in: voicectl login --url URL',
  TOKEN_EXPIRED: 'Make a new token in the dashboard (API keys), and sign in: voicectl login --url URL',
  TOKEN_REVOKED: 'Make a new token in the dashboard (API keys), and sign in: voicectl login --url URL',
  SCOPE_MISSING: 'Make a token with this scope in the dashboard (API keys).',
  UNREACHABLE: 'Is the service running, and the address right? voicectl profiles shows which one is used.',
  REDIRECTED: 'Sign in there: voicectl login --url URL',
  CERT_HAS_EXPIRED: 'The certificate of the service has expired.',
};

/** The words of a fault for people. */
export function explained(fault: unknown): string {
  if (!(fault instanceof ApiError)) return fault instanceof Error ? fault.message : String(fault);
  const { message, fields, status, requestId } = fault;
  const lines =
    fields.length === 0
      ? [message]
      : [message.split(':')[0] ?? message, ...fields.map((each) => `  ${each.field} ${each.message}`)];
  const advice = ADVICE[fault.code];
  if (advice !== undefined) lines.push(advice);
  if (status >= 500 && requestId !== null) lines.push(`The log of the service has it under ${requestId}.`);
  return lines.join('\n');
}
