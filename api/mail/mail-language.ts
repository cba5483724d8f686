// The language of a mail: what the reader's browser asks for, among those that mails are written in.

export const MAIL_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

const HEADER_MAX = 200;

export function mailLanguage(text: string | null): MailLanguage | null {
  return MAIL_LANGUAGES.find((language) => language === text?.slice(0, 2).toLowerCase()) ?? null;
}

/** The best of an Accept-Language header (RFC 9110 12.5.4); null where it names none of ours. */
export function acceptedLanguage(header: string | undefined): MailLanguage | null {
  const wishes = (header ?? '')
    .slice(0, HEADER_MAX)
    .split(',')
    .map((wish) => {
      const [range = '', weight = ''] = wish.split(';');
      const q = /q=([\d.]+)/.exec(weight)?.[1];
      return { language: mailLanguage(range.trim()), q: q === undefined ? 1 : Number(q) };
    })
    .filter(({ language, q }) => language !== null && q > 0);
  return wishes.sort((a, b) => b.q - a.q)[0]?.language ?? null;
}
