// What the voice says in place of a word: names, abbreviations and foreign terms that a synthesiser reads wrongly.

/**
 * `text` with each word or phrase as it is to be said; whole words only, whatever their case. Of two that fit the
 * longer counts.
 */
export function pronounced(text: string, rules: ReadonlyArray<{ text: string; say: string }>): string {
  if (rules.length === 0) return text;
  const said = new Map(rules.map((rule) => [rule.text.toLowerCase(), rule.say]));
  const phrases = [...said.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return text.replace(pattern, (word) => said.get(word.toLowerCase()) ?? word);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
