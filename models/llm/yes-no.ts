// English words for yes and no as an answer to any question. Turn-taking and the receptionist share these lists and add
// words for their own questions: "wait" over the agent's voice, "cancel" to an offer.

export const YES: readonly string[] = [
  ...['yes', 'yeah', 'yep', 'yup', 'sure', 'okay', 'ok', 'correct', 'right', 'exactly', 'definitely', 'absolutely'],
  ...['of course', 'please do', "that's right", 'that is right', "that's correct", 'that is correct', "that's fine"],
  ...['sounds good', 'that works'],
];

export const NO: readonly string[] = ['no', 'nope', 'nah', 'not really', 'not today', 'never mind', "i don't"];
