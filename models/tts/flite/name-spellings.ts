// Names as their own language spells them, for a voice that reads all letters as English. A name that a table's letters
// mark is read by that table; others stay with the voice's own rules. The sounds are ARPAbet as flite takes them: of
// what English has, those that come nearest.

interface Spelling {
  /** Names that are spelled so; lower case, without accents but those of `sounds`. */
  marks: RegExp;
  /** Letters and their sounds, the first that fit: those with which others begin come after them. '' is silent. */
  sounds: ReadonlyArray<readonly [letters: string, sounds: string]>;
  /** The vowel with the stress, counted from the end. */
  stressed: 1 | 2;
}

const POLISH: Spelling = {
  marks: /szcz|(?<![ts])cz(?!e?ch)|^sz[ycw]|[^s]rz[yea]|[wl]icz$|ows?ki$|[^s]cki$|ynski$|czyk$|ciech|gniew|slaw$/,
  stressed: 2,
  sounds: [
    ['szcz', 'sh ch'],
    ['aj', 'ay'],
    ['ej', 'ey'],
    ['oj', 'oy'],
    ['dzi', 'jh iy'],
    ['cia', 'ch aa'],
    ['cie', 'ch eh'],
    ['cio', 'ch ow'],
    ['ciu', 'ch uw'],
    ['nie', 'n y eh'],
    ['nia', 'n y aa'],
    ['sie', 'sh eh'],
    ['sz', 'sh'],
    ['cz', 'ch'],
    ['rz', 'zh'],
    ['ch', 'k'],
    ['ck', 't s k'],
    ['ci', 'ch iy'],
    ['si', 'sh iy'],
    ['c', 't s'],
    ['j', 'y'],
    ['w', 'v'],
    ['y', 'ih'],
    ['u', 'uw'],
    ['a', 'aa'],
    ['e', 'eh'],
    ['i', 'iy'],
    ['o', 'ow'],
    ['h', 'hh'],
  ],
};

/** Pinyin, where it begins with letters that no other spelling begins with. */
const CHINESE: Spelling = {
  marks:
    /^(?=zh|x[iu]|qi)(?:(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])?(?:[iu]ang|iong|[aeoi]ng|ian|uan|iao|[aeiu]n|a[io]|ei|i[aeu]|ou|u[aeio]|[aeiou])){1,3}$/,
  stressed: 2,
  sounds: [
    ['zh', 'jh'],
    ['iang', 'y aa ng'],
    ['uang', 'w aa ng'],
    ['iong', 'y uh ng'],
    ['ang', 'aa ng'],
    ['eng', 'ah ng'],
    ['ong', 'uh ng'],
    ['ing', 'iy ng'],
    ['iao', 'y aw'],
    ['ian', 'y eh n'],
    ['uan', 'w aa n'],
    ['ao', 'aw'],
    ['ai', 'ay'],
    ['ei', 'ey'],
    ['ou', 'ow'],
    ['iu', 'y ow'],
    ['ui', 'w ey'],
    ['uo', 'w ao'],
    ['ia', 'y aa'],
    ['ie', 'y eh'],
    ['ue', 'w eh'],
    ['ch', 'ch'],
    ['sh', 'sh'],
    ['q', 'ch'],
    ['x', 'sh'],
    ['c', 't s'],
    ['z', 'd z'],
    ['j', 'jh'],
    ['a', 'aa'],
    ['e', 'ah'],
    ['i', 'iy'],
    ['o', 'ow'],
    ['u', 'uw'],
    ['h', 'hh'],
    ['y', 'y'],
  ],
};

const FRENCH: Spelling = {
  marks:
    /(?:eau|eaux|oux|ault|ois|oise|ouest|vre|ieu|ienne|ien|ette|elle|esque|uay|aud|aut)$|^(?:rue|chemin|saint?e|est)$/,
  stressed: 1,
  sounds: [
    ['eaux', 'ow'],
    ['esque', 'eh k'],
    ['ienne', 'iy eh n'],
    ['elle', 'eh l'],
    ['ette', 'eh t'],
    ['oise', 'w aa z'],
    ['ouest', 'w eh s t'],
    ['ault', 'ow'],
    ['eau', 'ow'],
    ['aud', 'ow'],
    ['aut', 'ow'],
    ['oux', 'uw'],
    ['ois', 'w aa'],
    ['oin', 'w ae n'],
    ['ien', 'iy ae n'],
    ['ieu', 'iy uw'],
    ['vre', 'v r ax'],
    ['sainte', 's ae n t'],
    ['saint', 's ae n'],
    ['ou', 'uw'],
    ['oi', 'w aa'],
    ['ai', 'eh'],
    ['au', 'ow'],
    ['eu', 'uh'],
    ['ch', 'sh'],
    ['th', 't'],
    ['gn', 'n y'],
    ['gu', 'g'],
    ['qu', 'k'],
    ['ge', 'zh'],
    ['gi', 'zh iy'],
    ['ce', 's eh'],
    ['ci', 's iy'],
    ['c', 'k'],
    ['j', 'zh'],
    ['y', 'iy'],
    ['ue', 'uw'],
    ['u', 'uw'],
    ['a', 'aa'],
    ['e', 'ax'],
    ['i', 'iy'],
    ['o', 'ow'],
    ['h', ''],
  ],
};

