// Money as whole millionths of a currency's unit, so that sums are exact: the text of an amount, and an amount times a
// quantity, rounded half up once.

const MICROS = 1_000_000;
/** A text of up to six decimals, without a sign. */
export const AMOUNT_PATTERN = '^(0|[1-9]\\d{0,5})(\\.\\d{1,6})?$';
const AMOUNT = new RegExp(AMOUNT_PATTERN);

/** Null: no amount. */
export function microsOf(text: string): number | null {
  if (!AMOUNT.test(text)) return null;
  const [units = '0', decimals = ''] = text.split('.');
  return Number(units) * MICROS + Number(decimals.padEnd(6, '0'));
}

/** At least two decimals: `0.0058`, `12.00`. */
export function amountText(micros: number): string {
  const sign = micros < 0 ? '-' : '';
  const all = Math.abs(micros);
  const decimals = String(all % MICROS).padStart(6, '0');
  let end = decimals.length;
  while (end > 2 && decimals[end - 1] === '0') end--;
  return `${sign}${Math.floor(all / MICROS)}.${decimals.slice(0, end)}`;
}

/** `micros` for each `per` of it, for `quantity` of it; all whole and not negative. */
export function priced(micros: number, quantity: number, per: number): number {
  const doubled = 2n * BigInt(micros) * BigInt(quantity) + BigInt(per);
  return Number(doubled / (2n * BigInt(per)));
}
