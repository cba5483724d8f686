// What one call's transfer needs: the trunks and caller id for reaching the person, the announcement, and the books.
import type { Logger } from 'pino';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import { fill } from '../../../models/llm/phrases/phrases.ts';
import type { Clock } from '../../clock.ts';
import type { Leg } from '../../sip/telephony.ts';
import type { CallInfo, ConductorDeps, ConductorOptions } from '../context.ts';
import { callVoice, turnConfig, vocabulary } from '../setup.ts';
import type { CallWrites } from '../writes.ts';
import { type LegCosts, Transfer, type TransferOptions } from './transfer.ts';

/** A softphone of the house. */
const FREE: LegCosts = { dialled: () => Promise.resolve(), answered() {}, ended() {}, referred() {} };

export interface Books {
  call: Pick<CallInfo, 'id' | 'accountId'>;
  clock: Clock;
  writes: CallWrites;
}

/** `slot` counts persons who ring at once. */
export function legCosts({ call, clock, writes }: Books, slot: number, target = ''): LegCosts {
  if (target.startsWith('sip:')) return FREE;
  const { id: callId, accountId } = call;
  const leg = slot === 0 ? {} : { leg: slot };
  return {
    dialled: () => writes.run('openTransferLeg', { callId, accountId, ...leg }).then(() => undefined),
    answered: (nowMs) => writes.enqueue('answerTransferLeg', { callId, nowMs, ...leg }),
    ended: () => writes.enqueue('closeTransferLeg', { callId, endedAtMs: clock.nowMs(), ...leg }),
    referred: () => writes.enqueue('countReferral', { accountId, nowMs: clock.nowMs() }),
  };
}

export function createTransfer(
  deps: Pick<ConductorDeps, 'telephony' | 'shards' | 'clock' | 'llmTimeoutMs' | 'trunksFor' | 'recogniser' | 'permits'>,
  { call, setup, medium }: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  writes: CallWrites,
  leg: Leg | null,
  target: string,
  log: Logger,
  listener: Pick<TransferOptions, 'guard' | 'onChanged' | 'onOutcome' | 'onPersonGone'>,
): Transfer {
  const { telephony, shards, clock, trunksFor } = deps;
  const isOutbound = medium.kind === 'outbound';
  return new Transfer({
    callId: call.id,
    accountId: call.accountId,
    target,
    leg: isReachedByPeer(target, medium) ? leg : null,
    telephony,
    shards,
    clock,
    trunks: () => (isOutbound ? Promise.resolve(medium.trunkIds) : trunksFor(call.phoneNumberId)),
    from: isOutbound ? call.fromNumber : call.toNumber,
    ...personOpening(deps, { call, setup }),
    storeDialog: (dialog) => writes.run('storeDialog', { callId: call.id, leg: 'human', dialog, nowMs: clock.nowMs() }),
    permits: deps.permits,
    costs: legCosts({ call, clock, writes }, 0, target),
    ...listener,
    log,
  });
}

/** How the person's audio is opened, and what they are told first. */
export function personOpening(
  deps: Pick<ConductorDeps, 'recogniser' | 'llmTimeoutMs'>,
  { call, setup }: Pick<ConductorOptions, 'call' | 'setup'>,
): Pick<TransferOptions, 'announcement' | 'open'> {
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
    },
  };
}

/**
 * A REFER makes the caller's side call the target. It does not know our softphones, and a caller that is one of our
 * softphones can reach nobody else.
 */
function isReachedByPeer(target: string, medium: ConductorOptions['medium']): boolean {
  return !target.startsWith('sip:') && !(medium.kind === 'inbound' && medium.sipAccountId !== null);
}
