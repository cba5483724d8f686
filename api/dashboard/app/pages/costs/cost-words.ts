// Words and amounts of costs and prices.
import type { CostLine } from '../../api-types.ts';
import { pageLocale, words } from '../../words/words.ts';

export const KIND_NAMES: Record<CostLine['kind'], string> = {
  llm: words('Language model'),
  speech_to_speech: words('Speech-to-speech model'),
  stt: words('Recogniser'),
  tts: words('Voice'),
  trunk: words('Trunk'),
};

export const PURPOSE_NAMES: Record<CostLine['purpose'], string> = {
  call: words('The call'),
  transfer: words('Transfer'),
  summary: words('Summary'),
  results: words('Results'),
  rerun: words('Results, read again'),
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
