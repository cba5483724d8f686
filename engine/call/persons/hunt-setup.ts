// The parts of one call's hunt for a person: who may be called now, how their line is opened, and the texts.
import type { Logger } from 'pino';
import { reachableAt } from '../../../db/domain/numbers/reachable-destinations.ts';
import {
  destinationsIn,
  ringPlan,
  type TransferDestination,
} from '../../../db/domain/numbers/transfer-destinations.ts';
import { messageOf } from '../../../db/domain/unexpected.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import { fill } from '../../../models/llm/phrases/phrases.ts';
import type { SttVocabulary } from '../../../models/stt/stt.ts';
import type { Clock } from '../../clock.ts';
import type { Dialogue } from '../../dialogue/dialogue.ts';
import type { HandoverWish } from '../../dialogue/tools/tool.ts';
import type { Leg } from '../../sip/telephony.ts';
import { turnWordsFor } from '../../turn/words/languages.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import { PERSON_LEG, personIdOf } from '../going-on/transfer-continuation.ts';
import type { CallRecord } from '../record.ts';
import { callVoice, turnConfig, vocabulary } from '../setup.ts';
import type { CallWrites } from '../writes.ts';
import { answerByRules, answerPrompt, type Caller, spokenText, whoText, whyByRules, whyPrompt } from './briefing.ts';
import { Hunt, type HuntOptions } from './hunt.ts';
import { huntLimitMs } from './hunt-machine.ts';
import { ANNOUNCED, asked } from './hunt-manner.ts';
import type { PersonAudioOptions } from './person-audio.ts';
import { PERSON_RING_MS, type PersonCallContext } from './person-call.ts';
import type { PersonLineOptions } from './person-line.ts';
import type { PersonEffect } from './person-machine.ts';
import { personSaid } from './person-speaks.ts';
import { PERSON_PHRASES } from './person-words.ts';

/** A person who has answered waits so long for a model's words; then rules tell them. */
const BRIEFING_MS = 2_500;
const ANSWER_MS = 5_000;
/** A person's time to say hello first. */
const PERSON_FIRST_MS = 1_200;

type Deps = Pick<
  ConductorDeps,
  | 'telephony'
  | 'shards'
  | 'store'
  | 'clock'
  | 'llmTimeoutMs'
  | 'trunksFor'
  | 'acceptsRefer'
  | 'recogniser'
  | 'permits'
  | 'dialogue'
>;

/** Of those who may be called at this hour; empty: nobody. */
export function roundsOf(
  setup: Pick<CallSetup, 'business' | 'campaign'>,
  wish: HandoverWish,
  nowMs: number,
): TransferDestination[][] {
  const { business, campaign } = setup;
  const reachable = reachableAt(destinationsIn(campaign, business), { timezone: business.timezone, nowMs });
  return ringPlan(reachable, wish.destination);
}

export const handoverLimitMs = (setup: Pick<CallSetup, 'business' | 'campaign'>, wish: HandoverWish, nowMs: number) =>
  huntLimitMs(roundsOf(setup, wish, nowMs));

interface HuntBooks {
  writes: CallWrites;
  record: CallRecord;
  dialogue: Pick<Dialogue, 'personSaid'>;
}

type Options = Pick<ConductorOptions, 'call' | 'setup' | 'medium'>;
type Listener = Pick<HuntOptions, 'guard' | 'onChanged' | 'onOutcome' | 'onPersonGone' | 'onHandedOn'>;

export function createHunt(
  deps: Deps,
  options: Options,
  { leg, ...of }: { leg: Leg | null; log: Logger } & HuntBooks,
  { wish, rounds }: { wish: HandoverWish; rounds: TransferDestination[][] },
  listener: Listener,
): Hunt {
  const { writes, record, log } = of;
  const { call, setup } = options;
  const { store, clock } = deps;
  const texts = new PersonTexts(deps, () => callerOf(options, record, wish), log);
  return new Hunt({
    ...common(deps, options, of, leg),
    manner: asked(wish, {
      holdMusic: () => store.holdMusic(call.accountId, setup.business.id),
      onTried: (tried) => record.transferTried(tried),
    }),
    rounds,
    onStart: () => rounds.flat().some(({ mode }) => mode === 'brief') && texts.begin(),
    line: (destination, slot, round) => ({
      // The audio of a line that has just been let go may still be closing.
      audioId: `${personIdOf(call.id)}:${round}:${slot}`,
      open: askedOpening(deps, setup),
      announcement: null,
      slot,
      storedAs: `${PERSON_LEG}:${round}:${slot}`,
      words: turnWordsFor(setup.agent.language),
      textOf: (say) => texts.of(destination, say),
      answerTo: (question) => texts.answer(question),
      onSaid: (speaker, text, atMs) =>
        record.add({ speaker, text, timestamp: record.positionOf(atMs), line: 'person' }),
      onSaidToCaller: (text, atMs) => personSaid(of, text, record.positionOf(atMs)),
    }),
    storeJoined: (dialog) =>
      writes.enqueue('storeDialog', { callId: call.id, leg: PERSON_LEG, dialog, nowMs: clock.nowMs() }),
    ...listener,
    log,
  });
}

