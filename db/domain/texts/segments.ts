// The parts in which a text is sent, and charged for: 160 characters of GSM 03.38 or 70 of UCS-2, and a few fewer in
// each where there are several (GSM 03.40, 9.2.3.24.1).
const GSM =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà';
/** Two septets each. */
const GSM_EXTENDED = '\f^{}\\[~]|€';
const ONE = new Set(GSM);
const TWO = new Set(GSM_EXTENDED);

/** A carrier takes no longer one: ten segments of the narrower alphabet. */
export const TEXT_CHARACTERS_MAX = 670;

export function segmentsOf(text: string): number {
  let septets = 0;
  for (const character of text) {
    if (ONE.has(character)) septets++;
    else if (TWO.has(character)) septets += 2;
    else return parts(text.length, 70, 67);
  }
  return parts(septets, 160, 153);
}

const parts = (length: number, alone: number, each: number): number => (length <= alone ? 1 : Math.ceil(length / each));

/** In the narrower alphabet where only typographic marks stand in the way: they would cost more than twice. */
export function plainText(text: string): string {
  const plain = text
    .replace(/[\u2018\u2019\u201A\u201B]/g, "'")
    .replace(/[\u201C\u201D\u201E\u201F]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\u2026/g, '...')
    .replace(/[\u00A0\u202F\u2009]/g, ' ');
  return plain.length <= TEXT_CHARACTERS_MAX ? plain : `${plain.slice(0, TEXT_CHARACTERS_MAX - 3)}...`;
}
