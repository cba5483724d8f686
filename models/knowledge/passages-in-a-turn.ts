/** How many passages a model gets for one turn of the caller: some 700 tokens. */
export const PASSAGES_IN_A_TURN = 3;
