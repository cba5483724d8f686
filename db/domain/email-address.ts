// One address of e-mail, by the rule of HTML's input type=email (https://html.spec.whatwg.org/#valid-e-mail-address): a
// domain may be one word, such as localhost. It has no character that a header or a list of recipients gives a meaning.

/** RFC 5321, 4.5.3.1.3: a path has 256 octets, two of which are its brackets. */
export const EMAIL_CHARACTERS_MAX = 254;

export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export const isEmail = (text: string): boolean => text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text);
