// Gives a decoder its grammar as an automaton, by functions that soundswallower's WebAssembly exports and its class
// does not offer (src/fsg_model.c of the library): the class takes JSGF only.
import type { Automaton } from './automaton.ts';

/** The exports of an instance; numbers are addresses in its memory, or the decoder's logarithms of probabilities. */
export interface NativeLibrary {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _decoder_logmath(decoder: number): number;
  _logmath_log(logmath: number, probability: number): number;
  _fsg_model_init(name: number, logmath: number, languageWeight: number, states: number): number;
  _fsg_model_word_add(model: number, word: number): number;
  _fsg_model_trans_add(model: number, from: number, to: number, logProbability: number, word: number): void;
  _fsg_model_null_trans_add(model: number, from: number, to: number, logProbability: number): number;
  _fsg_set_states(model: number, start: number, final: number): void;
  /** Takes the model over. Below 0 if it cannot be used: a word is not in the dictionary. */
  _decoder_set_fsg(decoder: number, model: number): number;
  /** The next three make what computes features of sound anew, with a mean of its own (spectral-mean.ts). */
  _decoder_init_fe(decoder: number): number;
  _decoder_init_feat_s3file(decoder: number, transform: number): number;
  /** Below 0 if they do not fit. */
  _acmod_reinit_feat(acousticModel: number, frontEnd: number, features: number): number;
}

/** The library's default. It weighs fillers only: the automaton's costs are used as they are. */
const LANGUAGE_WEIGHT = 6.5;

/** @throws Error when a word of the automaton is not in the decoder's dictionary */
export function setAutomaton(library: NativeLibrary, decoder: number, automaton: Automaton): void {
  const logmath = library._decoder_logmath(decoder);
  const model = withText(library, 'caller', (name) =>
    library._fsg_model_init(name, logmath, LANGUAGE_WEIGHT, automaton.states),
  );
  library._fsg_set_states(model, automaton.start, automaton.final);
  const words = new Map<string, number>();
  const idOf = (word: string): number => {
    const known = words.get(word);
    if (known !== undefined) return known;
    const id = withText(library, word, (text) => library._fsg_model_word_add(model, text));
    words.set(word, id);
    return id;
  };
  for (const { from, to, word, cost } of automaton.arcs) {
    const logProbability = library._logmath_log(logmath, Math.exp(-cost));
    if (word === null) library._fsg_model_null_trans_add(model, from, to, logProbability);
    else library._fsg_model_trans_add(model, from, to, logProbability, idOf(word));
  }
  if (library._decoder_set_fsg(decoder, model) < 0) throw new Error('the decoder refuses the grammar');
}

/** Calls `use` with the address of a C string, which is freed afterwards. */
function withText<Result>(library: NativeLibrary, text: string, use: (address: number) => Result): Result {
  const bytes = new TextEncoder().encode(`${text}\0`);
  const address = library._malloc(bytes.length);
  library.HEAPU8.set(bytes, address);
  try {
    return use(address);
  } finally {
    library._free(address);
  }
}
