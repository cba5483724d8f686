// Splits text into pieces for a synthesiser that renders whole utterances: short enough for an early start of the sound
// and for keeping the synthesiser busy only briefly.
import { NUMBER_WORDS } from './number-words.ts';

/** About 12 s of speech, which occupies a synchronous engine for about 0.4 s. */
const MAX_PIECE_CHARS = 180;
/** A shorter clause is not worth a break in the intonation. */
const MIN_CLAUSE_CHARS = 40;
/** A shorter rest, "buzzer three oh four", is misheard when it is rendered by itself. */
const MIN_REST_CHARS = 30;
const DIGIT = 'zero|one|two|three|four|five|six|seven|eight|nine|[0-9]|[A-Z]';
/** A number or code goes on behind this mark: it is one piece, as far as that is possible. */
const BEFORE_DIGITS = new RegExp(`(?:^|[\\s,])(?:${DIGIT})$`);
const DIGITS = new RegExp(`^\\s+(?:${DIGIT})(?![\\p{L}\\d])`, 'u');
/** A house and its street, "nine, Elm Street". */
const NUMBER = new RegExp(String.raw`\b(?:${NUMBER_WORDS.join('|')})$`);
const NAME = /^\s+\p{Lu}/u;

/**
 * Splits at sentence ends, then long sentences at clause marks, then at words.
 * @returns pieces in order, none empty; joined by spaces they are the text
 */
export function splitForSpeech(text: string): string[] {
  const pieces: string[] = [];
  for (const sentence of text.trim().split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}])/u)) {
    let rest = sentence.trim();
    while (rest.length > MIN_CLAUSE_CHARS * 1.5) {
      const cut = clauseEnd(rest);
      if (cut === null) break;
      pieces.push(rest.slice(0, cut).trim());
      rest = rest.slice(cut).trim();
    }
    if (rest) pieces.push(rest);
  }
  return pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

function clauseEnd(text: string): number | null {
  for (const mark of text.matchAll(/[,;:–—]\s+/g)) {
    const end = mark.index + 1;
    if (
      end >= MIN_CLAUSE_CHARS &&
      end <= MAX_PIECE_CHARS &&
      text.length - end >= MIN_REST_CHARS &&
      !isInNumber(text, mark.index)
    )
      return end;
    if (end > MAX_PIECE_CHARS) break;
  }
  if (text.length <= MAX_PIECE_CHARS) return null;
  const space = text.lastIndexOf(' ', MAX_PIECE_CHARS);
  return space > 0 ? space : MAX_PIECE_CHARS;
}

function isInNumber(text: string, at: number): boolean {
  const [before, behind] = [text.slice(0, at), text.slice(at + 1)];
  return (BEFORE_DIGITS.test(before) && DIGITS.test(behind)) || (NUMBER.test(before) && NAME.test(behind));
}
