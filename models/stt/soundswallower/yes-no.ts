// The words of the grammar that say yes or no and nothing else: they are never exchanged.
export const YES: readonly string[] = ['yes', 'yeah', 'yep'];
export const NO: readonly string[] = ['no', 'nope'];
