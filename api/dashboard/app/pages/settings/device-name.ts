// A device by the words of its User-Agent: enough to know it again.
import { t } from '../../words/words.ts';

/** Names that come later in a list are also in the texts of earlier ones. */
const BROWSERS: ReadonlyArray<[RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: ReadonlyArray<[RegExp, string]>, text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** "Firefox on Windows"; a program's own name, as `curl/8.5.0`. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return t('Unknown');
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  if (browser !== undefined) return system === undefined ? browser : t('{browser} on {system}', { browser, system });
  return userAgent.split(' ', 1)[0]?.slice(0, 40) ?? userAgent;
}