/** Spanish, Italian, Yoruba, Igbo, Hindi, Japanese and many others: an open syllable after the other. */
const OPEN_SYLLABLES: Spelling = {
  marks:
    /^(?!.*(?:[^aeiou]e$|ee|oo|ea|ck|gh[^aeiou]|wh|tion|qu|ph[^aeiou]|[aeiou]y[^aeiou]|ll?y$))(?:(?:[bcdfghjklmnprstvwyz]|ch|sh|th|dh|bh|gh|kh|ph|ts|dm|kw|gb|kp|ng|nk|nt|nd|mb|mp|br|dr|fr|gr|kr|pr|tr|pl|st|sk|ky|ry|ny|gy|chr|ntr|ndr|nkw|lv|rv|rm|rn|ns|lk|rt|kt|nn|ss|ll|tt|rr|zz|mm|cc)?[aeiou]{1,2}){3,9}(?:n|m|s|l|sh|ng|v|k|z|r(?<![eo]r))?$/,
  stressed: 2,
  sounds: [
    ['ch', 'ch'],
    ['sh', 'sh'],
    ['dh', 'd'],
    ['bh', 'b'],
    ['gh', 'g'],
    ['kh', 'k'],
    ['ph', 'f'],
    ['th', 't'],
    ['ng', 'ng'],
    ['nk', 'ng k'],
    ['ts', 't s'],
    ['ai', 'ay'],
    ['au', 'aw'],
    ['ei', 'ey'],
    ['ou', 'uw'],
    ['ce', 's eh'],
    ['ci', 's iy'],
    ['c', 'k'],
    ['j', 'jh'],
    ['y', 'y'],
    ['a', 'aa'],
    ['e', 'eh'],
    ['i', 'iy'],
    ['o', 'ow'],
    ['u', 'uw'],
    ['h', 'hh'],
  ],
};

/** An English dictionary has such names as English letters would sound. */
const UNMISTAKABLE: readonly Spelling[] = [POLISH, CHINESE];
const LIKELY: readonly Spelling[] = [FRENCH, OPEN_SYLLABLES];
const VOWEL = /^(?:aa|ae|ah|ao|aw|ax|ay|eh|er|ey|ih|iy|ow|oy|uh|uw)$/;
/** Letters that sound in all these languages as they do in English. */
const PLAIN = /[bdfgklmnprstvwz]/;

/**
 * The sounds of a name; null where its letters do not tell its language.
 * @param name lower case, without accents
 * @param isEnglish whether the voice has it in its dictionary
 */
export function soundsBySpelling(name: string, isEnglish: () => boolean): string | null {
  const spelling =
    UNMISTAKABLE.find(({ marks }) => marks.test(name)) ??
    (LIKELY.some(({ marks }) => marks.test(name)) && !isEnglish()
      ? LIKELY.find(({ marks }) => marks.test(name))
      : undefined);
  return spelling === undefined ? null : soundsBy(spelling, name);
}

/** The sounds of a name of whatever language, as most of them use the letters; null where there are others. */
export const soundsByLetters = (name: string): string | null => soundsBy(OPEN_SYLLABLES, name);

function soundsBy(spelling: Spelling, name: string): string | null {
  const sounds: string[] = [];
  for (let at = 0; at < name.length; ) {
    // A doubled consonant is one.
    if (name[at] === name[at - 1] && PLAIN.test(name[at] ?? '')) {
      at++;
      continue;
    }
    const [letters = name[at] ?? '', sound = PLAIN.test(name[at] ?? '') ? (name[at] ?? '') : null] =
      spelling.sounds.find(([written]) => name.startsWith(written, at)) ?? [];
    if (sound === null) return null;
    if (sound !== '') sounds.push(...sound.split(' '));
    at += letters.length;
  }
  return withStress(sounds, spelling.stressed);
}

/** @param stressed the full vowel with the stress, counted from the end */
export function withStress(sounds: readonly string[], stressed = 2): string {
  const vowels = sounds.flatMap((sound, index) => (VOWEL.test(sound) ? [index] : []));
  const full = vowels.filter((index) => sounds[index] !== 'ax');
  const main = full.at(-stressed) ?? full[0] ?? vowels[0];
  const stress = (sound: string): string => `${sound === 'ax' ? 'ah' : sound}1`;
  return sounds
    .map((sound, index) => (index === main ? stress(sound) : VOWEL.test(sound) ? `${sound}0` : sound))
    .join(' ');
}
