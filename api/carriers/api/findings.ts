// Turns what a carrier answered to a test of its key into sentences for an ADMIN.
import { CarrierError } from '../carrier.ts';
import type { Finding } from './carrier-api.ts';

/** A right that the key has, or has not; `work` returns the sentence. */
export async function finding(subject: Finding['subject'], work: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, ok: true, text: await work() };
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error;
    return { subject, ok: false, text: sentence(error.message) };
  }
}

/** The key first: without it, nothing else is asked. */
export async function findings(key: Promise<Finding>, others: Array<() => Promise<Finding>>): Promise<Finding[]> {
  const first = await key;
  return first.ok ? [first, ...(await Promise.all(others.map((other) => other())))] : [first];
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
