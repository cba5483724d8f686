// `collect_digits`: the caller keys in a number that the model does not get to see.
import { refused } from './times.ts';
import { object, SECRET_DIGITS_MAX, type Tool, text } from './tool.ts';

export const collectDigits: Tool = {
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
    const isCard = args.isCard === true;
    const minDigits = Number(args.minDigits ?? (isCard ? 13 : 1));
    const maxDigits = Number(args.maxDigits ?? (isCard ? 19 : SECRET_DIGITS_MAX));
    const isRange = [minDigits, maxDigits].every(Number.isInteger) && minDigits >= 1 && maxDigits <= SECRET_DIGITS_MAX;
    if (!isRange || minDigits > maxDigits)
      return refused(
        'bad_length',
        `minDigits and maxDigits must be whole numbers from 1 to ${SECRET_DIGITS_MAX}, in this order.`,
      );
    return { result: await context.collectDigits({ minDigits, maxDigits, hasCheckDigit: isCard }) };
  },
};
