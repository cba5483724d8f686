// The rules by which an INVITE's called number was read, for the page of its trunk.

export const READING_RULES = {
  plus: 'it came with its plus',
  setting: "the trunk's inboundFormat says so",
  only_reading: 'it is valid in one way alone',
  own_number: 'of two readings the one that is a number of ours',
  e164_first: 'of two readings E.164',
  as_sent: 'it is no number of any plan, and stays as it came',
} as const;

export type ReadingRule = keyof typeof READING_RULES;
