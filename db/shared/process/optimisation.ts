// When V8 compiles hot functions into optimised code. At a start nearly all of them run for the last time: their
// compilation took a fifth of the start's processor time. The supervisor therefore starts both processes with
// `--no-opt`, and each switches the optimisation on once it is up, for all of its threads.
import { setFlagsFromString } from 'node:v8';

/** Functions that are hot from now on are optimised. Without effect where Node was started without `--no-opt`. */
export const optimiseFromNow = (): void => setFlagsFromString('--opt');
