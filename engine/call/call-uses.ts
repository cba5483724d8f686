// The uses of a call's engines, as its end writes them down: tokens from the dialogue, sound and texts from the shard.
import {
  type BilledEngine,
  type BilledEngines,
  isUsed,
  type ModelUse,
  modelUse,
  type Use,
} from '../../db/domain/cost/uses.ts';
import type { EngineFallback } from '../../db/records/resources.ts';
import type { ModelSpending } from '../dialogue/model-spending.ts';
import type { SpeechUses } from '../shard/protocol.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { conversationOf, speechToSpeechOf } from './setup.ts';

interface EndedUses {
  spending: Pick<ModelSpending, 'uses'>;
  /** Null: the shard was lost. */
  speech: SpeechUses | null;
  fallbacks: readonly EngineFallback[];
  durationMs: number;
  /** Another process had it before, whose shard has told nobody. */
  isResumed: boolean;
}

/** `billed`: as they were when the call began. */
export function usesAtEnd(
  deps: Pick<ConductorDeps, 'dialogue' | 'speechToSpeech' | 'voices'>,
  { setup }: Pick<ConductorOptions, 'setup'>,
  billed: BilledEngines | null,
  { spending, speech, fallbacks, durationMs, isResumed }: EndedUses,
): Use[] {
  const [engine = '', ...named] = deps.dialogue.name.split(':');
  const session = speechToSpeechOf(deps, setup) === null ? null : (billed?.speechToSpeech ?? null);
  const ofSession = session && {
    kind: 'speech_to_speech' as const,
    engine: session.engine,
    model: conversationOf(setup).speechModel ?? session.model,
  };
  const model = named.join(':') || null;
  const tokens = spending.uses(engine, ofSession ?? { kind: 'llm', engine, model });
  const hasEnded = fallbacks.some(({ model: fallen }) => fallen === 'speech-to-speech');
  const uses: ModelUse[] = ofSession === null ? tokens : withSession(tokens, ofSession, durationMs, hasEnded);
  if (billed === null || speech === null) return uses.filter(isUsed);
  const estimated = isResumed ? { isEstimated: true as const } : {};
  const ms = (sound: number): number => Math.round(sound);
  const { stt } = billed;
  uses.push(modelUse({ ...of(stt), kind: 'stt', purpose: 'call', ms: ms(speech.heardMs), ...estimated }));
  const tts = voiceOf(deps, setup.agent.voiceId, billed.tts);
  const spoken = { characters: speech.characters, ms: ms(speech.spokenMs) };
  uses.push(modelUse({ ...of(tts), kind: 'tts', purpose: 'call', ...spoken, ...estimated }));
  return uses.filter(isUsed);
}

const of = ({ engine, model, isOwn }: BilledEngine) => ({ engine, model, ...(isOwn ? { isOwn: true as const } : {}) });

/** A voice may be another engine's than the chosen one: our own, which speaks for it. */
function voiceOf({ voices }: Pick<ConductorDeps, 'voices'>, voiceId: string, chosen: BilledEngine): BilledEngine {
  const voice = voices?.().find(({ id }) => id === voiceId);
  return voice === undefined || voice.engine === chosen.engine
    ? chosen
    : { engine: voice.engine, model: null, isOwn: true };
}

/** The session lasts as long as the call, or until the cascade took over, at a time that nobody wrote down. */
function withSession(
  tokens: ModelUse[],
  session: Pick<ModelUse, 'kind' | 'engine' | 'model'>,
  ms: number,
  hasEnded: boolean,
): ModelUse[] {
  const told = tokens.find(({ kind }) => kind === session.kind) ?? modelUse({ ...session, purpose: 'call' });
  const others = tokens.filter((use) => use !== told);
  return [...others, { ...told, ms, ...(hasEnded ? { isEstimated: true as const } : {}) }];
}
