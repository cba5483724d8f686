// Replaces words that a synthesiser reads wrongly: names, abbreviations, foreign terms.

/** `text` with each listed word or phrase in its spoken form: whole words only, any case, the longer match first. */
export function pronounced(text: string, rules: ReadonlyArray<{ text: string; say: string }>): string {
  if (rules.length === 0) return text;
  const said = new Map(rules.map((rule) => [rule.text.toLowerCase(), rule.say]));
  const phrases = [...said.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
  return text.replace(pattern, (word) => said.get(word.toLowerCase()) ?? word);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
