// The parts of one call's hunt for a person: who may be called now, and how their line is opened.
import type { Logger } from 'pino';
import { reachableAt } from '../../../db/domain/numbers/reachable-destinations.ts';
import {
  destinationsIn,
  ringPlan,
  type TransferDestination,
} from '../../../db/domain/numbers/transfer-destinations.ts';
import type { CallSetup } from '../../../db/rules/routing.ts';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import { fill } from '../../../models/llm/phrases/phrases.ts';
import type { Dialogue } from '../../dialogue/dialogue.ts';
import type { HandoverWish } from '../../dialogue/tools/tool.ts';
import type { Leg } from '../../sip/telephony.ts';
import { turnWordsFor } from '../../turn/words/languages.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import { PERSON_LEG, personIdOf } from '../going-on/transfer-continuation.ts';
import type { CallRecord } from '../record.ts';
import type { CallWrites } from '../writes.ts';
import type { Caller } from './briefing.ts';
import { Hunt, type HuntedLine, type HuntOptions } from './hunt.ts';
import { huntLimitMs } from './hunt-machine.ts';
import { ANNOUNCED, asked } from './hunt-manner.ts';
import { askedOpening, lineOpening } from './line-opening.ts';
import { PERSON_RING_MS, type PersonCallContext } from './person-call.ts';
import { personSaid } from './person-speaks.ts';
import { PersonTexts } from './person-texts.ts';

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
export type HuntListener = Pick<HuntOptions, 'guard' | 'onChanged' | 'onOutcome' | 'onPersonGone' | 'onHandedOn'>;

export function createHunt(
  deps: Deps,
  options: Options,
  { leg, ...of }: { leg: Leg | null; log: Logger } & HuntBooks,
  { wish, rounds }: { wish: HandoverWish; rounds: TransferDestination[][] },
  listener: HuntListener,
): Hunt {
  const { writes, record, log } = of;
  const { call, setup } = options;
  const { store, clock } = deps;
  const texts = new PersonTexts(deps, () => callerOf(options, record, wish), log);
  return new Hunt({
    ...common(deps, options, of, leg),
    manner: asked(wish, {
      holdMusic: () => store.holdMusic(call.accountId, setup.business.id),
      onTried: (tried) => record.timings.transferTried(tried),
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
        record.add({ speaker, text, timestamp: record.timings.positionOf(atMs), line: 'person' }),
      onSaidToCaller: (text, atMs) => personSaid(of, text, record.timings.positionOf(atMs)),
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
  listener: HuntListener,
): Hunt {
  const nothing = (): void => undefined;
  const line: HuntedLine = {
    audioId,
    open: lineOpening(deps, options.setup),
    announcement: announcementOf(options),
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
    positionOf: (monotonicMs: number): number => record.timings.positionOf(monotonicMs),
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

/** The words that the person behind `transferNumber` hears first. */
function announcementOf({ call, setup }: Options): string {
  const words = phrasesFor(setup.agent.language).call;
  return fill(words.announcement, {
    agentName: setup.agent.name,
    businessName: setup.business.name,
    callerName: call.callerName ?? words.unknownCaller,
  });
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
