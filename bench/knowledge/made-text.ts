// Text that nobody wrote, for collections of any size.
const PAGE_CHARS = 2_000;
const WORDS = 30_000;

/** A number as a word: no stop word, no code. */
const letters = (number: number): string =>
  `w${number.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))}o`;

/** Text whose words are as common as words are (Zipf), under a heading a page. */
export function madeText(pages: number, random: () => number): string {
  const word = (): string => letters(Math.min(WORDS - 1, Math.floor(Math.exp(random() * Math.log(WORDS))) - 1));
  const text = (chars: number): string => {
    const words: string[] = [];
    for (let length = 0; length < chars; length += (words.at(-1)?.length ?? 0) + 1) words.push(word());
    return `${words.join(' ')}.`;
  };
  return Array.from({ length: pages }, () => `# ${text(40)}\n\n${text(PAGE_CHARS)}`).join('\n\n');
}
