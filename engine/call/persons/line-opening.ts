// How a line beside the caller's is opened in its shard: of a person who is asked, of one who hears an announcement,
// and of a supervisor. Each hears as the caller's line does.
import type { CallSetup } from '../../../db/rules/routing.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';
import type { OpenCall } from '../../shard/protocol.ts';
import type { TurnConfig } from '../../turn/machine.ts';
import type { ConductorDeps } from '../context.ts';
import { callVoice, hearing, turnConfig, vocabulary } from '../setup.ts';
import { PERSON_PHRASES } from './person-words.ts';

/** A person's time to say hello first. */
const PERSON_FIRST_MS = 1_200;

export type LineOpening = Pick<OpenCall, 'turn' | 'voice' | 'vocabulary' | 'amd'> &
  Required<Pick<OpenCall, 'sttBlockMs' | 'denoise'>>;

type Deps = Pick<ConductorDeps, 'recogniser' | 'llmTimeoutMs'>;

/** Of somebody from whom nothing is waited for. */
export function lineOpening(
  { recogniser, llmTimeoutMs }: Deps,
  setup: CallSetup,
  turn: Partial<TurnConfig> = {},
): LineOpening {
  return {
    turn: { ...turnConfig(setup, false, recogniser, llmTimeoutMs), openingDelayMs: 0, ...turn },
    voice: callVoice(setup),
    vocabulary: vocabulary(setup),
    ...hearing(recogniser),
    amd: null,
  };
}

/** Of a person who is asked whether they take the caller. */
export function askedOpening(deps: Deps, setup: CallSetup): LineOpening {
  return {
    ...lineOpening(deps, setup, { openingDelayMs: PERSON_FIRST_MS, guessing: false }),
    vocabulary: personVocabulary(setup),
    amd: { enabled: true },
  };
}

/** A recogniser of phrases hears no others. */
function personVocabulary(setup: CallSetup): SttVocabulary {
  const known = vocabulary(setup, true);
  return { ...known, phrases: [...known.phrases, ...PERSON_PHRASES] };
}
