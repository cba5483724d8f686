// One call's transfer: which trunks and caller id reach the person, and what they hear first.
import type { Logger } from 'pino';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import { fill } from '../../models/llm/phrases/phrases.ts';
import type { Leg } from '../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import { callVoice, turnConfig, vocabulary } from './setup.ts';
import { Transfer, type TransferOptions } from './transfer.ts';
import type { CallWrites } from './writes.ts';

export function createTransfer(
  deps: Pick<ConductorDeps, 'telephony' | 'shards' | 'clock' | 'trunksFor' | 'recogniser'>,
  { call, setup, medium }: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  writes: CallWrites,
  leg: Leg | null,
  target: string,
  log: Logger,
  listener: Pick<TransferOptions, 'onOutcome' | 'onPersonGone'>,
): Transfer {
  const { telephony, shards, clock, trunksFor } = deps;
  const isOutbound = medium.kind === 'outbound';
  const words = phrasesFor(setup.agent.language).call;
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
    announcement: fill(words.announcement, {
      agentName: setup.agent.name,
      businessName: setup.business.name,
      callerName: call.callerName ?? words.unknownCaller,
    }),
    open: {
      turn: { ...turnConfig(setup, false, deps.recogniser), openingDelayMs: 0 },
      voice: callVoice(setup),
      vocabulary: vocabulary(setup),
    },
    storeDialog: (dialog) => writes.run('storeDialog', { callId: call.id, leg: 'human', dialog, nowMs: clock.nowMs() }),
    ...listener,
    log,
  });
}

/**
 * A REFER asks the caller's side to call: it does not know our softphones, and a softphone of ours reaches nobody else.
 */
function isReachedByPeer(target: string, medium: ConductorOptions['medium']): boolean {
  return !target.startsWith('sip:') && !(medium.kind === 'inbound' && medium.leg.sipAccountId !== null);
}
