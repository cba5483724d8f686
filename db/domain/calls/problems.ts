// Kinds of what a person finds wrong with a line of a call.

export const CALL_PROBLEMS = ['misheard', 'wrong_answer', 'too_slow', 'interrupted', 'other'] as const;
export type CallProblem = (typeof CALL_PROBLEMS)[number];