/**
 * To `transferNumber`, or to whom a person hands the caller on. `audioId`: of the line that goes on; absent: it begins
 * here. `hasMusic`: the caller hears music meanwhile.
 */
export function createTransfer(
  deps: Deps,
  options: Options,
  { leg, ...of }: { leg: Leg | null; log: Logger } & HuntBooks,
  {
    target,
    audioId = personIdOf(options.call.id),
    hasMusic = false,
  }: { target: string; audioId?: string | undefined; hasMusic?: boolean },
  listener: Listener,
): Hunt {
  const nothing = (): void => undefined;
  const line: Omit<
    PersonLineOptions,
    'context' | 'destination' | 'step' | 'onHandOn' | 'onChanged' | 'log' | 'shards'
  > = {
    audioId,
    ...personOpening(deps, options),
    slot: 0,
    storedAs: PERSON_LEG,
    words: turnWordsFor(options.setup.agent.language),
    textOf: () => Promise.resolve(''),
    answerTo: () => Promise.resolve(null),
    onSaid: nothing,
    onSaidToCaller: nothing,
  };
  return new Hunt({
    ...common(deps, options, of, leg),
    manner: hasMusic
      ? { ...ANNOUNCED, holdMusic: () => deps.store.holdMusic(options.call.accountId, options.setup.business.id) }
      : ANNOUNCED,
    rounds: [[{ ...TRANSFER_NUMBER, target }]],
    onStart: nothing,
    line: () => line,
    storeJoined: nothing,
    ...listener,
    log: of.log,
  });
}

const TRANSFER_NUMBER: Omit<TransferDestination, 'target'> = {
  ...{ name: '', description: '', hours: null, extensionDigits: null, order: 1 },
  ...{ mode: 'announce', accept: 'none', after: 'leave' },
  ringSeconds: PERSON_RING_MS / 1_000,
};

function common(deps: Deps, options: Options, { writes, record }: HuntBooks, leg: Leg | null) {
  const canRefer = ownTrunks(options).every((id) => deps.acceptsRefer(id)) && !isOwnSoftphone(options);
  return {
    context: { deps, options, writes } satisfies PersonCallContext,
    leg: canRefer ? leg : null,
    shards: deps.shards,
    positionOf: (monotonicMs: number): number => record.positionOf(monotonicMs),
  };
}

/** A caller that is one of our softphones can reach nobody else by itself. */
const isOwnSoftphone = ({ medium }: Options): boolean => medium.kind === 'inbound' && medium.sipAccountId !== null;

/** The trunks over one of which the other side is reached; none: a softphone, an address or a browser. */
function ownTrunks({ call, medium }: Options): string[] {
  if (medium.kind === 'outbound') return medium.trunkIds;
  const trunkId = medium.kind === 'inbound' ? (medium.leg?.trunkId ?? call.trunkId) : null;
  return trunkId === null ? [] : [trunkId];
}

/** How the audio of a person is opened who is asked. */
function askedOpening(
  { recogniser, llmTimeoutMs }: Pick<Deps, 'recogniser' | 'llmTimeoutMs'>,
  setup: CallSetup,
): PersonAudioOptions['open'] {
  return {
    turn: { ...turnConfig(setup, false, recogniser, llmTimeoutMs), openingDelayMs: PERSON_FIRST_MS, guessing: false },
    voice: callVoice(setup),
    vocabulary: personVocabulary(setup),
    sttBlockMs: recogniser.blockMs,
    denoise: recogniser.denoise === true,
    amd: { enabled: true },
  };
}

