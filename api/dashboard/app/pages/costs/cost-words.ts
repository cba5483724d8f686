// Words and amounts of costs and prices.
import type { CostLine } from '../../api-types.ts';
import { pageLocale } from '../../words/words.ts';

export const KIND_NAMES: Record<CostLine['kind'], string> = {
  llm: 'Language model',
  speech_to_speech: 'Speech-to-speech model',
  stt: 'Recogniser',
  tts: 'Voice',
  trunk: 'Trunk',
};

export const PURPOSE_NAMES: Record<CostLine['purpose'], string> = {
  call: 'The call',
  transfer: 'Transfer',
  summary: 'Summary',
  results: 'Results',
  rerun: 'Results, read again',
};

/** Calls cost fractions of a cent: further digits show them. */
export function formatAmount(amount: string | null, currency: string | null): string {
  if (amount === null) return '–';
  const value = Number(amount);
  if (currency === null) return amount;
  return new Intl.NumberFormat(pageLocale(), {
    style: 'currency',
    currency,
    maximumFractionDigits: value === 0 || Math.abs(value) >= 1 ? 2 : Math.abs(value) >= 0.01 ? 4 : 6,
  }).format(value);
}
