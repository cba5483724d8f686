// Whether a text is an e-mail address, by the rule of the interface's schemas: a file that the dashboard previews is
// held against the rule that takes it in.
import { IsEmail } from 'typebox/format';

export const isEmail = (text: string): boolean => IsEmail(text);
