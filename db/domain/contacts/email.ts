// Whether a text is an e-mail address, as the interface's schemas have it (`format: email`): the dashboard previews a
// file by the rule that takes it in, and loads no package for it. A test holds it against theirs.

const WORD = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
/** Mailbox of RFC 5322: words with dots, or quoted; at a host name, or at an address in brackets. */
const MAILBOX = new RegExp(
  `^(?:${WORD}(?:\\.${WORD})*|"(?:[^"\\\\]|\\\\[\\x20-\\x7e])*")` +
    `@(?:${LABEL}(?:\\.${LABEL})*|\\[(?:IPv6:[a-f0-9:]+|${BYTE}(?:\\.${BYTE}){3})\\])$`,
  'i',
);

export const isEmail = (text: string): boolean => MAILBOX.test(text);
