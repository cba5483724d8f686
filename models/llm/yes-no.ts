// What an English speaker says for yes and no wherever it is asked. Turn-taking and the receptionist stand on these
// lists, and each adds what answers only its own questions: "wait" over the agent's voice, "cancel" to an offer.

export const YES: readonly string[] = [
  ...['yes', 'yeah', 'yep', 'yup', 'sure', 'okay', 'ok', 'correct', 'right', 'exactly', 'definitely', 'absolutely'],
  ...['of course', 'please do', "that's right", 'that is right', "that's correct", 'that is correct', "that's fine"],
  ...['sounds good', 'that works'],
];

export const NO: readonly string[] = ['no', 'nope', 'nah', 'not really', 'not today', 'never mind', "i don't"];
