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

/** Calls cost fractions of a cent: two digits of them are shown, and no more, so that columns of them stay narrow. */
function digitsOf(value: number): number {
  const size = Math.abs(value);
  return size === 0 || size >= 0.1 ? 2 : Math.min(8, Math.ceil(-Math.log10(size)) + 1);
}

export function formatAmount(amount: string | null, currency: string | null): string {
  if (amount === null) return '–';
  if (currency === null) return amount;
  const value = Number(amount);
  const maximumFractionDigits = digitsOf(value);
  return new Intl.NumberFormat(pageLocale(), { style: 'currency', currency, maximumFractionDigits }).format(value);
}

/** A price is shown as it was entered. */
export const formatRate = (rate: string, currency: string): string =>
  new Intl.NumberFormat(pageLocale(), { style: 'currency', currency, maximumFractionDigits: 8 }).format(Number(rate));