/** How the audio of `transferNumber` is opened, and what they are told first. */
export function personOpening(
  deps: Pick<ConductorDeps, 'recogniser' | 'llmTimeoutMs'>,
  { call, setup }: Pick<ConductorOptions, 'call' | 'setup'>,
): Pick<PersonAudioOptions, 'announcement' | 'open'> {
  const words = phrasesFor(setup.agent.language).call;
  return {
    announcement: fill(words.announcement, {
      agentName: setup.agent.name,
      businessName: setup.business.name,
      callerName: call.callerName ?? words.unknownCaller,
    }),
    open: {
      turn: { ...turnConfig(setup, false, deps.recogniser, deps.llmTimeoutMs), openingDelayMs: 0 },
      voice: callVoice(setup),
      vocabulary: vocabulary(setup),
      amd: null,
    },
  };
}

/** A recogniser of phrases hears no others. */
function personVocabulary(setup: CallSetup): SttVocabulary {
  const known = vocabulary(setup, true);
  return { ...known, phrases: [...known.phrases, ...PERSON_PHRASES] };
}

function callerOf(
  { call, setup }: Pick<ConductorOptions, 'call' | 'setup'>,
  record: CallRecord,
  wish: HandoverWish,
): Caller {
  return {
    agentName: setup.agent.name,
    businessName: setup.business.name,
    name: call.callerName,
    language: setup.agent.language,
    transcript: record.transcript,
    reason: wish.reason,
  };
}

/** The words to a person. */
class PersonTexts {
  readonly #deps: Pick<Deps, 'dialogue' | 'clock'>;
  readonly #caller: () => Caller;
  readonly #log: Logger;
  /** Why the caller calls: the model writes while it rings. */
  #why: Promise<string | null> | null = null;

  constructor(deps: Pick<Deps, 'dialogue' | 'clock'>, caller: () => Caller, log: Logger) {
    this.#deps = deps;
    this.#caller = caller;
    this.#log = log;
  }

  /** Once; it may have been begun by now. */
  begin(): void {
    this.#why ??= this.#ask((caller) => whyPrompt(caller));
  }

  async of(
    { mode, accept }: TransferDestination,
    say: Extract<PersonEffect, { type: 'say' | 'say-answer' }>,
  ): Promise<string> {
    const caller = this.#caller();
    const { handover, call } = phrasesFor(caller.language);
    const question = accept === 'none' ? '' : accept === 'key' ? handover.askKey : handover.askWord;
    const joined = (...parts: Array<string | null>): string => parts.filter((part) => part).join(' ');
    // The known facts are better than nothing: "what is it about" shares no word with any caller.
    if (say.type === 'say-answer') return joined(say.text ?? joined(handover.notSaid, whyByRules(caller)), question);
    switch (say.what) {
      case 'opening': {
        if (mode === 'brief') this.begin();
        const why =
          mode === 'brief' ? ((await within(this.#deps.clock, BRIEFING_MS, this.#why)) ?? whyByRules(caller)) : '';
        return joined(whoText(caller), why, question === '' ? null : question);
      }
      case 'question':
        return question === '' ? call.oneMoment : question;
      case 'ask-message':
        return handover.askMessage;
      case 'say-again':
        return call.sayAgain;
      case 'noted':
        return handover.noted;
    }
  }

  async answer(question: string): Promise<string | null> {
    const byModel = this.#ask((caller) => answerPrompt(caller, question));
    return (await within(this.#deps.clock, ANSWER_MS, byModel)) ?? answerByRules(this.#caller(), question);
  }

  async #ask(
    prompt: (caller: Caller) => Parameters<NonNullable<Deps['dialogue']['complete']>>[0],
  ): Promise<string | null> {
    const { dialogue } = this.#deps;
    if (dialogue.complete === null) return null;
    const late = new AbortController();
    const cancel = this.#deps.clock.after(2 * ANSWER_MS, () => late.abort());
    try {
      return spokenText(await dialogue.complete(prompt(this.#caller()), late.signal));
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'the model has no words for a person');
      return null;
    } finally {
      cancel();
    }
  }
}

/** Null if it takes longer. */
function within<T>(clock: Clock, ms: number, wanted: Promise<T | null> | null): Promise<T | null> {
  if (wanted === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(null));
    void wanted.then((value) => {
      cancel();
      resolve(value);
    });
  });
}
