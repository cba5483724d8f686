// What one call's transfer needs: whether REFER reaches the person, and the announcement.
import type { Logger } from 'pino';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import { fill } from '../../../models/llm/phrases/phrases.ts';
import type { Leg } from '../../sip/telephony.ts';
import type { ConductorDeps, ConductorOptions } from '../context.ts';
import { callVoice, turnConfig, vocabulary } from '../setup.ts';
import type { CallWrites } from '../writes.ts';
import { Transfer, type TransferOptions } from './transfer.ts';

export function createTransfer(
  deps: Pick<ConductorDeps, 'telephony' | 'shards' | 'clock' | 'llmTimeoutMs' | 'trunksFor' | 'recogniser' | 'permits'>,
  options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>,
  writes: CallWrites,
  leg: Leg | null,
  target: string,
  log: Logger,
  listener: Pick<TransferOptions, 'guard' | 'onChanged' | 'onOutcome' | 'onPersonGone'>,
): Transfer {
  return new Transfer({
    context: { deps, options, writes },
    target,
    leg: isReachedByPeer(target, options.medium) ? leg : null,
    shards: deps.shards,
    ...personOpening(deps, options),
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
      amd: null,
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
