// `collect_digits`: the caller keys in a number that the model does not get to see.
import { SECRET_DIGITS_MAX, secretWish } from '../../../db/domain/secret-digits.ts';
import { refused } from './times.ts';
import { object, type Tool, text } from './tool.ts';

export const collectDigits: Tool = {
  isOfLine: true,
  isBeside: true,
  definition: {
    name: 'collect_digits',
    description:
      'Have the caller key in a secret number, such as a card. Ask for it in the same reply, and say that # ends it. You get no digits but a reference, like secret:…, to pass to another tool in place of the number, once.',
    parameters: object(
      {
        what: text('What is to be keyed in, in a few words'),
        minDigits: { type: 'integer', description: `1 to ${SECRET_DIGITS_MAX}` },
        maxDigits: { type: 'integer', description: `minDigits to ${SECRET_DIGITS_MAX}` },
        isCard: { type: 'boolean', description: 'A card number: 13 to 19 digits, with a check digit' },
      },
      ['what'],
    ),
  },
  async run(args, context) {
    const wish = secretWish({
      isCard: args.isCard === true,
      minDigits: lengthIn(args.minDigits),
      maxDigits: lengthIn(args.maxDigits),
    });
    if (wish === null)
      return refused(
        'bad_length',
        `minDigits and maxDigits must be whole numbers from 1 to ${SECRET_DIGITS_MAX}, in this order.`,
      );
    return { result: await context.collectDigits(wish) };
  },
};

/** A model may give it as text. */
const lengthIn = (arg: unknown): number | undefined => (arg == null ? undefined : Number(arg));
